//! A credential that got into a plan is in no message, in no form, not even in part.

use super::example::{changed, example};
use crate::common::Project;

/// The shortest part of a secret that must not be seen.
const PART: usize = 12;

fn token() -> String {
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    sample.text.get(sample.secret).unwrap().to_owned()
}

#[track_caller]
fn silent(p: &Project, args: &[&str], secret: &str) {
    // With `--json` the findings are told in lines besides.
    for form in [&[][..], &["--json"]] {
        let out = p.run(&[args, form].concat());
        let said = format!("{}{}", out.stdout, out.stderr);
        let shown = secret.as_bytes().windows(PART).map(|w| std::str::from_utf8(w).unwrap()).find(|w| said.contains(w));
        assert_eq!(shown, None, "deed {} {form:?} shows a secret\n{said}", args.join(" "));
        assert_eq!(out.code, 1, "{said}");
    }
}

#[test]
fn wherever_it_stands() {
    let p = example();
    let token = token();
    let t = token.as_str();
    let groups: [&[(&str, String)]; 4] = [
        &[
            ("domain_pack_ids: [billing-audit]", format!("domain_pack_ids: [{t}]")),
            ("policy_profile_id: strict", format!("policy_profile_id: {t}")),
            ("kind_key: table.csv", format!("kind_key: {t}")),
            ("entity_schema_id: billing.time_entry", format!("entity_schema_id: {t}")),
            ("slot: findings", format!("slot: {t}")),
            ("depends_on: [compare]", format!("depends_on: [{t}]\n    tool_needs: [{t}]\n    waits_for: [{t}]")),
        ],
        &[
            ("path: work/discrepancies.json", format!("path: ../{t}")),
            ("- output/report.html exists", format!("- {t} exists")),
            ("objective_words: report", format!("objective_words: {t}")),
        ],
        &[("steps:", format!("{t}: 1\nsteps:")), ("role: primary", format!("role: {t}"))],
        &[("id: report", format!("id: {t}!"))],
    ];
    for edits in groups {
        let edits: Vec<(&str, &str)> = edits.iter().map(|(find, replace)| (*find, replace.as_str())).collect();
        changed(&p, "bad.yaml", &edits);
        silent(&p, &["plan", "check", "bad.yaml"], t);
    }
    silent(&p, &["plan", "diff", "plan.yaml", "bad.yaml"], t);
}

#[test]
fn in_a_plan_that_cannot_be_read() {
    let p = example();
    let token = token();
    p.write("cut.yaml", format!("plan: [{token}\n"));
    p.write("cut.json", format!("{{\"plan\": \"{token}\", oops"));
    p.write("twice.yaml", format!("{token}: 1\n{token}: 2\n"));
    p.write("c.json", format!("{{\"plan_hash\": \"{token}\"}}"));
    for file in ["cut.yaml", "cut.json", "twice.yaml", "c.json"] {
        silent(&p, &["plan", "check", file], &token);
    }
}

/// A compiled plan with one, too.
#[test]
fn in_a_compiled_plan() {
    let p = example();
    let token = token();
    let whole = p.ok(&["plan", "compile", "plan.yaml"]).stdout;
    for (find, replace) in
        [("\"step_id\": \"compare\"", "\"step_id\": \"T\""), ("\"rank\": \"exact\"", "\"rank\": \"T\"")]
    {
        assert!(whole.contains(find), "{find}");
        p.write("t.json", whole.replacen(find, &replace.replace('T', &token), 1));
        silent(&p, &["plan", "check", "t.json"], &token);
    }
}
