//! Recorded compiles, replayed and saved.

use crate::project::{Project, codes, repository};
use deed_app::contexts::{
    ContextSources, LoadedOrigin, OriginSources, ReplayRequest, ReplayResults, packet, packets, read_compiled, replay,
    supersede, verify_lives, what_if, write_recording,
};
use deed_app::packs::PackChoice;
use deed_model::{ReplayResult, SourceKind};
use serde_json::{Value, json};

fn sources() -> ContextSources {
    let example = |name: &str| repository("packs/support/examples").join(name);
    ContextSources {
        pack: Some(repository("packs/support").display().to_string()),
        request: example("request.yaml"),
        run: example("run.yaml"),
        evidence: Some(example("evidence.yaml")),
        memory: Some(example("memory.yaml")),
        ..ContextSources::default()
    }
}

fn record(p: &Project, name: &str) {
    let (loaded, _) = sources().load(&p.session).unwrap();
    write_recording(
        &p.path(name),
        &loaded.record(&p.session, SourceKind::DecisionRecord, &LoadedOrigin::default(), None).unwrap(),
    )
    .unwrap();
}

#[test]
fn a_result_is_saved_only_if_it_is_asked_for() {
    let p = Project::new();
    record(&p, "recorded/1.json");
    let before = p.read("recorded/1.json");
    let mut request = ReplayRequest { path: p.path("recorded"), ..ReplayRequest::default() };
    let replayed = replay(&p.session, &request).unwrap();
    assert_eq!((replayed.replayed.len(), replayed.unreadable), (1, 0));
    assert!(replayed.replayed[0].1.is_equal());
    assert_eq!(p.read("recorded/1.json"), before);
    request.results = ReplayResults::Saved;
    replay(&p.session, &request).unwrap();
    // A recording is never written again: what happens to it stands beside it.
    assert_eq!(p.read("recorded/1.json"), before);
    let saved: Value = serde_json::from_str(&p.read("recorded/1.json.life")).unwrap();
    assert_eq!(saved["entries"][0]["event"]["result"]["result"], "replay_equal", "{saved}");
}

/// The life lies beside the recording that a link leads to.
#[test]
fn a_result_is_saved_through_a_link() {
    let p = Project::new();
    record(&p, "kept/1.json");
    std::os::unix::fs::symlink(p.path("kept/1.json"), p.path("link.json")).unwrap();
    let request = ReplayRequest { path: p.path("link.json"), results: ReplayResults::Saved, ..Default::default() };
    replay(&p.session, &request).unwrap();
    assert!(std::fs::symlink_metadata(p.path("link.json")).unwrap().file_type().is_symlink());
    assert!(p.path("kept/1.json.life").is_file() && !p.path("link.json.life").exists());
    assert_eq!(packet(&p.path("link.json")).unwrap().state, ReplayResult::ReplayEqual);
}

#[test]
fn a_bundle_that_cannot_be_read_does_not_stop_the_others() {
    let p = Project::new();
    record(&p, "recorded/1.json");
    p.write("recorded/2.json", "{}");
    let request = ReplayRequest { path: p.path("recorded"), ..ReplayRequest::default() };
    let replayed = replay(&p.session, &request).unwrap();
    assert_eq!((replayed.replayed.len(), replayed.unreadable), (1, 1));
    assert!(replayed.report.has_errors());
    let request = ReplayRequest { path: p.path("recorded/2.json"), ..request };
    assert!(!codes(replay(&p.session, &request)).is_empty());
}

#[test]
fn a_recording_is_not_replaced_by_another() {
    let p = Project::new();
    record(&p, "1.json");
    let (loaded, _) = sources().load(&p.session).unwrap();
    let bundle = loaded.record(&p.session, SourceKind::DecisionRecord, &LoadedOrigin::default(), None).unwrap();
    assert_eq!(codes(write_recording(&p.path("1.json"), &bundle)), ["D0006"]);
}

#[test]
fn another_pack_is_judged_by_recorded_requests() {
    let p = Project::new();
    record(&p, "recorded/1.json");
    let pack = PackChoice::of(&repository("packs/support").display().to_string());
    let (judged, _) = what_if(&p.session, &p.path("recorded"), &pack, &[]).unwrap();
    assert_eq!((judged.requests, judged.changed.len(), judged.passes()), (1, 0, true));
}

#[test]
fn a_compiled_context_is_read_alone_or_as_it_was_printed() {
    let p = Project::new();
    let (loaded, _) = sources().load(&p.session).unwrap();
    let pack = loaded.hydrate().unwrap();
    let context = serde_json::to_value(loaded.compile(&pack).unwrap()).unwrap();
    for (name, document) in [("alone.json", context.clone()), ("printed.json", json!({ "data": context }))] {
        let read = read_compiled(&p.write(name, document.to_string())).unwrap();
        assert_eq!(serde_json::to_value(read).unwrap(), context, "{name}");
    }
    assert_eq!(codes(read_compiled(&p.write("other.json", "{}"))), ["D1529"]);
}

#[test]
fn packets_have_lives_and_ends() {
    let p = Project::new();
    record(&p, "recorded/1.json");
    let (loaded, _) = ContextSources { evidence: None, ..sources() }.load(&p.session).unwrap();
    let origin = OriginSources {
        supersedes: Some(p.path("recorded/1.json")),
        trace_id: Some("trace_1".to_owned()),
        ..OriginSources::default()
    };
    let origin = origin.load(&p.session).unwrap();
    let bundle = loaded.record(&p.session, SourceKind::EnvironmentEpisode, &origin, None).unwrap();
    write_recording(&p.path("recorded/2.json"), &bundle).unwrap();
    // As if it had been killed here: the newer one is complete, and the older one does not know of it.
    assert_eq!(packet(&p.path("recorded/1.json")).unwrap().state, ReplayResult::NotRun);
    assert_eq!(packets(&p.path("recorded")).unwrap().report.diagnostics().len(), 1);
    origin.supersede(&p.session, &bundle).unwrap();
    let ended = packet(&p.path("recorded/1.json")).unwrap();
    assert_eq!(
        (ended.state, ended.superseded_by.as_deref()),
        (ReplayResult::Superseded, Some(bundle.packet.packet_id.as_str()))
    );
    let again = supersede(&p.session, &p.path("recorded/1.json"), &p.path("recorded/2.json")).unwrap();
    assert_eq!(again, ended);
    assert!(packets(&p.path("recorded")).unwrap().report.diagnostics().is_empty());
    let verified = verify_lives(&p.path("recorded"), None).unwrap();
    assert_eq!(verified.iter().map(|life| life.entries).collect::<Vec<_>>(), [1, 0]);
    // Nothing replays it again.
    let request = ReplayRequest { path: p.path("recorded"), results: ReplayResults::Saved, ..Default::default() };
    let replayed = replay(&p.session, &request).unwrap().replayed;
    let results: Vec<ReplayResult> = replayed.iter().map(|(_, report)| report.result).collect();
    assert_eq!(results, [ReplayResult::Superseded, ReplayResult::ReplayEqual]);
    assert_eq!(packet(&p.path("recorded/1.json")).unwrap(), ended);
}
