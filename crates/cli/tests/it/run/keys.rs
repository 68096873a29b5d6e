//! The key of the workspace, and what a process leaves that was killed while it wrote it.

use super::example::{RUN, tally};

#[test]
fn half_written_keys_of_the_dead_are_removed_and_nothing_else() {
    let p = tally();
    for args in [&[&RUN[..], &["--id", "one"]].concat()[..], &["gate", "approve", "one", "--as", "clerk"]] {
        for left in [".tmpAb12cD", ".tmpZZZZZZ", ".tmpnotes", ".tmp-12345", "tmpAb12cD", ".tmpé123"] {
            p.write(&format!(".deed/keys/{left}"), "-----BEGIN PRIVATE KEY-----\n");
        }
        let held = std::fs::File::open(p.path(".deed/keys/.tmpZZZZZZ")).unwrap();
        held.lock().unwrap();
        p.run(args);
        let there = |name: &str| p.path(&format!(".deed/keys/{name}")).exists();
        assert!(!there(".tmpAb12cD"), "its writer is dead");
        assert!(there(".tmpZZZZZZ"), "a process writes to it");
        assert!(there(".tmpnotes") && there(".tmp-12345") && there("tmpAb12cD") && there(".tmpé123"), "not ours");
        assert!(there("workspace.pem") && there("workspace.pub.pem"));
    }
    p.write(".deed/keys/.tmpAb12cD", "half");
    p.ok(&["keys", "generate", "rosa"]);
    assert!(!p.path(".deed/keys/.tmpAb12cD").exists());
    p.ok(&["runs", "resume", "one"]);
}

#[test]
fn a_lost_key_is_not_replaced_behind_anybodys_back() {
    let p = tally();
    p.ok(&[&RUN[..], &["--id", "one", "--approve", "clerk"]].concat());
    std::fs::rename(p.path(".deed/keys/workspace.pem"), p.path("kept.pem")).unwrap();
    let again = [&RUN[..], &["--id", "two", "--approve", "clerk"]].concat();
    let out = p.refuses(&again, 1, "D0020", "is missing, and its public half is there");
    assert!(out.stderr.contains("restore it from a backup"), "{}", out.stderr);
    // Verifying needs the public half only.
    p.ok(&["receipts", "verify", "one"]);
    p.ok(&["keys", "generate", "rosa"]);
    std::fs::copy(p.path(".deed/keys/rosa.pem"), p.path(".deed/keys/workspace.pem")).unwrap();
    p.refuses(&again, 1, "D0021", "do not belong together");
    std::fs::rename(p.path("kept.pem"), p.path(".deed/keys/workspace.pem")).unwrap();
    p.ok(&again);
    p.ok(&["receipts", "verify", "two"]);
}
