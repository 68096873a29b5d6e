//! Command lines that make no sense end with 2 and say why.

use super::example::example;

#[test]
fn arguments_that_are_missing_or_unknown() {
    let p = example();
    for (args, says) in [
        (&["plan"][..], "Usage: deed plan"),
        (&["plan", "chek"], "'check'"),
        (&["plan", "new"], "<NAME>"),
        (&["plan", "check"], "<PLAN>"),
        (&["plan", "check", "plan.yaml", "other.yaml"], "'other.yaml'"),
        (&["plan", "check", "plan.yaml", "--deny-warning"], "--deny-warnings"),
        (&["plan", "compile"], "<PLAN>"),
        (&["plan", "explain", "plan.yaml"], "<STEP>"),
        (&["plan", "diff", "plan.yaml"], "<AFTER>"),
        (&["plan", "graph", "plan.yaml", "--format", "png"], "possible values: mermaid, dot, svg"),
        (&["plan", "check", "plan.yaml", "--catalog"], "--catalog <DIR>"),
    ] {
        let out = p.run(args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}\n{}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}\n{}", out.stderr);
    }
}

#[test]
fn each_verb_has_help() {
    let p = example();
    let group = p.ok(&["plan", "--help"]).stdout;
    for verb in ["new", "check", "compile", "explain", "diff", "graph"] {
        assert!(group.contains(verb), "{group}");
        let out = p.ok(&["plan", verb, "--help"]);
        assert!(out.stdout.contains(&format!("Usage: deed plan {verb}")), "{}", out.stdout);
    }
}
