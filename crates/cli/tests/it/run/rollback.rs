//! A journal that was cut, rewritten or replaced by an older copy is not continued.

use super::example::{RUN, ends, noted, tally, waiting};
use crate::common::Project;
use deed_canon::{ChainHead, ContentHash, append};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// Copies the journal aside, or back.
fn copy(p: &Project, from: &str, to: &str) {
    // Whatever lies in the log is moved into the database first.
    if let Ok(db) = Connection::open(p.path(&format!("{from}/journal.sqlite"))) {
        db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    }
    std::fs::create_dir_all(p.path(to)).unwrap();
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(p.path(&format!("{to}/journal.sqlite{end}")));
    }
    std::fs::copy(p.path(&format!("{from}/journal.sqlite")), p.path(&format!("{to}/journal.sqlite"))).unwrap();
}

/// Cuts the seal of a run off, changes its events, and computes every hash again, as an attacker would who has the disk and
/// not the key.
fn rewrite(p: &Project, run: &str, change: impl Fn(&str) -> String) {
    let db = Connection::open(p.path(".deed/runs/journal.sqlite")).unwrap();
    let mut guards = db.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").unwrap();
    let guards: Vec<(String, String)> =
        guards.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect();
    guards.iter().for_each(|(name, _)| db.execute_batch(&format!("DROP TRIGGER {name}")).unwrap());
    let sealed = "DELETE FROM events WHERE run_id = ?1 AND seq = (SELECT max(seq) FROM events WHERE run_id = ?1)";
    assert_eq!(db.execute(sealed, [run]).unwrap() + db.execute(sealed, [""]).unwrap(), 2);
    rehash(&db, run, &change);
    rehash(&db, "", &|body| body.to_owned());
    db.execute("UPDATE heads SET stage = 'ended' WHERE run_id = ?1", [run]).unwrap();
    db.execute("UPDATE listed SET sealed = NULL WHERE run_id = ?1", [run]).unwrap();
    guards.iter().for_each(|(_, sql)| db.execute_batch(sql).unwrap());
}

fn rehash(db: &Connection, run: &str, change: &dyn Fn(&str) -> String) {
    let mut rows = db.prepare("SELECT seq, body FROM events WHERE run_id = ?1 ORDER BY seq").unwrap();
    let rows: Vec<(i64, String)> =
        rows.query_map([run], |r| Ok((r.get(0)?, r.get(1)?))).unwrap().map(Result::unwrap).collect();
    let mut head: Option<ChainHead> = None;
    for (seq, body) in rows {
        let body = change(&body);
        let link = append(head.as_ref(), serde_json::from_str(&body).unwrap()).unwrap();
        let prev = link.prev.map(|prev: ContentHash| prev.to_string());
        let update = "UPDATE events SET prev = ?3, hash = ?4, body = ?5 WHERE run_id = ?1 AND seq = ?2";
        db.execute(update, params![run, seq, prev, link.hash.to_string(), body]).unwrap();
        head = Some(link.head());
    }
    let head = head.unwrap();
    let note = "UPDATE heads SET seq = ?2, hash = ?3 WHERE run_id = ?1";
    db.execute(note, params![run, i64::try_from(head.seq).unwrap(), head.hash.to_string()]).unwrap();
}

fn head(p: &Project, run: &str) -> String {
    let shown = p.ok(&["runs", "show", run]).stdout;
    shown.lines().find_map(|line| line.strip_prefix("  head ")).unwrap().to_owned()
}

#[test]
fn what_was_rewritten_before_a_checkpoint_is_not_sealed_again() {
    let p = noted();
    rewrite(&p, "one", |body| body.replace("tester, process", "somebody, process"));
    // The anchor tells that something is missing, also where the change is not looked at.
    p.refuses(&["journal", "verify"], 1, "D2071", "the list of runs was rolled back");
    p.refuses(&["runs", "resume", "one"], 1, "D2070", "the journal of run `one` was changed: event");
    ends(&p, &["receipts", "verify", "one"], 1, &["broken  checkpoints of the journal", "was rolled back"]);
    // Without the anchor the checkpoints still do, and no option accepts it.
    std::fs::remove_dir_all(p.path(".deed/anchor")).unwrap();
    // Every hash is right, so that the chain alone tells nothing.
    p.ok(&["journal", "verify"]);
    for more in [&[][..], &["--accept-rollback"]] {
        p.refuses(&[&["runs", "resume", "one"], more].concat(), 1, "D2070", "the journal of run `one` was changed");
    }
    let kinds = p.ok(&["runs", "events", "one", "--kind", "sealed"]).stdout;
    assert_eq!(kinds, "", "nothing was signed");
}

#[test]
fn an_end_that_was_rewritten_is_not_sealed_again() {
    let p = noted();
    rewrite(&p, "one", |body| {
        body.replace("{\"kind\":\"ended\",\"outcome\":\"succeeded\"}", "{\"kind\":\"ended\",\"outcome\":\"failed\"}")
    });
    std::fs::remove_dir_all(p.path(".deed/anchor")).unwrap();
    p.refuses(&["runs", "resume", "one"], 1, "D2070", "its end is not the one that its last checkpoint names");
}

#[test]
fn an_older_copy_is_not_continued_unless_that_is_accepted() {
    let p = waiting();
    copy(&p, ".deed/runs", "copy");
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    copy(&p, "copy", ".deed/runs");
    let says = "was rolled back: it lacks event";
    for args in [
        &["runs", "resume", "one"][..],
        &["gate", "approve", "one", "--as", "clerk"],
        &["runs", "cancel", "one"],
        &[&RUN[..], &["--id", "one"]].concat(),
        &[&RUN[..], &["--id", "two"]].concat(),
    ] {
        p.refuses(args, 1, "D2071", says);
    }
    let out = p.ok(&["runs", "show", "one"]);
    assert!(out.stderr.contains("warning[D2071]") && out.stderr.contains(says), "{}", out.stderr);
    ends(&p, &["runs", "resume", "one", "--accept-rollback"], 5, &[]);
    let taken = p.json(&["runs", "events", "one", "--kind", "taken"]);
    let accepted: Vec<&Value> =
        taken["data"].as_array().unwrap().iter().map(|e| &e["event"]["accepted_rollback"]).collect();
    assert_eq!(accepted, [&Value::Null, &json!(true)]);
    let shown = p.ok(&["runs", "show", "one"]).stdout;
    assert!(shown.contains("continued with a journal that lacked events"), "{shown}");
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    let verified = p.ok(&["receipts", "verify", "one"]).stdout;
    assert!(verified.contains("not derived again: what the journal lacked when tester, process"), "{verified}");
}

/// Every command that reads says that the journal is an older copy; checking it fails.
#[test]
fn an_older_copy_is_told_by_whatever_reads_it() {
    let p = waiting();
    copy(&p, ".deed/runs", "copy");
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one"]);
    copy(&p, "copy", ".deed/runs");
    let says = "was rolled back: it lacks event";
    for args in [
        &["runs", "list"][..],
        &["runs", "show", "one"],
        &["runs", "events", "one"],
        &["gate", "list"],
        &["gate", "show", "one"],
        &["artifacts", "list", "one"],
        &["artifacts", "export", "one", "output/total.json", "--out", "files"],
        &["receipts", "show", "one"],
    ] {
        let out = p.ok(args);
        assert!(out.stderr.contains("warning[D2071]") && out.stderr.contains(says), "{args:?}: {}", out.stderr);
    }
    p.refuses(&["journal", "verify"], 1, "D2071", says);
}

/// Without any note nothing would be noticed: that is said, also by the command that notes anew.
#[test]
fn a_missing_anchor_is_told() {
    let p = noted();
    std::fs::remove_dir_all(p.path(".deed/anchor")).unwrap();
    for args in
        [&["runs", "list"][..], &["journal", "verify"], &[&RUN[..], &["--id", "two", "--approve", "clerk"]].concat()]
    {
        let out = p.ok(args);
        assert!(out.stderr.contains("warning[D2075]"), "{args:?}: {}", out.stderr);
    }
    assert!(!p.ok(&["runs", "list"]).stderr.contains("D2075"), "it is noted now");
}

#[test]
fn a_run_with_checkpoints_and_no_anchor_is_not_continued() {
    let p = waiting();
    std::fs::remove_dir_all(p.path(".deed/anchor")).unwrap();
    p.refuses(&["runs", "resume", "one"], 1, "D2071", "no head of it is noted in `.deed/anchor`");
    ends(&p, &["runs", "resume", "one", "--accept-rollback"], 5, &[]);
    ends(&p, &["runs", "resume", "one"], 5, &[]);
}

#[test]
fn heads_are_printed_and_accepted() {
    let p = tally();
    let out = ends(&p, &[&RUN[..], &["--id", "one"]].concat(), 5, &[]);
    let printed = out.stdout.lines().find_map(|line| line.strip_prefix("  head ")).unwrap().to_owned();
    assert_eq!(printed, head(&p, "one"));
    let data = p.json(&["runs", "show", "one"])["data"]["head"].clone();
    let (seq, hash) = (data["seq"].as_u64().unwrap(), data["hash"].as_str().unwrap().to_owned());
    assert_eq!(printed, format!("one@{seq}:{hash}"));
    let list = p.ok(&["journal", "verify"]).stdout;
    let list = list.lines().find_map(|line| line.strip_prefix("head ")).unwrap().to_owned();
    p.ok(&["gate", "approve", "one", "--as", "clerk"]);
    p.ok(&["runs", "resume", "one", "--head", &printed]);
    // What was added since extends it.
    p.ok(&["journal", "verify", "--head", &printed, "--head", &list]);
    p.ok(&["receipts", "verify", "one", "--head", &printed, "--head", &head(&p, "one")]);
    let other = format!("one@{seq}:sha256:{}", "0".repeat(64));
    let ahead = format!("one@{}:{hash}", seq + 100);
    for wrong in [other.as_str(), &ahead] {
        for args in [&["journal", "verify"][..], &["receipts", "verify", "one"], &["runs", "resume", "one"]] {
            p.refuses(&[args, &["--head", wrong]].concat(), 1, "D2072", "does not contain event");
        }
    }
    p.refuses(&["runs", "resume", "one", "--head", &printed.replace("one@", "two@")], 2, "D2072", "and not of `one`");
    let out = p.run(&["journal", "verify", "--head", "nonsense"]);
    assert!(out.code == 2 && out.stderr.contains("RUN@SEQ:sha256:"), "{}", out.stderr);
    assert_eq!(p.json(&["journal", "verify"])["data"]["head"]["seq"], json!(1));
    let _: Value = p.json(&["receipts", "verify", "one"])["data"]["head"].clone();
}
