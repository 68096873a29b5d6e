//! Whatever is changed behind the back of the system is found, and named.

use super::example::{RUN, changed, ends, noted, tally};
use crate::common::Project;
use rusqlite::Connection;
use serde_json::json;

/// Changes the database as an attacker with access to the disk would: its guards are removed, and put back.
pub(crate) fn change(p: &Project, change: impl FnOnce(&Connection)) {
    let db = Connection::open(p.path(".deed/runs/journal.sqlite")).unwrap();
    let mut guards = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let guards: Vec<(String, String)> =
        guards.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    assert_eq!(guards.len(), 3);
    for (name, _) in &guards {
        db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    change(&db);
    for (_, sql) in &guards {
        db.execute_batch(sql).unwrap();
    }
}

/// The hash of a file of the run.
fn hash(p: &Project, path: &str) -> String {
    let data = p.json(&["artifacts", "list", "one"])["data"].clone();
    let file = data.as_array().unwrap().iter().find(|file| file["path"] == json!(path)).unwrap();
    file["sha256"].as_str().unwrap().to_owned()
}

/// Replaces a text in every row that has it.
pub(crate) fn replace(db: &Connection, table: &str, column: &str, find: &str, by: &str) {
    let cast = if column == "bytes" { "BLOB" } else { "TEXT" };
    let sql = format!(
        "UPDATE {table} SET {column} = CAST(replace(CAST({column} AS TEXT), ?1, ?2) AS {cast}) \
         WHERE instr(CAST({column} AS TEXT), ?1) > 0"
    );
    assert!(db.execute(&sql, [find, by]).unwrap() > 0, "nothing has {find}");
}

#[test]
fn an_output_whose_row_was_changed() {
    let p = noted();
    change(&p, |db| replace(db, "small_blobs", "bytes", "42 in all", "43 in all"));
    ends(
        &p,
        &["receipts", "verify", "one"],
        1,
        &["broken  postflight receipt of note: the stored bytes of `output/note.txt` were altered"],
    );
    // The chain speaks of hashes, and holds; what is written out is checked.
    p.ok(&["journal", "verify"]);
    let out = p.run(&["artifacts", "export", "one", "output/note.txt", "--out", "files"]);
    assert!(out.code == 3 && out.stderr.contains("[D2009]"), "{} {}", out.code, out.stderr);
    assert!(!p.path("files/output/note.txt").exists());
    assert_eq!(p.json(&["receipts", "verify", "one"])["ok"], json!(false));
}

#[test]
fn code_that_was_changed_or_removed() {
    let p = noted();
    change(&p, |db| replace(db, "small_blobs", "bytes", "sum(amounts)", "sum(amounts) + 1"));
    let says = "broken  code of the steps: the stored code of `add` is not the code that its contract froze";
    ends(&p, &["receipts", "verify", "one"], 1, &[says]);
    change(&p, |db| {
        let sql = "DELETE FROM small_blobs WHERE instr(CAST(bytes AS TEXT), 'sum(amounts) + 1') > 0";
        assert_eq!(db.execute(sql, []).unwrap(), 1);
    });
    ends(&p, &["receipts", "verify", "one"], 1, &["broken  code of the steps: the code of `add`"]);
}

#[test]
fn an_input_whose_file_was_changed_or_removed() {
    let p = tally();
    let rows: String = (0..20_000).map(|order| format!("{order},1\n")).collect();
    p.write("input/orders.csv", format!("order,amount\n{rows}"));
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    let hash = hash(&p, "input/orders.csv");
    let hex = hash.strip_prefix("sha256:").unwrap();
    let blob = p.path(&format!(".deed/runs/blobs/sha256/{}/{hex}", hex.get(..2).unwrap()));
    let text = std::fs::read_to_string(&blob).unwrap();
    std::fs::remove_file(&blob).unwrap();
    let says = "broken  preflight receipt of add: `input/orders.csv`";
    ends(&p, &["receipts", "verify", "one"], 1, &[says]);
    std::fs::write(&blob, text.replacen("7,1\n", "7,2\n", 1)).unwrap();
    let says = "broken  preflight receipt of add: the stored bytes of `input/orders.csv` were altered";
    ends(&p, &["receipts", "verify", "one"], 1, &[says, "holds   postflight receipt of note"]);
    std::fs::write(&blob, text).unwrap();
    p.ok(&["receipts", "verify", "one"]);
}

#[test]
fn a_plan_that_says_something_else_by_now() {
    // The hash of a plan names its steps by theirs, so that words within a step are a case of their own.
    for (find, by) in [("MUST say the total", "MAY say the total"), ("Add the orders up, and", "Add no orders up, and")]
    {
        let p = noted();
        change(&p, |db| replace(db, "small_blobs", "bytes", find, by));
        p.refuses(&["receipts", "verify", "one"], 1, "D2063", "the plan of this run is missing or was altered");
        p.refuses(&["runs", "resume", "one"], 3, "D2063", "the plan of this run is missing or was altered");
        // What the journal says of it is still shown.
        ends(&p, &["runs", "show", "one"], 0, &["one  tally  succeeded"]);
    }
}

#[test]
fn an_event_that_was_changed_is_named() {
    let p = noted();
    change(&p, |db| replace(db, "events", "body", "\"approver\":\"tester\"", "\"approver\":\"somebody\""));
    let out = p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `one` is broken at event 8");
    assert!(out.stderr.contains("cannot be relied on"), "{}", out.stderr);
    // Nothing is read from a chain that does not hold.
    for args in [&["receipts", "verify", "one"][..], &["runs", "show", "one"], &["runs", "resume", "one"]] {
        let out = p.refuses(args, 3, "D2009", "the journal of run `one` was altered at event 8");
        assert!(out.stderr.contains("check it with `deed journal verify`"), "{}", out.stderr);
    }
    let json = p.json(&["journal", "verify"]);
    assert_eq!((&json["ok"], &json["diagnostics"][0]["code"]), (&json!(false), &json!("D2065")));
    // It hides no other run.
    p.run(&["run", "--plan", "tally.yaml", "--input", "input", "--id", "two"]);
    let says = "run `one` is not listed: the journal of run `one` was altered";
    let listed = p.refuses(&["runs", "list"], 3, "D2009", says);
    assert!(listed.stdout.starts_with("two ") && !listed.stdout.contains("\none "), "{}", listed.stdout);
}

#[test]
fn events_that_were_removed_are_named() {
    for (sql, names) in [
        ("DELETE FROM events WHERE run_id = 'one' AND seq = 8", "is broken at event"),
        ("DELETE FROM events WHERE run_id = 'one' AND seq > 10", "is broken at event"),
        ("DELETE FROM events WHERE run_id = 'one'", "is broken at event 0"),
        ("DELETE FROM events WHERE run_id = '' AND seq = 1", "the journal of"),
        ("UPDATE events SET seq = seq + 100 WHERE run_id = 'one' AND seq = 12", "is broken at event"),
    ] {
        let p = noted();
        change(&p, |db| assert!(db.execute(sql, []).unwrap() > 0));
        p.refuses(&["journal", "verify"], 1, "D2065", names);
    }
}

#[test]
fn a_run_that_was_cut_off_and_noted_so_does_not_pass_for_whole() {
    let p = noted();
    // Everything after the approval goes, also from the notes about where the chain ends.
    change(&p, |db| {
        db.execute("DELETE FROM events WHERE run_id = 'one' AND seq > 7", []).unwrap();
        let last = "(SELECT hash FROM events WHERE run_id = 'one' AND seq = 7)";
        let sql = format!("UPDATE heads SET seq = 7, stage = 'open', hash = {last} WHERE run_id = 'one'");
        assert_eq!(db.execute(&sql, []).unwrap(), 1);
    });
    p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `one` is broken");
}

#[test]
fn a_guard_that_was_taken_away_is_missed() {
    let p = noted();
    let db = Connection::open(p.path(".deed/runs/journal.sqlite")).unwrap();
    let held = db.execute("UPDATE events SET body = '{}' WHERE run_id = 'one'", []).unwrap_err().to_string();
    assert!(held.contains("events are never changed"), "{held}");
    db.execute_batch("DROP TRIGGER events_stay").unwrap();
    drop(db);
    let out = p.refuses(&["runs", "list"], 3, "D2009", "the trigger `events_stay` is missing");
    assert!(out.stderr.contains("check its events with `deed journal verify`"), "{}", out.stderr);
    // All else is as it was, and that is said too.
    let out = p.refuses(&["journal", "verify"], 3, "D2009", "the trigger `events_stay` is missing");
    assert!(out.stderr.contains("every link of 1 runs and"), "{}", out.stderr);
    assert!(out.stderr.contains("put it back with sqlite3: `CREATE TRIGGER events_stay"), "{}", out.stderr);
}

/// An attacker has to remove the guard before an event can be changed, and need not put it back.
#[test]
fn an_event_that_was_changed_is_named_though_its_guard_is_gone() {
    for change in ["replace(body, 'tester', 'somebody')", "CAST(x'7bff7d' AS TEXT)"] {
        let p = noted();
        let db = Connection::open(p.path(".deed/runs/journal.sqlite")).unwrap();
        db.execute_batch("DROP TRIGGER events_stay").unwrap();
        let sql = format!("UPDATE events SET body = {change} WHERE run_id = 'one' AND seq = 8");
        assert_eq!(db.execute(&sql, []).unwrap(), 1);
        drop(db);
        p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `one` is broken at event 8");
        p.refuses(&["runs", "show", "one"], 3, "D2009", "the trigger `events_stay` is missing");
    }
}

#[test]
fn an_event_that_is_no_text_is_named() {
    let p = noted();
    change(&p, |db| {
        let sql = "UPDATE events SET body = CAST(x'7bff7d' AS TEXT) WHERE run_id = 'one' AND seq = 8";
        assert_eq!(db.execute(sql, []).unwrap(), 1);
    });
    let out = p.refuses(&["runs", "show", "one"], 3, "D2009", "the journal of run `one` was altered at event 8");
    assert!(!out.stderr.contains("check that the folder"), "{}", out.stderr);
    p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `one` is broken at event 8");
}

/// Files that a step makes again replace altered ones: the store does not stay poisoned.
#[test]
fn bytes_that_were_altered_are_healed_by_running_again() {
    let p = tally();
    let many = "json.dump({\"orders\": len(amounts), \"total\": sum(amounts), \"pad\": \"x\" * 100000}, file)";
    changed(&p, "tally.yaml", &[("json.dump({\"orders\": len(amounts), \"total\": sum(amounts)}, file)", many)]);
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    let hash = hash(&p, "output/total.json");
    let hex = hash.strip_prefix("sha256:").unwrap();
    let blob = p.path(&format!(".deed/runs/blobs/sha256/{}/{hex}", hex.get(..2).unwrap()));
    let text = std::fs::read_to_string(&blob).unwrap();
    std::fs::remove_file(&blob).unwrap();
    std::fs::write(&blob, text.replacen("xxxx", "yyyy", 1)).unwrap();
    ends(&p, &["receipts", "verify", "one"], 1, &["the stored bytes of `output/total.json` were altered"]);
    p.ok(&[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat());
    p.ok(&["receipts", "verify", "one"]);
    p.ok(&["receipts", "verify", "two"]);
}

#[test]
fn a_database_that_is_none() {
    let p = noted();
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(p.path(&format!(".deed/runs/journal.sqlite{end}")));
    }
    p.write(
        ".deed/runs/journal.sqlite",
        "not a database, but long enough to be looked at as if it were one\n".repeat(99),
    );
    for args in [&["runs", "list"][..], &["journal", "verify"], &["receipts", "verify", "one"], &RUN] {
        let out = p.run(args);
        assert!(out.code == 3 && out.stderr.contains("error["), "{args:?} {}\n{}", out.code, out.stderr);
    }
}

#[test]
fn receipts_are_verified_with_the_journal_of_their_run_alone() {
    let p = noted();
    p.ok(&[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat());
    change(&p, |db| {
        let changed = "UPDATE events SET seq = -1 WHERE run_id = 'two' AND seq = 1";
        assert_eq!(db.execute(changed, []).unwrap(), 1);
    });
    // The whole journal is checked by a command of its own.
    p.refuses(&["journal", "verify"], 1, "D2065", "the journal of run `two` is broken");
    let out = p.ok(&["receipts", "verify", "one"]);
    assert!(out.stderr.contains("other runs are checked by `deed journal verify`"), "{}", out.stderr);
    change(&p, |db| {
        let changed = "UPDATE events SET body = replace(body, '\"one\"', '\"two\"') WHERE run_id = '' AND seq = 0";
        assert_eq!(db.execute(changed, []).unwrap(), 1);
    });
    let out = p.run(&["receipts", "verify", "one", "--json"]);
    assert!([1, 3].contains(&out.code), "{}", out.stdout);
}

#[test]
fn a_journal_that_is_gone_is_not_an_empty_one() {
    let p = noted();
    for name in ["journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm"] {
        let _ = std::fs::remove_file(p.path(&format!(".deed/runs/{name}")));
    }
    let journal = p.path(".deed/runs/journal.sqlite");
    for form in ["gone", "empty", "a folder"] {
        let _ = std::fs::remove_file(&journal);
        match form {
            "empty" => p.write(".deed/runs/journal.sqlite", ""),
            "a folder" => std::fs::create_dir(&journal).unwrap(),
            _ => {}
        }
        for args in [&["journal", "verify"][..], &["runs", "list"], &RUN] {
            let out = p.run(args);
            assert!(out.code == 3 && out.stderr.contains("[D2009]"), "{form} {args:?}: {}{}", out.code, out.stderr);
        }
    }
}
