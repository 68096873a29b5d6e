//! Runs that write, uploads with expectations, and quotas.

use super::fixture::{Log, content, refused};
use deed_canon::{ChainHead, ContentHash};
use deed_model::{FileOrigin, WorkspaceEvent, WorkspaceLogEvent};
use deed_workspace::{FilePath, NewFile, allowed, put};

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
    };
    let person = || FileOrigin::Person { source: None, note: None };
    let run = |run_id: &str| FileOrigin::Run {
        run_id: run_id.to_owned(),
        plan_hash: ContentHash::of_bytes(b""),
        step_id: "s".to_owned(),
        artifact: "output/r".to_owned(),
        receipt_hash: ContentHash::of_bytes(b""),
    };
    let removed =
        |path: &str, version| WorkspaceEvent::FileRemoved { path: path.to_owned(), version, reason: "r".to_owned() };
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
        let logged = WorkspaceLogEvent { format: 1, at: String::new(), actor: actor.to_owned(), event };
        assert!(allowed(&log.state, &logged).is_err(), "{logged:?}");
        // Applying it anyway does not panic.
        log.state.clone().apply(&ChainHead { seq: 0, hash: ContentHash::of_bytes(b"") }, &logged);
    }
}
