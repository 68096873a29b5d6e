//! The index over the list of runs: finding a run reads nothing of the others, and an index that lies is found.

use super::fixture::*;
use deed_ports::{JournalRead, JournalWrite, StoreErrorKind, Wait};
use deed_store::RunStore;

fn names(runs: Vec<deed_ports::RunListing>) -> Vec<String> {
    runs.into_iter().map(|run| run.run_id).collect()
}

#[test]
fn runs_are_found_by_age_name_and_end() {
    let (_dir, store) = store();
    assert_eq!((store.count().unwrap(), store.newest(3).unwrap()), (0, Vec::new()));
    for run in ["week-1", "week-2", "month", "week"] {
        begin(&store, run, 1);
    }
    store.append("week-2", vec![ended(), sealed()], Wait::Durable).unwrap();
    assert_eq!(store.count().unwrap(), 4);
    assert_eq!(names(store.newest(2).unwrap()), ["week", "month"]);
    assert_eq!(names(store.unsealed().unwrap()), ["week-1", "month", "week"]);
    assert_eq!(names(store.beginning("week", 9).unwrap()), ["week", "week-1", "week-2"]);
    assert_eq!(names(store.beginning("week", 2).unwrap()), ["week", "week-1"]);
    assert_eq!(names(store.beginning("week-2", 9).unwrap()), ["week-2"]);
    assert_eq!(names(store.beginning("%", 9).unwrap()), Vec::<String>::new());
    let whole = store.runs().unwrap();
    let mut newest = store.newest(9).unwrap();
    newest.reverse();
    assert_eq!(newest, whole);
}

#[test]
fn an_index_that_does_not_agree_with_the_list_is_found() {
    for (change, newest) in [
        ("DELETE FROM listed WHERE run_id = 'b'", true),
        ("UPDATE listed SET run_id = 'x' WHERE run_id = 'b'", true),
        ("UPDATE listed SET link = 0 WHERE run_id = 'b'", true),
        ("UPDATE listed SET sealed = 1 WHERE run_id = 'a'", false),
        ("INSERT INTO listed VALUES (3, 'x', 1, NULL)", true),
    ] {
        let (dir, store) = store();
        for run in ["a", "b", "c"] {
            begin(&store, run, 1);
        }
        database(dir.path()).execute_batch(change).unwrap();
        let error = fails(store.verify(), StoreErrorKind::Corrupt);
        assert_eq!(error.message, "the index of runs does not agree with the list of runs", "{change}");
        if newest {
            fails(store.newest(9), StoreErrorKind::Corrupt);
        }
    }
}

#[test]
fn a_run_that_the_index_lacks_is_not_sealed() {
    let (dir, store) = store();
    begin(&store, "a", 1);
    database(dir.path()).execute_batch("DELETE FROM listed WHERE run_id = 'a'").unwrap();
    let error = fails(store.append("a", vec![ended(), sealed()], Wait::Durable), StoreErrorKind::Corrupt);
    assert_eq!(error.message, "the index of runs does not agree with the list of runs");
    assert_eq!(store.events("a", 0).unwrap().len(), 2, "nothing was appended");
}

#[test]
fn one_run_is_verified_without_the_others() {
    let (dir, store) = store();
    begin(&store, "a", 3);
    begin(&store, "b", 2);
    store.append("b", vec![ended(), sealed()], Wait::Durable).unwrap();
    assert_eq!((store.verify_run("a").unwrap(), store.verify_run("b").unwrap()), (Ok(4), Ok(5)));
    let change = |sql: &str| {
        let conn = database(dir.path());
        conn.execute_batch("DROP TRIGGER IF EXISTS events_stay; DROP TRIGGER IF EXISTS events_keep").unwrap();
        conn.execute_batch(sql).unwrap();
    };
    change("UPDATE events SET body = replace(body, '\"done\":2', '\"done\":9') WHERE run_id = 'a'");
    assert_eq!(store.verify_run("a").unwrap().unwrap_err().seq, 2);
    assert_eq!(store.verify_run("b").unwrap(), Ok(5), "another run is not read");
    assert_eq!(store.verify_run("c").unwrap().unwrap_err().run_id.as_deref(), Some("c"));
    // The link of the list that names its end.
    change("UPDATE events SET body = replace(body, '\"seq\":4', '\"seq\":3') WHERE run_id = '' AND seq = 2");
    assert_eq!(store.verify_run("b").unwrap().unwrap_err().run_id, None);
}

/// Pages that are read do not grow with the number of other runs.
#[test]
fn finding_a_run_reads_as_much_among_many_as_among_few() {
    let read = |runs: u64| {
        let (dir, store) = store();
        for number in 0..runs {
            begin(&store, &format!("run-{number:05}"), 3);
        }
        drop(store);
        let store = RunStore::open_with(dir.path(), quick()).unwrap();
        store.count().unwrap();
        let before = bytes_read();
        let newest = store.newest(10).unwrap();
        let last = &newest.first().unwrap().run_id;
        assert_eq!(names(store.beginning(last, 2).unwrap()), std::slice::from_ref(last));
        assert_eq!(store.count().unwrap(), runs);
        assert_eq!(store.verify_run(last).unwrap(), Ok(4));
        bytes_read() - before
    };
    let (few, many) = (read(20), read(2_000));
    assert!(few > 0 && many <= few * 2 + 64 * 1024, "{few} bytes among 20 runs, {many} among 2,000");
}

/// The bytes that this thread has read so far, from any file.
fn bytes_read() -> u64 {
    let io = std::fs::read_to_string("/proc/thread-self/io").unwrap();
    io.lines().find_map(|line| line.strip_prefix("rchar: ")).unwrap().parse().unwrap()
}
