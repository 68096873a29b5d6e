//! Gates: each finding with its code and its place.

use deed_profile::{ProfileFacts, ProfileFile, lint, shipped_profiles};
use std::collections::BTreeSet;

/// The least profile, with more lines.
fn lines(more: &str) -> String {
    format!("profile_id: team\nversion: 1.0.0\n{more}")
}

fn found(text: &str, facts: &ProfileFacts<'_>) -> Vec<(String, String)> {
    let file = ProfileFile::read("team.yaml", text.as_bytes()).unwrap();
    let report = lint(&file, facts).report;
    let place = |d: &deed_diag::Diagnostic| d.place.clone().and_then(|p| p.pointer).unwrap_or_default();
    report.diagnostics().iter().map(|d| (d.code.to_string(), place(d))).collect()
}

/// Checks the findings of the least profile with more lines: code and pointer of each.
fn check(more: &str, expected: &[(&str, &str)]) {
    let found = found(&lines(more), &ProfileFacts::default());
    let found: Vec<(&str, &str)> = found.iter().map(|(code, place)| (code.as_str(), place.as_str())).collect();
    assert_eq!(found, expected, "{more}");
}

#[test]
fn the_least_profile_and_the_shipped_ones_pass() {
    check("", &[]);
    for file in shipped_profiles() {
        let report = lint(file, &ProfileFacts::default());
        assert!(report.passed());
        assert_eq!(report.report.diagnostics(), &[], "{}", file.document.source().name());
    }
}

#[test]
fn unknown_keys_are_findings_and_stop_no_gate() {
    check(
        "budgets: { max_stepz: 3 }\nplanner_phase_bindings: { pass_c: {} }\n",
        &[("D0203", "/budgets/max_stepz"), ("D2806", "/planner_phase_bindings/pass_c")],
    );
    check(
        "default_binding: { runtime_overrides: { temprature: 1 } }\n",
        &[("D0203", "/default_binding/runtime_overrides/temprature")],
    );
}

#[test]
fn values_have_bounds() {
    check(
        "default_binding: { runtime_overrides: { temperature: 3 } }\n",
        &[("D0207", "/default_binding/runtime_overrides/temperature")],
    );
    assert_eq!(
        found("profile_id: Team\nversion: 1.0.0\n", &ProfileFacts::default())[0],
        ("D0209".to_owned(), "/profile_id".to_owned())
    );
    assert_eq!(
        found("profile_id: team\nversion: v1\n", &ProfileFacts::default())[0],
        ("D0208".to_owned(), "/version".to_owned())
    );
}

#[test]
fn a_document_of_another_shape_skips_the_other_gates() {
    let file = ProfileFile::read("team.yaml", b"steps: []\n").unwrap();
    let report = lint(&file, &ProfileFacts::default());
    assert!(!report.passed());
    assert_eq!(report.gates.iter().filter(|gate| gate.ran).count(), 2);
}

#[test]
fn models_have_a_form_and_a_known_provider() {
    check("default_binding: { model_binding_ref: claude }\n", &[("D2802", "/default_binding/model_binding_ref")]);
    check(
        "executor_by_backend: { tool_loop: { model_binding_ref: \"antropic:claude\" } }\n",
        &[("D2803", "/executor_by_backend/tool_loop/model_binding_ref")],
    );
    check(
        "executor_by_backend: { native: { model_binding_ref: \"openai:gpt-5.2\" } }\n",
        &[("D2804", "/executor_by_backend/native/model_binding_ref")],
    );
}

#[test]
fn consumers_are_known_and_stand_at_their_place() {
    check("consumer_bindings: { operator_evaluater: {} }\n", &[("D2805", "/consumer_bindings/operator_evaluater")]);
    check("consumer_bindings: { operator_planner: {} }\n", &[("D2805", "/consumer_bindings/operator_planner")]);
    check(
        "planner_phase_bindings: { pass_b: { consumer_key: operator_planner } }\n",
        &[("D2805", "/planner_phase_bindings/pass_b/consumer_key")],
    );
    check("planner_phase_bindings: { pass_c: {}, pass_d: {} }\n", &[("D2806", "/planner_phase_bindings/pass_c")]);
}

#[test]
fn dropped_parameters_are_reported() {
    let anthropic = "default_binding: { model_binding_ref: \"anthropic:claude-sonnet-4-6\" }\n";
    check(
        &format!(
            "{anthropic}executor_by_backend: {{ tool_loop: {{ runtime_overrides: {{ reasoning_effort: high }} }} }}\n"
        ),
        &[("D2807", "/executor_by_backend/tool_loop/runtime_overrides/reasoning_effort")],
    );
    check(
        "executor_by_backend: { native: { model_binding_ref: none, runtime_overrides: { seed: 1 } } }\n",
        &[("D2807", "/executor_by_backend/native/runtime_overrides/seed")],
    );
    check(
        "default_binding: { runtime_overrides: { max_tokens: 100, thinking_budget_tokens: 100 } }\n",
        &[("D2808", "/default_binding/runtime_overrides/thinking_budget_tokens")],
    );
}

#[test]
fn prompts_are_known_pinned_and_declare_their_variables() {
    let bind = |reference: &str| format!("default_binding: {{ prompt_binding_ref: \"{reference}\" }}\n");
    let at = "/default_binding/prompt_binding_ref";
    check(&bind("workspace.operator.planner.system@v1"), &[]);
    check(&bind("workspace.operator.planner.system"), &[("D2811", at)]);
    check(&bind("workspace.operator.planner.system@1"), &[("D2809", at)]);
    check(&bind("workspace.operator.planer.system@v1"), &[("D2810", at)]);
    check(
        "prompts:\n  - { prompt_ref: a.b@v1, text: \"{{x}} {{y}}\", variables: { x: {}, z: {} } }\n",
        &[("D2812", "/prompts/0/text"), ("D2813", "/prompts/0/variables/z")],
    );
    check("prompts:\n  - { prompt_ref: a.b@v1, text: \"{{ x }}\" }\n", &[("D2812", "/prompts/0/text")]);
    check(
        "prompts:\n  - { prompt_ref: a.b, text: t }\n  - { prompt_ref: c@v1, text: t }\n  - { prompt_ref: c@v1, text: u }\n",
        &[("D2809", "/prompts/0/prompt_ref"), ("D2809", "/prompts/2/prompt_ref")],
    );
    check(
        "prompts:\n  - { prompt_ref: workspace.operator.brief.system@v1, text: t }\n",
        &[("D2809", "/prompts/0/prompt_ref")],
    );
}

#[test]
fn nothing_takes_longer_than_what_contains_it() {
    check(
        "budgets: { timeouts: { run_wall_ms: 10, step_wall_ms: 11, approval_ms: 99 } }\n",
        &[("D2815", "/budgets/timeouts/step_wall_ms")],
    );
    check(
        "budgets: { timeouts: { model_call_ms: 10 } }\ndefault_binding: { runtime_overrides: { timeout_ms: 11 } }\n",
        &[("D2815", "/default_binding/runtime_overrides/timeout_ms")],
    );
    check(
        "budgets: { max_steps: 2, window_size: 3, tool_calls: 0 }\n",
        &[("D2816", "/budgets/tool_calls"), ("D2816", "/budgets/window_size")],
    );
}

#[test]
fn a_money_budget_needs_prices() {
    let text = lines("budgets: { money_micros: 5 }\ndefault_binding: { model_binding_ref: \"openai:gpt-5.2\" }\n");
    let priced = BTreeSet::from(["openai:gpt-5.2".to_owned()]);
    let other = BTreeSet::from(["openai:gpt-4".to_owned()]);
    let code = |facts: ProfileFacts<'_>| found(&text, &facts);
    assert_eq!(code(ProfileFacts { priced: Some(&priced), objects: None }), []);
    let missing = ("D2817".to_owned(), "/default_binding/model_binding_ref".to_owned());
    assert_eq!(code(ProfileFacts { priced: Some(&other), objects: None }), [missing]);
    let unchecked = ("D2817".to_owned(), "/budgets/money_micros".to_owned());
    assert_eq!(code(ProfileFacts::default()), [unchecked]);
}

#[test]
fn no_skill_is_denied_and_pinned() {
    check(
        "skill_policy:\n  pinned_skills: [{ skill_id: web, priority: required }, { skill_id: web }]\n  denied_skills: [web]\n",
        &[
            ("D2818", "/skill_policy/pinned_skills/0/skill_id"),
            ("D2818", "/skill_policy/pinned_skills/1/skill_id"),
            ("D2818", "/skill_policy/pinned_skills/1/skill_id"),
        ],
    );
    check(
        "skill_policy: { pinned_skills: [{ skill_id: web }], autoload_mode: discovery_only }\n",
        &[("D2818", "/skill_policy/pinned_skills/0/skill_id")],
    );
}

#[test]
fn phases_name_packs() {
    let phase = |body: &str| format!("validation: {{ phases: {{ step_output: {{ {body} }} }} }}\n");
    let at = "/validation/phases/step_output";
    check(&phase("mode: off"), &[]);
    check(&phase("mode: report"), &[("D2819", at)]);
    check(&phase("mode: block, pack_ref: valpack.a"), &[("D2819", &format!("{at}/pack_ref"))]);
    check(&phase("mode: block, pack_ref: valpack.a@v1, default_pack_ref: valpack.a@v1"), &[("D2819", at)]);
    check(
        &phase("mode: block, matchers: [{ artifact_path: \"*.json\", pack_ref: other@v1 }]"),
        &[("D2819", &format!("{at}/matchers/0/pack_ref"))],
    );
}

#[test]
fn packs_are_pinned_and_egress_is_read() {
    check("context_pack_ref: ctxpack.support\n", &[("D2820", "/context_pack_ref")]);
    check("context_pack_ref: ctxpack.support@1.0.0\n", &[]);
    check("egress: [{ host: \"*.acme.example\" }]\n", &[("D2821", "/egress/0/host")]);
    check("egress: [{ host: acme.example, methods: [get] }]\n", &[("D2821", "/egress/0/methods/0")]);
    check("egress: [{ endpoint: \"internal://orders\", paths: [\"/v1/*\"] }]\n", &[]);
}

#[test]
fn secrets_are_found_and_never_shown() {
    let sample = deed_detect::sample("github-classic-token", 7).unwrap();
    let secret = &sample.text[sample.secret.clone()];
    let text = lines(&format!("planning_guidance:\n  - use {secret}\n# {secret}\n"));
    let file = ProfileFile::read("team.yaml", text.as_bytes()).unwrap();
    let report = lint(&file, &ProfileFacts::default()).report;
    assert!(report.diagnostics().iter().any(|d| d.code.to_string() == "D2822"));
    let shown = format!("{}{}", report.render(deed_diag::Style::Plain), report.to_json());
    assert!(!shown.contains(secret), "{shown}");
}

#[test]
fn packs_that_phases_name_are_looked_up_where_the_caller_knows_them() {
    let phase = |pack: &str, mode: &str| {
        let text = format!(
            "profile_id: team\nversion: 1.0.0\nvalidation: {{ phases: {{ step_input: {{ pack_ref: {pack}, mode: {mode} }} }} }}\n"
        );
        let file = ProfileFile::read("team.yaml", text.as_bytes()).unwrap();
        let codes = |facts: ProfileFacts<'_>| -> Vec<String> {
            lint(&file, &facts).report.diagnostics().iter().map(|found| found.code.as_str().to_owned()).collect()
        };
        (
            codes(ProfileFacts { objects: Some(deed_profile::Objects::default()), ..ProfileFacts::default() }),
            codes(ProfileFacts::default()),
        )
    };
    let none: Vec<String> = Vec::new();
    assert_eq!(phase("valpack.operator.generic.step-input@v1", "block"), (none.clone(), none.clone()));
    assert_eq!(phase("valpack.operator.generic.step-inputs@v1", "block"), (vec!["D2902".to_owned()], none.clone()));
    assert_eq!(phase("valpack.operator.generic.final@v1", "report"), (vec!["D2903".to_owned()], none.clone()));
    assert_eq!(phase("valpack.operator.generic.final@v1", "'off'"), (none.clone(), none));
}
