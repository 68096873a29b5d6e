//! `deed catalog adapt`: adapters on good files and on hostile ones.

use super::example::example;
use super::zip::{Entry, archive};
use crate::common::Project;
use serde_json::Value;

fn tables() -> Project {
    let p = example();
    p.write("claims.csv", "claim_id,claimed\nc1,12.50\nc2,7\n");
    p.write("rows.json", r#"[{"k":"a","n":1},{"k":"b","n":5},{"k":"a","n":2.5}]"#);
    p
}

fn rows(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn to_stdout_and_to_a_file() {
    let p = tables();
    let out = p.ok(&["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv"]);
    assert_eq!(
        rows(&out.stdout),
        serde_json::json!([{"claim_id": "c1", "claimed": "12.50"}, {"claim_id": "c2", "claimed": "7"}])
    );
    assert!(out.stderr.contains("2 rows"), "{}", out.stderr);
    let told = p.ok(&["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv", "--out", "out.json"]);
    assert_eq!(told.stdout, "");
    assert_eq!(std::fs::read_to_string(p.path("out.json")).unwrap(), out.stdout);
    let answer = p.json(&["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv", "--out", "out.json"]);
    assert_eq!((&answer["data"]["rows"], &answer["data"]["adapter"]), (&2.into(), &"csv_to_json_rows.v1".into()));
    assert_eq!(answer["data"]["bytes"], out.stdout.len());
}

/// With an entity of one's own, columns have types, and go there and back.
#[test]
fn by_the_types_of_an_entity() {
    let p = tables();
    let typed = ["--entity", "insurance.claim", "--catalog", "claims"];
    let out = p.ok(&[&["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv"], &typed[..]].concat());
    assert_eq!(
        rows(&out.stdout),
        serde_json::json!([{"claim_id": "c1", "claimed": 12.5}, {"claim_id": "c2", "claimed": 7}])
    );
    p.write("typed.json", &out.stdout);
    p.ok(&[&["catalog", "adapt", "json_rows_to_parquet.v1", "typed.json", "--out", "t.parquet"], &typed[..]].concat());
    let back = p.ok(&[&["catalog", "adapt", "parquet_to_json_rows.v1", "t.parquet"], &typed[..]].concat());
    assert_eq!(rows(&back.stdout), rows(&out.stdout));
    p.write("wrong.csv", "claim_id,claimed\nc1,much\n");
    let args = [&["catalog", "adapt", "csv_to_json_rows.v1", "wrong.csv"], &typed[..]].concat();
    p.refuses(&args, 1, "D1822", "(type)");
    p.refuses(
        &["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv", "--entity", "insurance.clam"],
        1,
        "D1819",
        "insurance.clam",
    );
}

#[test]
fn groups_and_joins() {
    let p = tables();
    let group = ["catalog", "adapt", "json_rows_to_aggregated_rows.v1", "rows.json", "--key", "k"];
    let out = p.ok(&[&group[..], &["--measure", "total=sum(n)", "--measure", "most=max(n)"]].concat());
    assert_eq!(
        rows(&out.stdout),
        serde_json::json!([{"k": "a", "total": 3.5, "most": 2.5}, {"k": "b", "total": 5, "most": 5}])
    );
    p.write("names.json", r#"[{"k":"a","name":"Acme"}]"#);
    let out = p.ok(&["catalog", "adapt", "joined_rows.v1", "rows.json", "names.json", "--key", "k"]);
    assert!(out.stdout.contains(r#""name":"Acme""#), "{}", out.stdout);
    for measure in ["total=avg(n)", "=sum(n)", ""] {
        p.refuses(&[&group[..], &["--measure", measure]].concat(), 2, "D1823", "is not a measure");
    }
    p.refuses(&["catalog", "adapt", "joined_rows.v1", "rows.json", "names.json"], 2, "D1822", "(settings)");
    p.refuses(
        &["catalog", "adapt", "joined_rows.v1", "rows.json", "--key", "k"],
        2,
        "D1822",
        "reads 2 inputs and was given 1",
    );
}

#[test]
fn markdown_becomes_harmless_html() {
    let p = tables();
    p.write("m.md", "# Hi\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src=x onerror=alert(1)>\n");
    let out = p.ok(&["catalog", "adapt", "markdown_to_html.v1", "m.md"]);
    assert!(
        out.stdout.contains("<h1>Hi</h1>") && !out.stdout.contains("<script") && !out.stdout.contains("<img"),
        "{}",
        out.stdout
    );
    assert!(!out.stdout.contains("href=\"javascript"), "{}", out.stdout);
}

#[test]
fn adapters_and_files_that_are_not_there() {
    let p = tables();
    p.refuses(
        &["catalog", "adapt", "csv_to_jsn_rows.v1", "claims.csv"],
        1,
        "D1819",
        "did you mean `csv_to_json_rows.v1`?",
    );
    p.refuses(&["catalog", "adapt", "csv_to_json_rows.v1", "nowhere.csv"], 3, "D0001", "no such file");
    p.refuses(
        &["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv", "--out", "claims"],
        3,
        "D0002",
        "cannot write it",
    );
    p.refuses(
        &["catalog", "adapt", "csv_to_json_rows.v1", "claims.csv", "--out", "no/such/x"],
        3,
        "D0002",
        "cannot write it",
    );
    p.refuses(&["catalog", "adapt", "csv_to_json_rows.v1", "claims"], 3, "D0001", "it is a folder");
}

/// A refused input leaves no output, and an older output as it was.
#[test]
fn hostile_texts() {
    let p = tables();
    p.write("kept", "before");
    let deep = "[".repeat(100_000);
    let wide: String = vec!["c"; 3_000].join(",");
    for (adapter, text, kind) in [
        ("csv_to_json_rows.v1", b"a,b\n1\n".as_slice(), "ragged"),
        ("csv_to_json_rows.v1", b"a,a\n1,2\n", "header"),
        ("csv_to_json_rows.v1", b"", "header"),
        ("csv_to_json_rows.v1", b"a\n\xff\xfe\n", "encoding"),
        ("csv_to_json_rows.v1", wide.as_bytes(), "limit"),
        ("json_rows_to_csv.v1", br#"[{"a":1,"a":2}]"#, "duplicate_key"),
        ("json_rows_to_csv.v1", br#"[{"a":{"b":1}}]"#, "nested"),
        ("json_rows_to_csv.v1", br#"[{"a":1}"#, "syntax"),
        ("json_rows_to_csv.v1", deep.as_bytes(), ""),
        ("yaml_to_json.v1", b"a: &a [x, x]\nb: [*a, *a]\n", "unsupported"),
        ("yaml_to_json.v1", b"a: 1\na: 2\n", "duplicate_key"),
        ("json_to_yaml.v1", br#"{"a": 1e999}"#, "number"),
        ("parquet_to_json_rows.v1", b"PAR1garbagePAR1", "syntax"),
        ("zip_to_batch_manifest.v1", b"not a zip", "syntax"),
    ] {
        p.write("in", text);
        let says = if kind.is_empty() { adapter.to_owned() } else { format!("({kind})") };
        let out = p.refuses(&["catalog", "adapt", adapter, "in", "--out", "kept"], 1, "D1822", &says);
        assert!(out.stderr.len() < 1_000, "what is said of a large text is short");
    }
    assert_eq!(std::fs::read_to_string(p.path("kept")).unwrap(), "before");
    let left: Vec<_> =
        std::fs::read_dir(p.path("")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
    p.write("in", "a,b\n1,2\n3\n");
    assert_eq!(p.run(&["catalog", "adapt", "csv_to_json_rows.v1", "in"]).stdout, "", "no half of an output");
}

#[test]
fn archives() {
    let p = tables();
    p.write("ok.zip", archive(&[Entry::file("a.txt", b"hello"), Entry::file("b/c.csv", b"a\n1\n")]));
    let out = p.ok(&["catalog", "adapt", "zip_to_batch_manifest.v1", "ok.zip"]);
    let manifest = rows(&out.stdout);
    assert_eq!((&manifest["entries"][0]["path"], &manifest["entries"][1]["size"]), (&"a.txt".into(), &4.into()));
    assert_eq!(manifest["entries"][0]["sha256"], "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
}

#[test]
fn hostile_archives() {
    let p = tables();
    let link = Entry { mode: 0o120_777, ..Entry::file("l", b"/etc/passwd") };
    let secret = Entry { flags: 1, ..Entry::file("s", b"x") };
    let mut broken = archive(&[Entry::file("a.txt", b"hello")]);
    broken[35] ^= 0xff;
    let names: Vec<String> = (0..10_001).map(|n| n.to_string()).collect();
    let many: Vec<Entry<'_>> = names.iter().map(|name| Entry::file(name, b"")).collect();
    for (bytes, kind) in [
        (archive(&[Entry::file("../../etc/passwd", b"x")]), "unsafe_path"),
        (archive(&[Entry::file("/etc/passwd", b"x")]), "unsafe_path"),
        (archive(&[link]), "link"),
        (archive(&[secret]), "encrypted"),
        (archive(&[Entry::file("a", b"1"), Entry::file("A", b"2")]), "duplicate_name"),
        (archive(&many), "limit"),
        (broken, ""),
    ] {
        p.write("in.zip", bytes);
        let says = if kind.is_empty() { "zip_to_batch_manifest".to_owned() } else { format!("({kind})") };
        p.refuses(&["catalog", "adapt", "zip_to_batch_manifest.v1", "in.zip"], 1, "D1822", &says);
    }
}
