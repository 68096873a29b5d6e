//! Files of a run, listed and written out.

use super::example::{noted, waiting};
use serde_json::json;

#[test]
fn files_are_listed_with_who_made_them() {
    let p = noted();
    let data = p.json(&["artifacts", "list", "one"])["data"].clone();
    let from: Vec<(&str, Option<&str>)> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), file["from_step"].as_str()))
        .collect();
    assert_eq!(
        from,
        [("input/orders.csv", None), ("output/note.txt", Some("note")), ("output/total.json", Some("add"))]
    );
    assert_eq!(data[1]["bytes"], json!(20));
    let text = p.ok(&["artifacts", "list", "one"]).stdout;
    assert!(text.lines().next().unwrap().ends_with("22  input/orders.csv   given"), "{text}");
}

#[test]
fn what_is_written_out_is_what_was_asked_for() {
    let p = noted();
    let out = p.ok(&["artifacts", "export", "one", "--out", "all"]);
    assert_eq!(out.stdout, "all/output/note.txt\nall/output/total.json\n");
    p.ok(&["artifacts", "export", "one", "input/orders.csv", "--out", "given"]);
    let given = std::fs::read_to_string(p.path("given/input/orders.csv")).unwrap();
    assert_eq!(given, "order,amount\na,40\nb,2\n");
    p.refuses(
        &["artifacts", "export", "one", "output/note.txx", "--out", "no"],
        1,
        "D2064",
        "did you mean `output/note.txt`?",
    );
    p.refuses(&["artifacts", "export", "one", "../../etc/passwd", "--out", "no"], 1, "D2064", "the run has no file");
    assert!(!p.path("no").exists());
    p.write("file", "");
    assert_eq!(p.run(&["artifacts", "export", "one", "--out", "file"]).code, 3);
}

#[test]
fn a_run_that_waits_has_what_it_made_so_far() {
    let p = waiting();
    assert_eq!(p.ok(&["artifacts", "export", "one", "--out", "all"]).stdout, "all/output/total.json\n");
}

#[test]
fn a_file_is_printed_as_it_is() {
    let p = noted();
    assert_eq!(p.ok(&["artifacts", "cat", "one", "output/note.txt"]).stdout, "2 orders, 42 in all\n");
    let data = p.json(&["artifacts", "cat", "one", "output/note.txt"])["data"].clone();
    assert_eq!((&data["encoding"], &data["content"]), (&json!("utf-8"), &json!("2 orders, 42 in all\n")));
    p.refuses(&["artifacts", "cat", "one", "output/not.txt"], 1, "D2064", "did you mean `output/note.txt`?");
}

#[test]
fn an_output_that_is_not_there_is_explained() {
    let p = waiting();
    p.refuses(
        &["artifacts", "cat", "one", "output/note.txt"],
        1,
        "D2064",
        "step `note`, which writes `output/note.txt`",
    );
    p.ok(&["gate", "reject", "one", "--as", "clerk"]);
    p.run(&["runs", "resume", "one"]);
    p.refuses(&["artifacts", "cat", "one", "output/note.txt"], 1, "D2064", "step `note` failed and kept no outputs");
}
