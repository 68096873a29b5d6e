//! `deed plan explain`: why a step is bound as it is.

use super::example::{changed, example};

#[test]
fn a_step() {
    let p = example();
    let out = p.ok(&["plan", "explain", "plan.yaml", "compare"]);
    for part in [
        "compare: Compare hours with invoice lines\n",
        "in sandbox.session: a model writes the code",
        "from the mission, which is given input/time.csv",
        "by csv_to_json_rows.v1, which loses only what the declared types give back",
        "read by step `report` as findings",
        "under strict.allow-normalizers.v1",
        "tool calls      70 = 7 attempts × 10",
        "sha256:",
    ] {
        assert!(out.stdout.contains(part), "{part}\n{}", out.stdout);
    }
    assert!(out.stdout.lines().all(|line| line.chars().count() <= 100), "it fits a page");
}

#[test]
fn an_adapter_that_was_put_in() {
    let p = example();
    let out = p.ok(&["plan", "explain", "plan.yaml", "adapt:input/time.csv:csv_to_json_rows.v1"]);
    assert!(out.stdout.contains("the adapter `csv_to_json_rows.v1`, which the compiler put in"), "{}", out.stdout);
    assert!(out.stdout.contains("work/adapted/"), "{}", out.stdout);
}

#[test]
fn as_json() {
    let p = example();
    let answer = p.json(&["plan", "explain", "plan.yaml", "report"]);
    assert!(answer["ok"] == true && answer["data"].is_object(), "{answer}");
    assert!(answer["data"].to_string().contains("gives exactly this profile"), "{answer}");
}

#[test]
fn a_step_that_is_not_there() {
    let p = example();
    p.refuses(&["plan", "explain", "plan.yaml", "reprot"], 1, "D1971", "did you mean `report`?");
    p.refuses(&["plan", "explain", "plan.yaml", ""], 1, "D1971", "the plan has no step");
    p.refuses(&["plan", "explain", "plan.yaml", "\u{1b}[31mx"], 1, "D1971", "the plan has no step");
}

/// Errors of a plan are reported before any step is explained.
#[test]
fn a_plan_that_does_not_compile() {
    let p = example();
    changed(&p, "bad.yaml", &[("depends_on: [compare]", "depends_on: []")]);
    p.refuses(&["plan", "explain", "bad.yaml", "compare"], 1, "D1940", "would fit: add it to `depends_on`");
}
