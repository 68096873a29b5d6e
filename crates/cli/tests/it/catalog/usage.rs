//! Command lines that make no sense end with 2 and say why.

use crate::common::Project;

#[test]
fn arguments_that_are_missing_or_unknown() {
    let p = Project::bare();
    for (args, says) in [
        (&["catalog"][..], "Usage: deed catalog"),
        (&["catalog", "lst"], "'list'"),
        (&["catalog", "list", "pakcs"], "'packs'"),
        (&["catalog", "show"], "<NAME>"),
        (&["catalog", "lint"], "<FOLDER>"),
        (&["catalog", "new", "domain"], "<NAME>"),
        (&["catalog", "new", "claims", "x"], "possible values: domain, workflow"),
        (&["catalog", "add"], "<FOLDER>"),
        (&["catalog", "adapt", "csv_to_tsv.v1"], "<FILE>..."),
        (&["catalog", "adapt"], "<ADAPTER>"),
        (&["catalog", "list", "--catalog"], "--catalog <DIR>"),
    ] {
        let out = p.run(args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}\n{}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}\n{}", out.stderr);
    }
}

#[test]
fn each_verb_has_help() {
    let p = Project::bare();
    let group = p.ok(&["catalog", "--help"]).stdout;
    for verb in ["list", "show", "lint", "new", "add", "adapt"] {
        assert!(group.contains(verb), "{group}");
        let out = p.ok(&["catalog", verb, "--help"]);
        assert!(out.stdout.contains(&format!("Usage: deed catalog {verb}")), "{}", out.stdout);
    }
}
