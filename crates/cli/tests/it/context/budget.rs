//! Budgets that are too small, or for buckets that are not there.

use super::example::{compile, compiled, example, refused, vary};

#[test]
fn policy_is_never_dropped() {
    let p = example();
    vary(&p, "run.yaml", "tight.yaml", &[("policy: 1800", "policy: 10")]);
    let out = refused(&p, &compile(&["--run", "tight.yaml"]), 1, "D1515", "policy is never dropped");
    // What the help says is enough, and not a token more than enough.
    let needed: u64 = out.stderr.split("at least ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    vary(&p, "run.yaml", "enough.yaml", &[("policy: 1800", &format!("policy: {needed}"))]);
    p.ok(&compile(&["--run", "enough.yaml"]));
    vary(&p, "run.yaml", "short.yaml", &[("policy: 1800", &format!("policy: {}", needed - 1))]);
    refused(&p, &compile(&["--run", "short.yaml"]), 1, "D1515", "at least");
}

#[test]
fn the_head_comes_first() {
    let p = example();
    let run = std::fs::read_to_string(p.path("run.yaml")).unwrap();
    let total = |tokens: u64| {
        let lines = run.lines().map(|line| match line.trim_start().starts_with("bucket_tokens:") {
            true => format!("  bucket_tokens: {tokens}\n"),
            false => format!("{line}\n"),
        });
        p.write("total.yaml", lines.collect::<String>());
    };
    total(20);
    refused(&p, &compile(&["--run", "total.yaml"]), 1, "D1514", "the run has 20");
    total(9000);
    let report = compiled(&p, &["--run", "total.yaml"])["budget_report"].clone();
    let sum = |part: &str| report[part].as_object().unwrap().values().map(|v| v.as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("head_tokens") + sum("tokens_allocated"), 9000);
}

#[test]
fn buckets() {
    let p = example();
    vary(&p, "run.yaml", "misspelt.yaml", &[("evidence: 400", "evidnce: 400")]);
    refused(&p, &compile(&["--run", "misspelt.yaml"]), 1, "D1516", "did you mean `evidence`?");
    vary(&p, "run.yaml", "head.yaml", &[("evidence: 400", "task: 400")]);
    refused(&p, &compile(&["--run", "head.yaml"]), 1, "D1516", "`task` is not a bucket");
    vary(&p, "run.yaml", "less.yaml", &[("evidence: 400", "evidence: -400")]);
    refused(&p, &compile(&["--run", "less.yaml"]), 1, "D0207", "less.yaml");
}

#[test]
fn what_does_not_fit_is_named() {
    let p = example();
    vary(&p, "run.yaml", "tight.yaml", &[("evidence: 400", "evidence: 60")]);
    let out = p.ok(&compile(&["--run", "tight.yaml", "--evidence", "evidence.yaml"]));
    assert!(out.stdout.contains(" of 60  truncated\n"), "{}", out.stdout);
    assert!(out.stdout.contains("dropped    ev_") && out.stdout.contains("dropped: no room"), "{}", out.stdout);
    vary(&p, "run.yaml", "none.yaml", &[(" evidence: 400,", "")]);
    let out = p.ok(&compile(&["--run", "none.yaml", "--evidence", "evidence.yaml"]));
    assert!(out.stdout.contains("`bucket_tokens` leaves out `evidence`, which has none"), "{}", out.stdout);
}
