//! `deed plan check`: what it says of good plans, of plans with remarks, and of plans with several mistakes.

use super::example::{changed, codes, example, fed};
use std::path::Path;

#[test]
fn a_plan_that_compiles() {
    let p = example();
    let out = p.ok(&["plan", "check", "plan.yaml"]);
    assert_eq!(out.stdout, "audit: 2 steps, 2 adapters inserted, 0 gates; bindings: 1 exact, 2 by adapter\n");
    let answer = p.json(&["plan", "check", "plan.yaml"]);
    assert_eq!((&answer["ok"], answer["diagnostics"].as_array().unwrap().len()), (&true.into(), 0));
    let data = &answer["data"];
    assert_eq!((&data["steps"], &data["adapters"], &data["gates"]), (&2.into(), &2.into(), &0.into()));
    let ranks = serde_json::json!({ "exact": 1, "accepted_kind": 0, "by_adapter": 2, "generic": 0 });
    assert_eq!(data["bindings"], ranks);
    assert!(data["plan_hash"].as_str().unwrap().starts_with("sha256:"));
}

#[test]
fn the_examples_compile() {
    let p = example();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans");
    for name in ["billing-audit", "resume-screening", "website-build"] {
        let path = root.join(name).join("plan.yaml");
        // They need capabilities that this runtime does not have, and nothing else is found.
        let out = p.ok(&["plan", "check", path.to_str().unwrap(), "--lines"]);
        assert!(out.stdout.starts_with(&format!("{name}: ")), "{}", out.stdout);
        assert!(
            !out.stderr.is_empty() && out.stderr.lines().all(|line| line.contains("warning[D1980]")),
            "{}",
            out.stderr
        );
    }
}

/// YAML or JSON, under any name or from standard input: one plan.
#[test]
fn in_every_form() {
    let p = example();
    let yaml = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    let said = p.ok(&["plan", "check", "plan.yaml"]).stdout;
    let hash = |args: &[&str]| p.json(args)["data"]["plan_hash"].clone();
    let first = hash(&["plan", "check", "plan.yaml"]);
    for name in ["plan", "plan.txt"] {
        p.write(name, &yaml);
        assert_eq!(hash(&["plan", "check", name]), first, "{name}");
    }
    let document = deed_diag::Document::read("plan.yaml", yaml.as_bytes(), deed_diag::Format::Yaml).unwrap();
    let json = document.value().to_string();
    p.write("plan.json", &json);
    assert_eq!(hash(&["plan", "check", "plan.json"]), first);
    for text in [yaml.as_str(), &json] {
        let out = fed(&p, &["plan", "check", "-"], text);
        assert_eq!((out.code, out.stdout.as_str()), (0, said.as_str()), "{}", out.stderr);
    }
}

/// A remark refuses nothing, unless it is asked to.
#[test]
fn warnings() {
    let p = example();
    changed(&p, "w.yaml", &[("objective_words: report what is wrong", "objective_words: report what is right")]);
    let out = p.ok(&["plan", "check", "w.yaml", "--lines"]);
    assert!(out.stderr.contains("w.yaml:57:22: warning[D1910]"), "{}", out.stderr);
    assert!(out.stdout.starts_with("audit: 2 steps"));
    let out =
        p.refuses(&["plan", "check", "w.yaml", "--deny-warnings"], 1, "D1910", "is not in the mission's objective");
    assert_eq!(out.stdout, "");
    let answer = p.json(&["plan", "check", "w.yaml", "--deny-warnings"]);
    assert_eq!((&answer["ok"], codes(&answer)), (&false.into(), vec!["D1910"]));
}

/// All mistakes are told, each at its place.
#[test]
fn everything_that_is_wrong() {
    let p = example();
    changed(
        &p,
        "bad.yaml",
        &[
            ("domain_pack_ids: [billing-audit]", "domain_pack_ids: [billing-audit, billing-adit]"),
            ("strict.allow-normalizers.v1", "strict.allow-normalisers.v1"),
            ("path: input/time.csv", "path: time.csv"),
            ("depends_on: [compare]", "depends_on: [compare, comprae]"),
            ("output/report.html exists and is valid html\n\n", "output/report.html is lovely\n\n"),
        ],
    );
    let out = p.run(&["plan", "check", "bad.yaml", "--lines"]);
    assert_eq!(out.code, 1);
    for (code, help) in [
        ("D1912", "did you mean `billing-audit`?"),
        ("D1914", "did you mean `strict.allow-normalizers.v1`?"),
        ("D1939", "move it to `input/time.csv`"),
        ("D1905", "did you mean `compare`?"),
        ("D1962", "… has at least N rows"),
    ] {
        let told =
            out.stderr.lines().find(|line| line.contains(code)).unwrap_or_else(|| panic!("{code}\n{}", out.stderr));
        assert!(told.starts_with("bad.yaml:") && told.contains(help), "{told}");
    }
    assert_eq!(out.stderr.lines().count(), 5, "one mistake is told once\n{}", out.stderr);
    let answer = p.json(&["plan", "check", "bad.yaml"]);
    assert_eq!((&answer["ok"], &answer["data"]), (&false.into(), &serde_json::Value::Null));
    for found in answer["diagnostics"].as_array().unwrap() {
        assert!(found["location"]["pointer"].as_str().is_some_and(|at| !at.is_empty()), "{found}");
    }
}

/// A finding shows its place, the other side, the words it came from, and the way out.
#[test]
fn a_finding_in_full() {
    let p = example();
    changed(
        &p,
        "bad.yaml",
        &[(
            "accepted_kind_keys: [table.json_rows]\n    abstract_outputs:\n      - slot: report",
            "accepted_kind_keys: [report.pdf]\n    abstract_outputs:\n      - slot: report",
        )],
    );
    let out = p.run(&["plan", "check", "bad.yaml"]);
    assert_eq!(out.code, 1);
    for part in [
        "error[D1944]: step `report`: input `findings` accepts `report.pdf`, step `compare` gives `table.json_rows`",
        "accepted_kind_keys: [report.pdf]",
        "given here",
        "for these words of the objective",
        "and no adapters lead from one to the other",
        "= help: let the producer give `report.pdf`",
    ] {
        assert!(out.stderr.contains(part), "{part}\n{}", out.stderr);
    }
}

/// Each code that a plan can be refused with has a page.
#[test]
fn codes_are_explained() {
    let p = example();
    for code in ["D1900", "D1904", "D1909", "D1936", "D1943", "D1958", "D1966", "D1969", "D1970", "D1971"] {
        assert!(p.ok(&["explain", code]).stdout.contains(code));
    }
}

#[test]
fn errors_are_counted_at_the_end() {
    let p = example();
    let yaml = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    p.write("wrong.yaml", yaml.replace("billing.time_entry", "billing.tim_entry"));
    let out = p.run(&["plan", "check", "wrong.yaml"]);
    let count = out.stderr.matches("\nerror[").count() + usize::from(out.stderr.starts_with("error["));
    assert!(count > 1 && out.stderr.ends_with(&format!("\n{count} errors\n")), "{}", out.stderr);
    // An entity that is like no other is one to be written.
    p.write("other.yaml", yaml.replace("billing.time_entry", "acme.shift"));
    let out = p.run(&["plan", "check", "other.yaml", "--lines"]);
    let help = "error[D1916] no entity is called `acme.shift` (help: `deed catalog infer FILE --plan` writes an entity";
    assert!(out.stderr.contains(help) && !out.stderr.contains("errors\n"), "{}", out.stderr);
}
