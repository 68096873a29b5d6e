//! Command lines that make no sense end with 2 and say why.

use super::example::tally;

#[test]
fn arguments_that_are_missing_or_unknown() {
    let p = tally();
    let run = |more: &[&'static str]| [&["run", "--plan", "tally.yaml"], more].concat();
    for (args, says) in [
        (vec!["run"], "<PLAN>"),
        (run(&["--from", "one"]), "--step <STEP>"),
        (run(&["--step", "add"]), "--from <RUN>"),
        (run(&["--parallel", "0"]), "1..=256"),
        (run(&["--parallel", "many"]), "'many'"),
        (run(&["--gate-seconds", "0"]), "1..=315360000"),
        (run(&["--gate-seconds", "315360001"]), "1..=315360000"),
        (run(&["--gate-seconds", "999999999999"]), "1..=315360000"),
        (run(&["--aprove", "clerk"]), "--approve"),
        (vec!["runs"], "Usage: deed runs"),
        (vec!["runs", "resum"], "'resume'"),
        (vec!["runs", "show"], "<RUN>"),
        (vec!["runs", "events", "one", "--kind", "egres"], "'egress'"),
        (vec!["artifacts", "export", "one"], "--out <DIR>"),
        (vec!["receipts", "verify"], "<RUN>"),
        (vec!["journal", "check"], "'check'"),
        (vec!["sandbox", "plan", "tally.yaml"], "<STEP>"),
    ] {
        let out = p.run(&args);
        assert_eq!((out.code, out.stdout.as_str()), (2, ""), "{args:?}\n{}", out.stderr);
        assert!(out.stderr.contains(says), "{args:?}\n{}", out.stderr);
    }
}

/// Programs and logs read one line, which names what is missing.
#[test]
fn a_usage_error_in_one_line_names_the_arguments() {
    let p = tally();
    for (args, says) in [
        (vec!["runs", "show"], "the following required arguments were not provided: <RUN>"),
        (vec!["sandbox", "plan"], "the following required arguments were not provided: <PLAN>, <STEP>"),
        (vec!["runs", "resum"], "unrecognized subcommand 'resum'"),
    ] {
        let diagnostic = &p.json(&args)["diagnostics"][0];
        assert_eq!(diagnostic["message"], says);
        let out = p.run(&[&args[..], &["--lines"]].concat());
        assert_eq!((out.code, out.stderr.lines().count()), (2, 1), "{}", out.stderr);
        assert!(out.stderr.starts_with(&format!("error[D0019] {says} (help: ")), "{}", out.stderr);
    }
    let help = p.json(&["runs", "resum"])["diagnostics"][0]["help"].clone();
    assert_eq!(help, "a similar subcommand exists: 'resume'; see `--help`");
}

#[test]
fn each_verb_has_help() {
    let p = tally();
    let help = p.ok(&["run", "--help"]).stdout;
    assert!(help.contains("Usage: deed run [OPTIONS] <PLAN>") && !help.contains("[PLAN]"), "{help}");
    for (group, verbs) in [
        ("runs", &["list", "show", "events", "resume", "cancel"][..]),
        ("gate", &["list", "show", "approve", "reject"]),
        ("artifacts", &["list", "export"]),
        ("receipts", &["show", "verify"]),
        ("journal", &["verify"]),
        ("sandbox", &["probe", "plan"]),
    ] {
        let help = p.ok(&[group, "--help"]).stdout;
        for verb in verbs {
            assert!(help.contains(verb), "{help}");
            let out = p.ok(&[group, verb, "--help"]);
            assert!(out.stdout.contains(&format!("Usage: deed {group} {verb}")), "{}", out.stdout);
        }
    }
}
