//! `deed files`: uploads, versions and removals; what is refused; and several processes at once.

use super::fixture::{data, history, project, text, uploaded};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::os::unix::fs::symlink;

#[test]
fn files_have_versions_that_stay() {
    let p = uploaded();
    let put = data(&p, &["files", "put", "october.csv", "people/orders.csv"]);
    assert_eq!(
        (&put["files"][0]["version"], &put["files"][0]["unchanged"], &put["recorded"]),
        (&json!(1), &json!(true), &json!(false))
    );
    p.write("october.csv", "order,amount\na,41\n");
    p.ok(&["files", "put", "october.csv", "orders.csv", "--note", "corrected"]);
    p.ok(&["files", "remove", "people/orders.csv", "--reason", "wrong month"]);
    p.refuses(&["files", "get", "orders.csv"], 1, "D3018", "the version before it is `people/orders.csv@2`");
    assert_eq!(text(&p, "orders.csv@2"), "order,amount\na,41\n");
    assert_eq!(text(&p, "people/orders.csv@1"), "order,amount\na,40\nb,2\n");
    let found = data(&p, &["files", "get", "orders.csv@1"]);
    let sha256 = found["version"]["content"]["sha256"].as_str().unwrap().to_owned();
    assert_eq!(data(&p, &["files", "get", &format!("orders.csv@{sha256}")])["content"], found["content"]);
    p.ok(&["files", "get", "orders.csv@1", "--out", "out/copy.csv"]);
    assert_eq!(std::fs::read(p.path("out/copy.csv")).unwrap(), b"order,amount\na,40\nb,2\n");
    p.refuses(&["files", "get", "orders.csv@2", "--out", "out/copy.csv"], 1, "D0006", "there already");
    p.ok(&["files", "get", "orders.csv@2", "--out", "out/copy.csv", "--force"]);
    let versions = data(&p, &["files", "history", "orders.csv"])["versions"].clone();
    assert_eq!(versions[0]["reason"], "wrong month");
    assert_eq!(versions[1]["origin"], json!({ "by": "person", "source": "october.csv", "note": "corrected" }));
    assert_eq!(data(&p, &["files", "list"])["files"], json!([]));
    assert_eq!(data(&p, &["files", "list", "--removed"])["files"][0]["versions"], 3);
}

#[test]
fn folders_and_standard_input_are_uploaded() {
    let p = project();
    for (name, text) in [("november/a.csv", "a"), ("november/deep/b.csv", "b"), ("november/\u{e9}.txt", "é")] {
        p.write(name, text);
    }
    let put = data(&p, &["files", "put", "november", "people/2026-11/"]);
    let paths: Vec<&str> = put["files"].as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["people/2026-11/a.csv", "people/2026-11/deep/b.csv", "people/2026-11/\u{e9}.txt"]);
    // One operation: one time, one chain link after the other, and nothing in between.
    assert_eq!(data(&p, &["workspace", "verify"])["events"], 5);
    p.ok(&["files", "put", "november/a.csv", "people/again/"]);
    assert_eq!(text(&p, "again/a.csv"), "a");
    let piped = p.shell(&format!(
        "printf piped | DEED_ACTOR=tester {} files put - people/piped.txt",
        env!("CARGO_BIN_EXE_deed")
    ));
    assert_eq!(piped.code, 0, "{}", piped.stderr);
    assert_eq!(text(&p, "piped.txt"), "piped");
    assert_eq!(data(&p, &["files", "list", "people/2026"])["files"].as_array().unwrap().len(), 3);
    assert_eq!(data(&p, &["files", "list", "--area", "agents"])["files"], json!([]));
}

#[test]
fn what_is_no_plain_file_is_refused() {
    let p = uploaded();
    symlink("october.csv", p.path("link.csv")).unwrap();
    p.refuses(&["files", "put", "link.csv"], 1, "D3026", "it is a link");
    p.write("folder/real.txt", "x");
    symlink("/etc/passwd", p.path("folder/passwd")).unwrap();
    p.refuses(&["files", "put", "folder"], 1, "D3026", "it is a link or a device");
    std::fs::remove_file(p.path("folder/passwd")).unwrap();
    std::fs::remove_file(p.path("folder/real.txt")).unwrap();
    p.refuses(&["files", "put", "folder"], 1, "D3026", "a folder without files");
    p.refuses(&["files", "put", "/dev/null", "people/null.txt"], 1, "D3026", "a device");
    assert_eq!(p.shell("mkfifo pipe").code, 0);
    p.refuses(&["files", "put", "pipe"], 1, "D3026", "a pipe");
    p.refuses(&["files", "put", "none.csv"], 3, "D0001", "check the path");
    // Files of the project itself, also by another name.
    p.write(".deed/secrets/pay", "secret-value");
    p.refuses(&["files", "put", ".deed/config.json"], 1, "D3026", "a file of the project itself");
    std::fs::hard_link(p.path(".deed/secrets/pay"), p.path("harmless.txt")).unwrap();
    p.refuses(&["files", "put", "harmless.txt"], 1, "D3026", "a file of the project itself");
    assert_eq!(data(&p, &["files", "list"])["files"].as_array().unwrap().len(), 1);
}

#[test]
fn paths_and_versions_that_cannot_be_are_refused() {
    let p = uploaded();
    for path in ["../up.csv", "/etc/x", "people/../../x", "people/.", "a\\b", "nul", "People/x"] {
        p.refuses(&["files", "put", "october.csv", path], 1, "D3005", "cannot name a file of a workspace");
    }
    p.refuses(&["files", "put", "october.csv", "ORDERS.csv"], 1, "D3008", "`people/orders.csv`");
    p.refuses(&["files", "put", "october.csv", "orders.csv/x"], 1, "D3008", "`people/orders.csv`");
    p.refuses(&["files", "put", "october.csv", "agents/tally/note.txt"], 1, "D3009", "write it to `people/note.txt`");
    p.refuses(&["files", "put", "-"], 1, "D3005", "no path in the workspace is named");
    p.refuses(&["files", "get", "order.csv"], 1, "D3006", "did you mean `people/orders.csv`?");
    p.refuses(&["files", "get", "orders.csv@7"], 1, "D3007", "has 1 version");
    p.refuses(&["files", "history", "order.csv"], 1, "D3006", "did you mean");
    p.refuses(&["files", "remove", "order.csv", "--reason", "x"], 1, "D3006", "did you mean");
    p.refuses(&["files", "remove", "orders.csv", "--reason", " "], 1, "D3029", "needs a reason");
    p.write("october.csv", "changed");
    p.refuses(
        &["files", "put", "october.csv", "orders.csv", "--base", "0"],
        1,
        "D3019",
        "has version 1, and version 0",
    );
    p.ok(&["files", "put", "october.csv", "orders.csv", "--base", "1"]);
    p.refuses(&["files", "put", "october.csv", "x", "--actor", "eve"], 1, "D3011", "`eve` is no person");
    p.ok(&["workspace", "set", "--quota-bytes", "30"]);
    p.refuses(&["files", "put", "growth.yaml"], 1, "D3010", "its quota is 30");
    assert_eq!(history(&p, "orders.csv"), [(2, "tester".to_owned()), (1, "tester".to_owned())]);
}

#[test]
fn content_that_was_altered_is_not_served() {
    let p = uploaded();
    let found = data(&p, &["files", "history", "orders.csv"]);
    let sha256 = found["versions"][0]["content"]["sha256"].as_str().unwrap().to_owned();
    let hex = sha256.trim_start_matches("sha256:");
    let blob = p.path(&format!(".deed/runs/blobs/sha256/{}/{hex}", &hex[..2]));
    let mut mode = std::fs::metadata(&blob).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o600);
    std::fs::set_permissions(&blob, mode).unwrap();
    std::fs::write(&blob, "forged").unwrap();
    assert!(p.run(&["files", "get", "orders.csv"]).stderr.contains("altered"));
    assert_eq!(p.run(&["run", "tally.yaml", "--id", "one", "--approve", "clerk"]).code, 3);
    p.refuses(&["workspace", "verify"], 1, "D1223", "people/orders.csv");
    // The same file again puts it back.
    p.ok(&["files", "put", "october.csv", "copy.csv"]);
    p.ok(&["workspace", "verify"]);
}

#[test]
fn processes_that_upload_one_name_all_keep_their_version() {
    let p = project();
    let children: Vec<_> = (0..6)
        .map(|n| {
            p.write(&format!("in-{n}.txt"), n.to_string());
            p.command(&["files", "put", &format!("in-{n}.txt"), "people/same.txt"]).spawn().unwrap()
        })
        .collect();
    for child in children {
        let out = child.wait_with_output().unwrap();
        assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    }
    let versions = data(&p, &["files", "history", "same.txt"])["versions"].as_array().unwrap().clone();
    assert_eq!(versions.iter().map(|version| version["version"].clone()).collect::<Vec<Value>>(), [6, 5, 4, 3, 2, 1]);
    let found: BTreeSet<String> = (1..=6).map(|version| text(&p, &format!("same.txt@{version}"))).collect();
    assert_eq!(found, (0..6).map(|n| n.to_string()).collect());
    p.ok(&["workspace", "verify"]);
}
