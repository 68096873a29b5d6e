//! Command lines that make no sense end with 2 and say why.

use super::example::example;

#[test]
fn arguments_that_are_missing_or_unknown() {
    let p = example();
    for (args, says) in [
        (&["ladder"][..], "Usage: deed ladder"),
        (&["ladder", "clmb"], "'climb'"),
        (&["ladder", "climb", "answer.txt"], "--contract <CONTRACT>"),
        (&["ladder", "climb", "--contract", "order.contract.yaml"], "<PAYLOAD>"),
        (&["ladder", "climb", "--contract", "order.contract.yaml", "a", "b"], "'b'"),
        (&["ladder", "climb", "--contract", "order.contract.yaml", "--phase", "step_outptu", "a"], "'step_output'"),
        (&["ladder", "climb", "--contract", "order.contract.yaml", "--phase", "stepOutput", "a"], "possible values"),
        (&["ladder", "climb", "--contract", "order.contract.yaml", "--proposal", "a", "b"], "--proposals"),
        (&["ladder", "check"], "<CONTRACT>"),
        (&["ladder", "undo", "payload.json"], "--report <FILE>"),
        (&["ladder", "undo", "--redo", "--report", "report.json"], "<PAYLOAD>"),
        (&["ladder", "map", "doc.json"], "--from <SCHEMA_A>"),
        (&["ladder", "map", "--from", "shop.schema.json", "doc.json"], "--to <SCHEMA_B>"),
        (&["ladder", "map", "--from", "shop.schema.json", "--to", "invoice.schema.json"], "<DOC>"),
    ] {
        let out = p.run(args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}\n{}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}\n{}", out.stderr);
    }
}

#[test]
fn each_verb_has_help() {
    let p = example();
    for verb in ["climb", "check", "undo", "map"] {
        let out = p.ok(&["ladder", verb, "--help"]);
        assert!(out.stdout.contains(&format!("Usage: deed ladder {verb}")), "{}", out.stdout);
    }
    let group = p.ok(&["ladder", "--help"]).stdout;
    assert!(["climb", "check", "undo", "map"].iter().all(|verb| group.contains(verb)), "{group}");
}
