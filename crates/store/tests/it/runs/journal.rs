//! Every method of the journal, as its documentation says.

use super::fixture::*;
use deed_canon::{ChainHead, append, canonical_string, verify_chain};
use deed_ports::{Created, JournalExtent, JournalRead, JournalWrite, RunListing, StoreErrorKind, Wait};
use deed_store::RunStore;
use std::time::Duration;

#[test]
fn a_run_is_created_once() {
    let (_dir, store) = store();
    assert_eq!(store.create("a", submitted("a")).unwrap(), Created::New);
    let mut later = submitted("a");
    later.at = "2027-01-01T00:00:00Z".to_owned();
    assert_eq!(store.create("a", later).unwrap(), Created::Already);
    let mut other = request("a");
    other.options.parallel = 5;
    let other = record(deed_model::RunEvent::Submitted { run: Box::new(other) });
    fails(store.create("a", other), StoreErrorKind::Conflict);
    fails(store.create("b", submitted("a")), StoreErrorKind::Conflict);
    fails(store.create("b", progress(1)), StoreErrorKind::Conflict);
    assert_eq!(assert_sound(&store), JournalExtent { runs: 1, events: 1, head: None });
}

#[test]
fn links_are_those_of_the_chain() {
    let (dir, store) = store();
    begin(&store, "a", 5);
    let mut head: Option<ChainHead> = None;
    let records = [vec![submitted("a")], (1..=5).map(progress).collect()].concat();
    let entries = store.events("a", 0).unwrap();
    assert_eq!(entries.len(), records.len());
    let mut links = Vec::new();
    for (entry, record) in entries.iter().zip(records) {
        let link = append(head.as_ref(), serde_json::to_value(&record).unwrap()).unwrap();
        assert_eq!((entry.seq, entry.hash, &entry.record), (link.seq, link.hash, &record));
        let text = "SELECT body FROM events WHERE run_id = 'a' AND seq = ?1";
        let body: String = database(dir.path()).query_row(text, [entry.seq as i64], |r| r.get(0)).unwrap();
        assert_eq!(body, canonical_string(&link.body).unwrap());
        head = Some(link.head());
        links.push(link);
    }
    verify_chain(&links, head.as_ref()).unwrap();
    assert_eq!(store.settle("a").unwrap(), head);
}

#[test]
fn events_are_read_from_a_place_on() {
    let (_dir, store) = store();
    begin(&store, "a", 9);
    assert_eq!(numbers(&store.events("a", 0).unwrap()), (1..=9).collect::<Vec<_>>());
    assert_eq!(numbers(&store.events("a", 7).unwrap()), [7, 8, 9]);
    for from in [10, 11, u64::MAX] {
        assert!(store.events("a", from).unwrap().is_empty());
    }
    for unknown in ["b", "", "../a", "A"] {
        assert!(store.events(unknown, 0).unwrap().is_empty());
        assert_eq!(store.settle(unknown).unwrap(), None);
    }
}

#[test]
fn runs_are_listed_the_oldest_first() {
    let (dir, store) = store();
    for run in ["z", "b", "k"] {
        begin(&store, run, 1);
    }
    store.append("b", vec![ended()], Wait::Ordered).unwrap();
    store.append("k", vec![ended(), sealed()], Wait::Ordered).unwrap();
    let listed = store.runs().unwrap();
    let expect = |run: &str, ended| {
        let run_id = run.to_owned();
        RunListing { run_id, head: store.settle(run).unwrap().unwrap(), ended }
    };
    assert_eq!(listed, [expect("z", false), expect("b", true), expect("k", true)]);
    assert_eq!(listed.iter().map(|run| run.head.seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(reopen(dir.path()).runs().unwrap(), listed);
    assert_eq!(assert_sound(&store), JournalExtent { runs: 3, events: 9, head: None });
}

#[test]
fn an_append_is_all_or_nothing() {
    let (_dir, store) = store();
    begin(&store, "a", 1);
    let huge = record(deed_model::RunEvent::Progress { step: "s".into(), done: 1 << 60, total: None, note: None });
    fails(store.append("a", vec![progress(2), huge], Wait::Durable), StoreErrorKind::Conflict);
    fails(store.append("a", vec![progress(2), submitted("a")], Wait::Durable), StoreErrorKind::Conflict);
    fails(store.append("a", vec![sealed(), progress(2)], Wait::Durable), StoreErrorKind::Conflict);
    let mut newer = progress(2);
    newer.version += 1;
    fails(store.append("a", vec![newer], Wait::Durable), StoreErrorKind::Conflict);
    store.append("a", Vec::new(), Wait::Durable).unwrap();
    assert_eq!(numbers(&store.events("a", 0).unwrap()), [1]);
}

#[test]
fn nothing_follows_a_seal() {
    let (dir, store) = store();
    begin(&store, "a", 1);
    store.append("a", vec![ended(), sealed()], Wait::Durable).unwrap();
    fails(store.append("a", vec![progress(2)], Wait::Durable), StoreErrorKind::Conflict);
    fails(reopen(dir.path()).append("a", vec![sealed()], Wait::Durable), StoreErrorKind::Conflict);
    assert_sound(&store);
}

/// `last` is how people call the newest run; a run of that name could never be meant.
#[test]
fn no_run_is_called_last() {
    let (_dir, store) = store();
    let error = fails(store.create("last", submitted("last")), StoreErrorKind::Conflict);
    assert_eq!(error.message, "a run cannot be called `last`: the word means the newest run");
    assert_eq!(error.help.as_deref(), Some("choose another name"));
    assert_eq!(store.runs().unwrap(), []);
    begin(&store, "lasting", 1);
}

#[test]
fn bad_names_are_refused_everywhere() {
    let (_dir, store) = store();
    for name in ["", "A", "a/b", "..", "../../etc/passwd", "a\0b", "ä", &"x".repeat(65)] {
        fails(store.create(name, submitted(name)), StoreErrorKind::Unknown);
        fails(store.append(name, vec![progress(1)], Wait::Ordered), StoreErrorKind::Unknown);
        fails(store.take(name), StoreErrorKind::Unknown);
    }
    let longest = "x_-0".repeat(16);
    store.create(&longest, submitted(&longest)).unwrap();
    fails(store.append("unknown", vec![progress(1)], Wait::Durable), StoreErrorKind::Unknown);
    assert_eq!(assert_sound(&store).runs, 1);
}

/// Ordered appends may linger for an hour: only a durable append commits them.
#[test]
fn a_durable_append_takes_all_earlier_ones_along() {
    let dir = tempfile::tempdir().unwrap();
    let mut options = quick();
    options.linger = Duration::from_secs(3600);
    let store = RunStore::create_or_open_with(dir.path(), options).unwrap();
    begin(&store, "a", 0);
    begin(&store, "b", 0);
    for n in 1..=500 {
        store.append("a", vec![progress(n)], Wait::Ordered).unwrap();
    }
    let small = deed_ports::BlobWrite::put(&store, &mut &b"small"[..]).unwrap();
    let fresh = reopen(dir.path());
    assert!(numbers(&fresh.events("a", 0).unwrap()).is_empty(), "nothing was to be written yet");
    fails(deed_ports::BlobRead::locate(&fresh, &small.sha256), StoreErrorKind::Unknown);
    store.append("b", vec![progress(1)], Wait::Durable).unwrap();
    let fresh = reopen(dir.path());
    assert_eq!(numbers(&fresh.events("a", 0).unwrap()), (1..=500).collect::<Vec<_>>());
    assert_eq!(fresh.check_blob(&small.sha256).unwrap(), 5);
    // A read of the same store sees ordered appends, without a durable one.
    store.append("a", vec![progress(501)], Wait::Ordered).unwrap();
    assert_eq!(numbers(&store.events("a", 501).unwrap()), [501]);
    store.append("a", vec![progress(502)], Wait::Ordered).unwrap();
    assert_eq!(store.settle("a").unwrap().unwrap().seq, 502);
    // And what is left is written when the store goes.
    store.append("a", vec![progress(503)], Wait::Ordered).unwrap();
    drop(store);
    assert_eq!(numbers(&reopen(dir.path()).events("a", 503).unwrap()), [503]);
}

#[test]
fn the_refusal_of_an_ordered_append_is_reported_once() {
    let (_dir, store) = store();
    begin(&store, "a", 0);
    begin(&store, "sealed", 0);
    store.append("sealed", vec![ended(), sealed()], Wait::Durable).unwrap();
    store.append("sealed", vec![progress(1)], Wait::Ordered).unwrap();
    store.append("a", vec![progress(1)], Wait::Durable).unwrap();
    let error = fails(store.append("sealed", Vec::new(), Wait::Ordered), StoreErrorKind::Conflict);
    assert_eq!(error.message, "run `sealed` is sealed: nothing can follow");
    store.append("sealed", Vec::new(), Wait::Durable).unwrap();
    // A read of all runs returns the refusal of any run.
    store.append("nowhere", vec![progress(1)], Wait::Ordered).unwrap();
    store.append("nowhere", vec![progress(2)], Wait::Ordered).unwrap();
    let error = fails(store.runs(), StoreErrorKind::Unknown);
    assert!(error.message.starts_with("there is no run `nowhere`"), "{error}");
    store.runs().unwrap();
    assert_eq!(assert_sound(&store), JournalExtent { runs: 2, events: 5, head: None });
}

#[test]
fn nothing_is_appended_after_an_unreported_refusal() {
    let dir = tempfile::tempdir().unwrap();
    let mut options = quick();
    options.linger = Duration::from_secs(3600);
    let store = RunStore::create_or_open_with(dir.path(), options).unwrap();
    store.append("a", vec![progress(1)], Wait::Ordered).unwrap();
    std::thread::scope(|scope| {
        // The run comes into being behind the refused event; the event after it must not be written without it.
        scope.spawn(|| store.create("b", submitted("b")).unwrap());
    });
    fails(store.create("a", submitted("a")), StoreErrorKind::Unknown);
    assert_eq!(store.create("a", submitted("a")).unwrap(), Created::New);
    store.append("a", vec![progress(2)], Wait::Durable).unwrap();
    assert_eq!(numbers(&store.events("a", 0).unwrap()), [2]);
}
