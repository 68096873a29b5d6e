//! `deed plan diff`: nothing, or what breaks, what tightens, and what makes no difference.

use super::example::{changed, example};

#[test]
fn equal_plans() {
    let p = example();
    changed(&p, "same.yaml", &[("# How strictly contracts are held", "# Another comment")]);
    for other in ["plan.yaml", "same.yaml"] {
        let out = p.ok(&["plan", "diff", "plan.yaml", other]);
        assert_eq!((out.stdout.as_str(), out.stderr.as_str()), ("no difference\n", ""));
    }
    let answer = p.json(&["plan", "diff", "plan.yaml", "same.yaml"]);
    assert_eq!((&answer["ok"], answer["data"]["changes"].as_array().unwrap().len()), (&true.into(), 0));
}

#[test]
fn each_class_and_its_exit_code() {
    let p = example();
    let schema = "exists and matches its schema";
    changed(&p, "words.yaml", &[("label: Write the report", "label: Write a report")]);
    changed(&p, "more.yaml", &[(schema, "exists and matches its schema and has at least 1 row")]);
    changed(
        &p,
        "gone.yaml",
        &[
            ("output/report.html\n        role: primary", "output/summary.html\n        role: primary"),
            ("output/report.html exists", "output/summary.html exists"),
            ("output/report.html exists", "output/summary.html exists"),
        ],
    );
    for (before, after, class, exit) in [
        ("plan.yaml", "words.yaml", "compatible", 0),
        ("plan.yaml", "more.yaml", "tightening", 0),
        ("more.yaml", "plan.yaml", "breaking", 1),
        ("plan.yaml", "gone.yaml", "breaking", 1),
    ] {
        let out = p.run(&["plan", "diff", before, after, "--json"]);
        assert_eq!(out.code, exit, "{before} {after}\n{}", out.stdout);
        let answer: serde_json::Value = serde_json::from_str(&out.stdout).unwrap();
        assert_eq!((&answer["data"]["class"], &answer["ok"]), (&class.into(), &(exit == 0).into()));
        for change in answer["data"]["changes"].as_array().unwrap() {
            assert!(change["what"].as_str().is_some_and(|what| !what.is_empty()) && change["at"].is_string());
        }
    }
    let out = p.run(&["plan", "diff", "plan.yaml", "gone.yaml"]);
    assert!(out.stdout.contains("breaking    report: `output/report.html` is no longer delivered"), "{}", out.stdout);
}

/// The worst comes first.
#[test]
fn in_the_order_of_what_matters() {
    let p = example();
    changed(
        &p,
        "b.yaml",
        &[
            ("label: Compare hours", "label: Compare all hours"),
            ("exists and matches its schema", "exists and has at least 1 row"),
        ],
    );
    let out = p.run(&["plan", "diff", "plan.yaml", "b.yaml"]);
    let classes: Vec<&str> = out.stdout.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!((out.code, classes), (1, vec!["breaking", "tightening", "compatible"]), "{}", out.stdout);
}

/// A plan that does not compile cannot be compared, whichever of the two it is.
#[test]
fn plans_that_do_not_compile() {
    let p = example();
    changed(&p, "bad.yaml", &[("depends_on: [compare]", "depends_on: [report]")]);
    for pair in [["bad.yaml", "plan.yaml"], ["plan.yaml", "bad.yaml"]] {
        let out = p.refuses(&[&["plan", "diff"], &pair[..]].concat(), 1, "D1904", "depends on itself");
        assert_eq!(out.stdout, "");
    }
}
