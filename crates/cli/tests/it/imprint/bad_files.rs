//! Files that are missing, or that do not hold what they must.

use super::example::{TEXT, turned_down};
use crate::common::Project;

/// A sound schema and filled template, and files that are neither.
fn files() -> Project {
    let p = Project::bare();
    p.write("good.json", TEXT);
    p.write("filled.json", r#"{"a": "x"}"#);
    p.write("bytes.json", [0x00, 0x01, 0xff, 0xfe]);
    p.write("empty.json", "");
    p.write("blank.json", " \n\n");
    p.write("twice.json", r#"{"type": "object", "type": "string"}"#);
    p.write("twice.yaml", "type: object\ntype: string\n");
    p.write("cut.json", r#"{"type": "obj"#);
    std::fs::create_dir(p.path("folder")).unwrap();
    p
}

#[test]
fn schemas_that_cannot_be_read() {
    let p = files();
    for (file, exit, code, says) in [
        ("nowhere.json", 3, "D0001", "no such file"),
        ("folder", 3, "D0001", "it is a folder"),
        ("bytes.json", 1, "D1630", "not UTF-8"),
        ("empty.json", 1, "D1630", "the document is empty"),
        ("blank.json", 1, "D1630", "the document is empty"),
        ("twice.json", 1, "D1630", "the key `type` stands twice"),
        ("twice.yaml", 1, "D1630", "the key `type` stands twice"),
        ("cut.json", 1, "D1630", "line 1"),
    ] {
        for args in [
            &["template", file][..],
            &["operations", file],
            &["lower", file, "filled.json"],
            &["fill", file, "filled.json"],
        ] {
            let out = turned_down(&p, args, exit, code, says);
            assert!(out.stderr.contains(&format!("--> {file}")), "{}", out.stderr);
        }
    }
}

#[test]
fn filled_templates_that_cannot_be_read() {
    let p = files();
    for (file, exit, code) in [
        ("nowhere.json", 3, "D0001"),
        ("folder", 3, "D0001"),
        ("bytes.json", 1, "D0102"),
        ("empty.json", 1, "D0103"),
        ("twice.json", 1, "D0104"),
        ("cut.json", 1, "D0103"),
    ] {
        for verb in ["lower", "fill"] {
            turned_down(&p, &[verb, "good.json", file], exit, code, file);
        }
        turned_down(&p, &["join", file], exit, code, file);
    }
}

/// With `--json` a refusal is a document too.
#[test]
fn refusals_as_json() {
    let p = files();
    for (args, exit, code) in [
        (&["imprint", "template", "nowhere.json"][..], 3, "D0001"),
        (&["imprint", "template", "twice.json"], 1, "D1630"),
        (&["imprint", "operations", "good.json"], 1, "D1602"),
        (&["imprint", "join", "filled.json", "--section", "x"], 2, "D1636"),
    ] {
        let document = p.json(args);
        assert_eq!((&document["ok"], &document["data"]), (&false.into(), &serde_json::Value::Null));
        assert_eq!(document["diagnostics"][0]["code"], code);
        assert_eq!(p.run(&[args, &["--json"]].concat()).code, exit);
    }
}
