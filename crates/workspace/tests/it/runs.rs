//! Runs that write, uploads with expectations, and quotas.

use super::fixture::{Log, content, refused};
use deed_canon::{ChainHead, ContentHash};
use deed_model::{FileOrigin, FileSuccessor, WorkspaceEvent, WorkspaceLogEvent};
use deed_workspace::{FilePath, FileRef, NewFile, allowed, put, resolve};

#[test]
fn a_run_writes_once_and_all_at_once() {
    let mut log = Log::new();
    refused(log.end("one", &[]), "D3023");
    assert_eq!(log.begin("one"), Ok(1));
    assert_eq!(log.begin("one"), Ok(0));
    assert_eq!(log.end("one", &[("r.csv", "a"), ("s/t.csv", "b")]), Ok(3));
    assert_eq!(log.end("one", &[("r.csv", "other")]), Ok(0));
    let file = log.state.file("agents/monthly/r.csv").unwrap();
    let Some(FileOrigin::Run { run_id, step_id, artifact, .. }) = &file.versions[0].origin else { panic!("{file:?}") };
    assert_eq!((run_id.as_str(), step_id.as_str(), artifact.as_str()), ("one", "write", "output/r.csv"));
    assert_eq!(log.state.run("one").unwrap().ended.unwrap().1, 2);
}

#[test]
fn two_runs_that_write_one_name_both_keep_their_version() {
    let mut log = Log::new();
    log.begin("one").unwrap();
    log.begin("two").unwrap();
    log.end("two", &[("r.csv", "second")]).unwrap();
    log.end("one", &[("r.csv", "first")]).unwrap();
    let file = log.state.file("agents/monthly/r.csv").unwrap();
    assert_eq!(
        file.versions.iter().map(|version| version.content).collect::<Vec<_>>(),
        [Some(content("second")), Some(content("first"))]
    );
    // The run that was submitted first ended last: its output does not take the place of the later one.
    assert_eq!(file.latest().and_then(|latest| latest.content), Some(content("second")));
    let by = file.versions[1].superseded_by.clone().unwrap();
    assert_eq!((by.path.as_str(), by.version, by.run_id.as_str()), ("agents/monthly/r.csv", 1, "two"));
    // What comes after both is the newest.
    log.begin("three").unwrap();
    log.end("three", &[("r.csv", "third")]).unwrap();
    assert_eq!(log.state.file("agents/monthly/r.csv").unwrap().latest().map(|latest| latest.version), Some(3));
}

/// A late output neither removes what a later run wrote nor brings back what a person removed since.
#[test]
fn a_late_output_stays_behind_whatever_is_in_its_way() {
    let mut log = Log::new();
    log.begin("one").unwrap();
    log.begin("two").unwrap();
    log.end("two", &[("pages/1.html", "a page"), ("r.csv", "second")]).unwrap();
    log.remove("agents/monthly/r.csv").unwrap();
    assert_eq!(log.end("one", &[("Pages", "a file"), ("r.csv", "first")]), Ok(3));
    assert!(log.state.file("agents/monthly/pages/1.html").unwrap().is_live());
    for late in ["agents/monthly/Pages", "agents/monthly/r.csv"] {
        let file = log.state.file(late).unwrap();
        assert!(!file.is_live() && file.last().unwrap().superseded_by.is_some(), "{file:?}");
    }
    let late = FileRef::read("agents/monthly/Pages").unwrap();
    refused(resolve(&log.state, &late).map(drop), "D3007");
    assert!(resolve(&log.state, &FileRef::read("agents/monthly/Pages@1").unwrap()).is_ok());
    // The next run takes the place of what is there.
    log.begin("three").unwrap();
    assert_eq!(log.end("three", &[("Pages", "a file")]), Ok(3));
    assert_eq!(log.state.file("agents/monthly/Pages").unwrap().latest().map(|latest| latest.version), Some(2));
}

#[test]
fn an_output_takes_the_place_of_what_is_in_its_way() {
    let mut log = Log::new();
    log.begin("one").unwrap();
    log.end("one", &[("pages", "a file")]).unwrap();
    log.begin("two").unwrap();
    assert_eq!(log.end("two", &[("Pages/1.html", "a page")]), Ok(3));
    let before = log.state.file("agents/monthly/pages").unwrap();
    assert!(!before.is_live() && before.versions[0].content == Some(content("a file")));
    assert!(before.versions[1].reason.as_deref().unwrap().contains("two"));
    let by = before.versions[1].replaced_by.clone().unwrap();
    assert_eq!((by.path.as_str(), by.version, by.run_id.as_str()), ("agents/monthly/Pages/1.html", 1, "two"));
    assert!(log.state.file("agents/monthly/Pages/1.html").unwrap().is_live());
}

#[test]
fn people_do_not_write_files_of_agents() {
    let mut log = Log::new();
    refused(log.put("agents/monthly/r.csv", "forged"), "D3009");
    refused(log.put_by("eve", "people/a", "x", None), "D3011");
    log.begin("one").unwrap();
    log.end("one", &[("r.csv", "a")]).unwrap();
    log.remove("agents/monthly/r.csv").unwrap();
    refused(log.remove("agents/monthly/r.csv"), "D3018");
    refused(log.remove("people/none"), "D3006");
}

#[test]
fn an_upload_may_name_the_version_that_it_replaces() {
    let mut log = Log::new();
    assert_eq!(log.put_by("ada", "a", "one", Some(0)), Ok(1));
    refused(log.put_by("ada", "a", "two", Some(0)), "D3019");
    refused(log.put_by("ada", "b", "two", Some(1)), "D3019");
    assert_eq!(log.put_by("ada", "a", "two", Some(1)), Ok(1));
    // A removal is a version too.
    log.remove("a").unwrap();
    refused(log.put_by("ada", "a", "three", Some(2)), "D3019");
    assert_eq!(log.put_by("ada", "a", "three", Some(3)), Ok(1));
}

#[test]
fn an_upload_of_several_files_is_whole_or_not_at_all() {
    let mut log = Log::new();
    let file = |path: &str| NewFile {
        path: FilePath::read(path).unwrap(),
        content: content(path),
        source: None,
        note: None,
        base: None,
    };
    let files = [file("a"), file("b"), file("A")];
    refused(log.append("ada", |state| put(state, &files, "ada")), "D3008");
    assert_eq!(log.state.files().count(), 0);
    assert_eq!(log.append("ada", |state| put(state, &files[..2], "ada")), Ok(2));
}

#[test]
fn quotas_hold_for_people_and_for_runs() {
    let mut log = Log::with_quota(5, 3);
    log.put("a", "12345").unwrap();
    // Equal content counts once.
    log.put("b", "12345").unwrap();
    refused(log.put("c", "6"), "D3010");
    log.begin("one").unwrap();
    refused(log.end("one", &[("r", "6")]), "D3010");
    assert!(log.state.run("one").unwrap().ended.is_none());
    log.put("c", "12345").unwrap();
    refused(log.put("d", "12345"), "D3010");
    assert_eq!(log.end("one", &[]), Ok(1));
}

/// Events that no transition returns are not allowed by the state before them.
#[test]
fn what_could_not_have_been_appended_is_found() {
    let mut log = Log::new();
    log.put("a", "one").unwrap();
    log.begin("one").unwrap();
    let written = |path: &str, version, origin| WorkspaceEvent::FileWritten {
        path: path.to_owned(),
        version,
        content: content("x"),
        origin,
        superseded_by: None,
    };
    let person = || FileOrigin::Person { source: None, note: None };
    let run = |run_id: &str| FileOrigin::Run {
        run_id: run_id.to_owned(),
        plan_hash: ContentHash::of_bytes(b""),
        step_id: "s".to_owned(),
        artifact: "output/r".to_owned(),
        receipt_hash: ContentHash::of_bytes(b""),
    };
    let taken = |path: &str, version, replaced_by| WorkspaceEvent::FileRemoved {
        path: path.to_owned(),
        version,
        reason: "r".to_owned(),
        replaced_by,
    };
    let removed = |path: &str, version| taken(path, version, None);
    let by =
        |path: &str, run_id: &str| Some(FileSuccessor { path: path.to_owned(), version: 1, run_id: run_id.to_owned() });
    log.begin("zero").unwrap();
    log.end("zero", &[("q", "old"), ("done", "x")]).unwrap();
    let late = |superseded_by| WorkspaceEvent::FileWritten {
        path: "agents/monthly/q".to_owned(),
        version: 2,
        content: content("x"),
        origin: run("one"),
        superseded_by,
    };
    let forged = [
        ("ada", written("people/a", 3, person())),
        ("ada", written("people/a", 1, person())),
        ("ada", written("people/../x", 1, person())),
        ("ada", written("people/A", 1, person())),
        ("ada", written("people/a/b", 1, person())),
        ("eve", written("people/b", 1, person())),
        ("ada", written("agents/m/r", 1, person())),
        ("ada", written("people/r", 1, run("one"))),
        ("ada", written("agents/m/r", 1, run("two"))),
        ("ada", removed("people/b", 1)),
        ("eve", removed("people/a", 2)),
        // `one` was submitted before `zero`, whose output stays the newest; and it may remove only what is in its way.
        ("ada", late(None)),
        ("ada", late(by("agents/monthly/q", "one"))),
        ("eve", removed("agents/monthly/q", 2)),
        ("ada", taken("agents/monthly/q", 2, by("agents/monthly/r", "one"))),
        ("ada", taken("agents/monthly/q", 2, by("agents/monthly/q/r", "zero"))),
        ("ada", taken("people/a", 2, by("people/A", "one"))),
        (
            "eve",
            WorkspaceEvent::PersonAdded { person_id: "eve".to_owned(), name: None, roles: ["owner".to_owned()].into() },
        ),
        ("ada", WorkspaceEvent::PersonRemoved { person_id: "ada".to_owned(), reason: None }),
        ("ada", WorkspaceEvent::RunBegan { run_id: "one".to_owned(), plan: "monthly".to_owned(), inputs: Vec::new() }),
        (
            "ada",
            WorkspaceEvent::RunEnded { run_id: "one".to_owned(), outcome: deed_model::RunOutcome::Succeeded, files: 1 },
        ),
        (
            "ada",
            WorkspaceEvent::RunEnded { run_id: "two".to_owned(), outcome: deed_model::RunOutcome::Succeeded, files: 0 },
        ),
        (
            "ada",
            WorkspaceEvent::WorkspaceCreated { workspace: "x".to_owned(), tenant_id: "t".to_owned(), purpose: None },
        ),
    ];
    for (actor, event) in forged {
        let logged = WorkspaceLogEvent { format: 2, at: String::new(), actor: actor.to_owned(), event };
        assert!(allowed(&log.state, &logged).is_err(), "{logged:?}");
        // Applying it anyway does not panic.
        log.state.clone().apply(&ChainHead { seq: 0, hash: ContentHash::of_bytes(b"") }, &logged);
    }
}
