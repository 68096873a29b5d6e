//! `deed profile` and `deed prompt` at the shell.

use crate::common::Project;
use serde_json::{Value, json};

const LEAST: &str = "profile_id: team\nversion: 1.0.0\nissuer: acme\n";

#[test]
fn a_new_profile_passes_lint_and_is_explained() {
    let p = Project::bare();
    let written = p.json(&["profile", "new", "team-default"]);
    assert_eq!(written["data"]["file"], "team-default.profile.yaml");
    let linted = p.json(&["profile", "lint", "team-default.profile.yaml", "--deny-warnings"]);
    assert_eq!(linted["data"]["passed"], true);
    assert_eq!(linted["diagnostics"], json!([]));
    let explained = p.json(&["profile", "explain", "./team-default.profile.yaml"]);
    assert_eq!(explained["data"]["profile_ref"], "team-default@0.1.0");
    assert_eq!(explained["data"]["profile_hash"], linted["data"]["content_hash"]);
    let thinking = "operator_planner.pass_a/thinking_budget_tokens";
    let values = explained["data"]["values"].as_array().unwrap();
    let row = values.iter().find(|row| row["key"] == thinking).unwrap();
    assert_eq!((&row["value"], &row["level"]), (&json!(4096), &json!("profile")));
    p.refuses(&["profile", "new", "team-default"], 1, "D0006", "there already");
    p.refuses(&["profile", "new", "Team"], 2, "D0015", "`Team`");
}

#[test]
fn a_bad_profile_is_refused_with_every_finding() {
    let p = Project::bare();
    p.write("team.yaml", format!("{LEAST}budgets: {{ max_stepz: 3 }}\ncontext_pack_ref: ctxpack.support\n"));
    let ran = p.refuses(&["profile", "lint", "team.yaml"], 1, "D0203", "max_stepz");
    assert!(ran.stderr.contains("D2820") && ran.stderr.contains("did you mean `max_steps`?"), "{}", ran.stderr);
    p.refuses(&["profile", "explain", "./team.yaml"], 1, "D2820", "ctxpack.support");
    p.refuses(&["profile", "explain", "strict-complience"], 1, "D2824", "did you mean `strict-compliance`?");
    p.refuses(&["profile", "show", "./nowhere.yaml"], 3, "D0001", "nowhere.yaml");
}

#[test]
fn a_profile_with_a_secret_is_not_shown() {
    let p = Project::bare();
    let sample = deed_detect::sample("github-classic-token", 3).unwrap();
    let secret = sample.text.get(sample.secret.clone()).unwrap();
    p.write("team.yaml", format!("{LEAST}summary: {secret}\n"));
    for args in [
        &["profile", "show", "./team.yaml"][..],
        &["profile", "explain", "./team.yaml"],
        &["profile", "lint", "team.yaml"],
    ] {
        let ran = p.refuses(args, 1, "D2822", "secret");
        assert!(!ran.stdout.contains(secret) && !ran.stderr.contains(secret), "{args:?}");
    }
}

#[test]
fn a_money_budget_is_held_against_a_price_table() {
    let p = Project::bare();
    p.write(
        "team.yaml",
        format!(
            "{LEAST}budgets: {{ money_micros: 9 }}\ndefault_binding: {{ model_binding_ref: \"openai:gpt-5.2\" }}\n"
        ),
    );
    p.write("prices.yaml", "models: { \"openai:gpt-5.2\": {} }\n");
    p.write("other.yaml", "models: {}\n");
    p.ok(&["profile", "lint", "team.yaml", "--prices", "prices.yaml", "--deny-warnings"]);
    p.refuses(&["profile", "lint", "team.yaml", "--prices", "other.yaml"], 1, "D2817", "no price");
    p.refuses(&["profile", "lint", "team.yaml", "--deny-warnings"], 1, "D2817", "not checked");
    // A price of zero would bind nothing, unless it is meant.
    let zero =
        |free: &str| format!("format: 1\nmodels:\n  - {{ model: \"openai:gpt-5.2\", input: 0, output: 7{free} }}\n");
    p.write("zero.yaml", zero(""));
    let refused = p.refuses(&["profile", "lint", "team.yaml", "--prices", "zero.yaml"], 1, "D2830", "is zero");
    assert!(refused.stderr.contains("zero.yaml:3") && refused.stderr.contains("free: true"), "{}", refused.stderr);
    p.write("zero.yaml", zero(", free: true"));
    p.ok(&["profile", "lint", "team.yaml", "--prices", "zero.yaml", "--deny-warnings"]);
    p.write("zero.yaml", "models: { \"openai:gpt-5.2\": { output: 0 } }\n");
    p.refuses(&["profile", "lint", "team.yaml", "--prices", "zero.yaml"], 1, "D2830", "the output price");
}

#[test]
fn prompts_are_listed_and_shown_with_those_of_a_profile() {
    let p = Project::bare();
    p.write("team.yaml", format!("{LEAST}prompts: [{{ prompt_ref: acme.brief@v2, text: \"Be brief.\" }}]\n"));
    let listed = p.json(&["prompt", "list", "--profile", "./team.yaml"]);
    let listed = listed["data"].as_array().unwrap().clone();
    assert_eq!(listed.len(), 15);
    assert_eq!(listed.last().unwrap()["origin"], "profile");
    let shown = p.json(&["prompt", "show", "acme.brief", "--profile", "./team.yaml"]);
    assert_eq!(shown["data"]["prompt"]["prompt_ref"], "acme.brief@v2");
    p.refuses(&["prompt", "show", "acme.brief@v2"], 1, "D2810", "acme.brief@v2");
    p.refuses(&["prompt", "show", "Acme"], 1, "D2809", "Acme");
}

#[test]
fn effective_values_name_what_they_override() {
    let p = Project::bare();
    p.write("governed.yaml", "window_size: 2\nlimits: { tool_calls: 7 }\n");
    p.write("workspace.yaml", "window_size: 3\nlimits: { tool_calls: 9 }\n");
    p.write("team.yaml", format!("{LEAST}budgets: {{ tool_calls: 20 }}\n"));
    let args = ["profile", "explain", "./team.yaml", "--settings", "governed.yaml", "--workspace", "workspace.yaml"];
    let explained = p.json(&args);
    let values = explained["data"]["values"].as_array().unwrap();
    let row = |key: &str| -> Value { values.iter().find(|row| row["key"] == key).unwrap().clone() };
    assert_eq!(row("window_size")["overrides"], json!(["governed_settings: 2", "built_in: 4"]));
    assert_eq!(
        (row("power/tool_calls")["value"].clone(), row("power/tool_calls")["level"].clone()),
        (json!(7), json!("governed_settings"))
    );
    assert_eq!(explained["diagnostics"][0]["code"], "D2823");
    p.write("workspace.yaml", "limitz: {}\n");
    p.refuses(&args, 1, "D0203", "limitz");
}
