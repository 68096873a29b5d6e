//! Files that are no plans.

use super::example::{example, fed};

#[test]
fn files_that_are_not_read() {
    let p = example();
    std::fs::create_dir(p.path("folder")).unwrap();
    std::fs::create_dir(p.path("folder.yaml")).unwrap();
    std::fs::File::create(p.path("huge.yaml")).unwrap().set_len(40 * 1024 * 1024).unwrap();
    p.write("image.yaml", [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x00, 0xff]);
    p.write("cut.json", "{\"plan\": \"a\", ");
    p.write("cut.yaml", "plan: [a\n");
    p.write("cut", "plan: [a\n");
    p.write("twice.yaml", "plan: a\nplan: b\n");
    p.write("two.yaml", "plan: a\n---\nplan: b\n");
    p.write("deep.json", "[".repeat(100_000));
    for (file, exit, code, says) in [
        ("nowhere.yaml", 3, "D0001", "no such file"),
        ("nowhere", 3, "D0001", "no such file"),
        ("folder", 3, "D0001", "it is a folder"),
        ("folder.yaml", 3, "D0001", "it is a folder"),
        ("huge.yaml", 1, "D0101", "huge.yaml"),
        ("image.yaml", 1, "D0102", "not valid UTF-8"),
        ("cut.json", 1, "D0103", "malformed JSON"),
        ("cut.yaml", 1, "D0103", "malformed YAML"),
        ("cut", 1, "D0103", "malformed YAML"),
        ("deep.json", 1, "D0107", "deeper than 128 levels"),
    ] {
        for args in [&["check", file][..], &["compile", file], &["graph", file], &["explain", file, "report"]] {
            let out = p.refuses(&[&["plan"], args].concat(), exit, code, says);
            assert_eq!(out.stdout, "");
        }
    }
    p.refuses(&["plan", "diff", "cut.yaml", "plan.yaml"], 1, "D0103", "cut.yaml");
    p.refuses(&["plan", "diff", "plan.yaml", "cut.yaml"], 1, "D0103", "cut.yaml");
    assert_eq!(p.run(&["plan", "check", "twice.yaml"]).code, 1);
    assert_eq!(p.run(&["plan", "check", "two.yaml"]).code, 1);
}

#[test]
fn documents_that_are_no_plan() {
    let p = example();
    for (text, code, says) in [
        ("[]", "D0204", "must be an object"),
        ("null", "D0204", "must be an object"),
        ("\"plan\"", "D0204", "must be an object"),
        ("{}", "D0205", "`steps` is missing"),
        (r#"{"plan": "a", "mission": {"objective": "x"}, "steps": []}"#, "D1901", "the plan has no steps"),
        (r#"{"plan": "a", "mission": {"objective": "x"}, "steps": 7}"#, "D0204", "`steps`"),
        (
            r#"{"plan": "a", "mission": {"objective": " "}, "steps": [{"id": "s", "label": "l", "objective": "o"}]}"#,
            "D1908",
            "has no objective",
        ),
        (
            r#"{"plan": "A b", "mission": {"objective": "x"}, "steps": [{"id": "s", "label": "l", "objective": "o"}]}"#,
            "D1902",
            "is not a name",
        ),
        (r#"{"plan": "a", "mission": {"objective": "x"}, "setps": []}"#, "D0203", "did you mean `steps`?"),
        (
            r#"{"plan": "a", "mission": {"objective": "x"}, "steps": [{"id": "s", "label": "l", "objective": "o", "max_retries": 21}]}"#,
            "D02",
            "max_retries",
        ),
        (
            r#"{"plan": "a", "mission": {"objective": "x"}, "steps": [{"id": "s", "label": "l", "objective": "o", "budget": {"tool_calls": -1}}]}"#,
            "D02",
            "tool_calls",
        ),
        (r#"{"plan_hash": "sha256:00"}"#, "D1969", "cannot be read as a compiled plan"),
        (r#"{"plan_hash": null}"#, "D1969", "cannot be read as a compiled plan"),
    ] {
        p.write("p.json", text);
        let out = p.run(&["plan", "check", "p.json", "--lines"]);
        assert!(out.code == 1 && out.stdout.is_empty(), "{text}\n{}", out.stderr);
        assert!(out.stderr.contains(&format!("error[{code}")) && out.stderr.contains(says), "{text}\n{}", out.stderr);
    }
}

#[test]
fn standard_input() {
    let p = example();
    let plan = std::fs::read_to_string(p.path("plan.yaml")).unwrap();
    assert!(fed(&p, &["plan", "explain", "-", "report"], &plan).stdout.starts_with("report: Write the report"));
    assert_eq!(fed(&p, &["plan", "diff", "-", "plan.yaml"], &plan).stdout, "no difference\n");
    assert!(fed(&p, &["plan", "graph", "-"], &plan).stdout.starts_with("flowchart TD"));
    assert_eq!(fed(&p, &["plan", "check", "-"], "").code, 1);
    let out = fed(&p, &["plan", "check", "-", "--lines"], "{}");
    assert!(out.code == 1 && out.stderr.contains("<stdin>:1:1: error[D0205] `steps` is missing"), "{}", out.stderr);
}

/// Standard input that cannot be read is reported as a file would be.
#[test]
fn standard_input_that_cannot_be_read() {
    let p = example();
    let out = fed(&p, &["plan", "check", "-"], "plan: [a\n");
    assert!(out.code == 1 && out.stderr.contains("malformed YAML"), "{}", out.stderr);
    let out = fed(&p, &["plan", "check", "-"], vec![b' '; 33 * 1024 * 1024]);
    assert!(out.code == 1 && out.stderr.contains("[D0101]"), "{}", out.stderr);
}
