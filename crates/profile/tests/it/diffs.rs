//! Diff: classes of changes, and the version numbers that they need.

use deed_profile::{ProfileFile, diff};

fn file(version: &str, more: &str) -> ProfileFile {
    ProfileFile::read("p.yaml", format!("profile_id: p\nversion: {version}\n{more}").as_bytes()).unwrap()
}

/// Checks the class of the only change, and that the reverse has the other class.
fn check(before: &str, after: &str, class: &str, reverse: &str) {
    let required = |a: &str, b: &str| {
        let diff = diff(&file("1.0.0", a), &file("2.0.0", b)).unwrap();
        diff.required.map_or("none", |class| class.as_str())
    };
    assert_eq!((required(before, after), required(after, before)), (class, reverse), "{before} -> {after}");
}

#[test]
fn more_power_is_major_and_less_is_minor() {
    check("", "", "none", "none");
    check("summary: a", "summary: b", "patch", "patch");
    check("budgets: { tool_calls: 5 }", "budgets: { tool_calls: 6 }", "major", "minor");
    check("budgets: { money_micros: 5 }", "", "major", "minor");
    check("", "egress: [{ host: a.test }]", "major", "minor");
    check(
        "egress: [{ host: a.test, paths: [\"/v1/*\"] }]",
        "egress: [{ host: a.test, paths: [\"/v1/x\"] }]",
        "minor",
        "major",
    );
    check("skill_policy: { denied_skills: [a] }", "skill_policy: { denied_skills: [a, b] }", "minor", "major");
    check("skill_policy: { autoload_mode: profile_only }", "", "major", "minor");
    check("context_pack_ref: a@1.0.0", "context_pack_ref: a@1.0.1", "major", "major");
    check("issuer: a", "issuer: b", "major", "major");
}

#[test]
fn fewer_checks_are_major() {
    let phase = |body: &str| format!("validation: {{ phases: {{ step_input: {{ {body} }} }} }}");
    let pack = "pack_ref: valpack.a@v1";
    check(&phase(&format!("mode: block, {pack}")), &phase(&format!("mode: report, {pack}")), "major", "minor");
    check(&phase(&format!("mode: block, {pack}")), "", "major", "minor");
    check(&phase(&format!("mode: block, {pack}")), &phase("mode: block, pack_ref: valpack.b@v1"), "major", "major");
}

#[test]
fn models_prompts_and_parameters_are_minor() {
    check("", "default_binding: { model_binding_ref: \"openai:gpt-5.2\" }", "minor", "minor");
    check("planning_guidance: [a]", "planning_guidance: [b]", "minor", "minor");
    check("", "prompts: [{ prompt_ref: a@v1, text: t }]", "minor", "minor");
}

#[test]
fn the_version_has_to_fit() {
    let judged = |from: &str, to: &str, more: &str| {
        let diff = diff(&file(from, ""), &file(to, more)).unwrap();
        diff.report.diagnostics().first().map(|d| (d.code.to_string(), d.help.clone().unwrap_or_default()))
    };
    assert_eq!(judged("1.2.3", "1.2.3", ""), None);
    assert_eq!(judged("1.2.3", "1.2.4", "summary: x"), None);
    assert_eq!(judged("1.2.3", "2.0.0", "egress: [{ host: a.test }]"), None);
    let unfit = |from, to, more| judged(from, to, more).unwrap();
    let needs = |version: &str| ("D2825".to_owned(), format!("write `version: {version}`, or take the changes back"));
    assert_eq!(unfit("1.2.3", "1.2.3", "summary: x"), needs("1.2.4"));
    assert_eq!(unfit("1.2.3", "1.2.4", "planning_guidance: [a]"), needs("1.3.0"));
    assert_eq!(unfit("1.2.3", "1.3.0", "egress: [{ host: a.test }]"), needs("2.0.0"));
    assert_eq!(unfit("1.2.3", "1.2.2", "").0, "D2825");
}

#[test]
fn other_profiles_and_other_documents_are_refused() {
    let other = ProfileFile::read("o.yaml", b"profile_id: other\nversion: 1.0.0\n").unwrap();
    assert!(diff(&file("1.0.0", ""), &other).unwrap().report.has_errors());
    let none = ProfileFile::read("n.yaml", b"steps: []\n").unwrap();
    assert_eq!(diff(&none, &other).unwrap_err().diagnostics()[0].code.to_string(), "D2801");
}
