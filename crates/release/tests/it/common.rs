//! Packs of the repository, edited, and the checklist over them.

use deed_canon::ContentHash;
use deed_context::{
    Evidence, GoldenRunner, Hydrations, Inputs, Memory, PackMaterial, ReadInput, Recording, RecordingOrigin, Request,
    Run, compile, hydrate, record,
};
use deed_diag::{Diagnostic, Document, Format, Severity};
use deed_model::{GoldenCase, ReplayBundle, SourceKind};
use deed_pack::{Bundle, GoldenCaseRunner as _, PackFiles, SourceFile};
use deed_release::{
    CiAcceptance, CiInput, CiReport, LineState, Readiness, Regression, Release, Trial, TrialResult, checklist, compare,
    regressions,
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A pack folder of the repository.
pub(crate) fn bundle(folder: &str) -> Bundle {
    let at = root().join(folder);
    let source = |path: &Path| {
        let name = path.strip_prefix(root()).unwrap().display().to_string();
        SourceFile { name, bytes: std::fs::read(path).unwrap() }
    };
    let list = |name: &str| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(at.join(name)).map(|d| d.map(|e| e.unwrap().path()).collect()).unwrap_or_default();
        paths.sort();
        paths
    };
    let stem = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
    let overlays = list("overlays").iter().map(|path| (stem(path), source(path))).collect();
    let golden = list("golden").iter().map(|path| source(path)).collect();
    Bundle::read(&PackFiles { pack: source(&at.join("pack.yaml")), overlays, golden }).unwrap()
}

pub(crate) fn document(name: &str, value: &Value) -> Document {
    Document::read(name, serde_json::to_string_pretty(value).unwrap().as_bytes(), Format::Json).unwrap()
}

/// A pack with something changed in its document and its golden cases, under the next major version.
pub(crate) fn edited(of: &Bundle, edit: impl FnOnce(&mut Value, &mut Vec<(String, Value)>)) -> Bundle {
    let mut pack = of.document.value().clone();
    let (id, version) = (text(&pack, "/pack_meta/pack_id"), text(&pack, "/pack_meta/pack_version"));
    let (old, new) = (format!("{id}@{version}"), format!("{id}@2.0.0"));
    let mut golden: Vec<(String, Value)> = of
        .golden
        .iter()
        .map(|case| {
            let stem = Path::new(case.source().name()).file_stem().unwrap().to_string_lossy().into_owned();
            (stem, replaced(case.value(), &old, &new))
        })
        .collect();
    pack["pack_meta"]["pack_version"] = json!("2.0.0");
    edit(&mut pack, &mut golden);
    let overlays = of.overlays.iter().map(|(name, overlay)| {
        let file = format!("overlays/{name}.json");
        (name.clone(), document(&file, &replaced(overlay.value(), &old, &new)))
    });
    let cases = golden.iter().map(|(name, case)| document(&format!("golden/{name}.json"), case)).collect();
    Bundle::new(document("pack.json", &pack), overlays.collect(), cases)
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).unwrap().as_str().unwrap().to_owned()
}

fn replaced(value: &Value, old: &str, new: &str) -> Value {
    serde_json::from_str(&value.to_string().replace(&format!("\"{old}\""), &format!("\"{new}\""))).unwrap()
}

/// The same pack with golden cases that its author made pass: outcome, surface, controls and hash as they are now, and
/// whatever still fails is left out.
pub(crate) fn blessed(of: &Bundle) -> Bundle {
    let material = PackMaterial::of_bundle(of, &[]);
    let cache = Hydrations::new();
    let mut cases: Vec<(String, Value)> = of
        .golden
        .iter()
        .map(|case| (case.source().name().to_owned(), blessed_case(case.value(), &material, &cache)))
        .collect();
    let build = |cases: &[(String, Value)]| {
        let cases = cases.iter().map(|(name, case)| document(name, case)).collect();
        Bundle::new(of.document.clone(), of.overlays.clone(), cases)
    };
    let Some(pack) = of.typed() else { return of.clone() };
    let failing = GoldenRunner.run(&build(&cases), &pack);
    for found in failing.iter().filter(|d| d.severity == Severity::Error) {
        let place = found.place.as_ref().unwrap();
        let key =
            place.pointer.as_deref().and_then(|p| p.strip_prefix("/expect/")).map(|p| p.split('/').next().unwrap());
        let case = cases.iter_mut().find(|(name, _)| *name == place.source);
        if let (Some(key), Some((_, case))) = (key, case) {
            case["expect"].as_object_mut().unwrap().remove(key);
        }
    }
    build(&cases)
}

fn blessed_case(case: &Value, material: &PackMaterial, cache: &Hydrations) -> Value {
    let mut case = case.clone();
    let typed = GoldenCase::deserialize(&case).unwrap();
    let list = |items: &[Value]| Value::Array(items.to_vec());
    let (Ok(request), Ok(run)) = (Request::from_value(typed.request.clone()), Run::from_value(typed.run.clone()))
    else {
        return case;
    };
    let evidence = Evidence::from_value(list(&typed.evidence)).unwrap();
    let memory = Memory::from_value(list(&typed.memory)).unwrap();
    let material = PackMaterial { selected: typed.overlays.clone(), ..material.clone() };
    let Ok(pack) = hydrate(&material, &run, cache) else { return case };
    let outcome = compile(&pack, Inputs { request: &request, run: &run, evidence: &evidence, memory: &memory });
    let expect = case["expect"].as_object_mut().unwrap();
    expect.insert("outcome".to_owned(), json!(outcome.as_str()));
    match &outcome {
        deed_context::Outcome::Refused(refusal) => {
            expect.clear();
            expect.insert("outcome".to_owned(), json!("refused"));
            expect.insert("code".to_owned(), json!(refusal.diagnostic.code.as_str()));
        }
        _ => {
            let context = serde_json::to_value(outcome.context().unwrap()).unwrap();
            for key in ["must_refuse", "must_escalate", "approval_gates_active", "redaction_rules_active"] {
                if expect.contains_key(key) {
                    expect.insert(key.to_owned(), context["runtime_controls"][key].clone());
                }
            }
            if expect.contains_key("compiled_context_hash") {
                let hash = context["context_ledger"]["compiled_context_hash"].clone();
                expect.insert("compiled_context_hash".to_owned(), hash);
            }
            if expect.contains_key("tools") {
                let entries = context["manifests"]["tool_manifest"].as_array().unwrap();
                let names = entries.iter().flat_map(|entry| {
                    let adapter = entry["adapter_id"].as_str().unwrap();
                    let capabilities = entry["capabilities"].as_array().unwrap();
                    capabilities.iter().map(move |c| format!("{adapter}.{}", c.as_str().unwrap()))
                });
                expect.insert("tools".to_owned(), names.collect::<Vec<_>>().into());
            }
        }
    }
    case
}

/// A clock that never moves.
pub(crate) fn stopped() -> Duration {
    Duration::ZERO
}

/// A release that was tried.
pub(crate) struct Tried {
    pub(crate) result: TrialResult,
    pub(crate) regressions: Vec<Regression>,
}

pub(crate) fn tried(release: &Release<'_>, archive: &[ReplayBundle]) -> Tried {
    let cache = Hydrations::new();
    let mut trial = Trial::new(release, &cache, &stopped);
    let golden = trial.golden().unwrap();
    archive.iter().for_each(|bundle| trial.add("incidents", bundle).unwrap());
    let result = trial.finish(golden);
    let diff = release.base.as_ref().map(|base| compare(base.bundle, release.candidate.bundle).unwrap().0);
    let regressions = regressions(release, &result, diff.as_ref()).unwrap();
    Tried { result, regressions }
}

/// Runs the checklist over a candidate.
pub(crate) fn checked(
    candidate: &Bundle,
    base: Option<&Bundle>,
    archive: &[ReplayBundle],
    accepted: &BTreeSet<ContentHash>,
) -> CiReport {
    let release = Release::of((candidate, &[]), base.map(|base| (base, [].as_slice())));
    let tried = release.as_ref().map(|release| tried(release, archive));
    let (trial, regressions) = match tried {
        Some(tried) => (Some(Ok(tried.result)), tried.regressions),
        None => (None, Vec::new()),
    };
    let diff = base.filter(|_| release.is_some()).map(|base| compare(base, candidate));
    checklist(CiInput {
        acceptance: CiAcceptance::default(),
        candidate,
        release: release.as_ref(),
        no_base: base.is_none().then(|| "no base".to_owned()),
        trial,
        regressions,
        accepted: accepted.clone(),
        diff,
        readiness: Readiness::NotChecked { why: "no registry".to_owned() },
    })
}

/// Each line as `number name state codes`, with the codes of errors alone.
pub(crate) fn shown(report: &CiReport) -> Vec<String> {
    let state = |state| match state {
        LineState::Passed => "passed",
        LineState::Failed => "failed",
        LineState::NotRun => "not run",
    };
    let lines = report.lines.iter().map(|line| {
        let codes: BTreeSet<&str> = errors(&line.findings).map(|d| d.code.as_str()).collect();
        let codes: Vec<&str> = codes.into_iter().collect();
        format!("{} {} {} {}", line.number, line.step.as_str(), state(line.state), codes.join(" "))
            .trim_end()
            .to_owned()
    });
    lines.collect()
}

pub(crate) fn errors(found: &[Diagnostic]) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(|d| d.severity == Severity::Error)
}

/// The worked example of the support pack, recorded.
pub(crate) fn recorded(edit: impl FnOnce(&mut Value)) -> ReplayBundle {
    recorded_as(SourceKind::DecisionRecord, RecordingOrigin::default(), edit)
}

/// The worked example of the support pack, recorded as something else.
pub(crate) fn recorded_as(
    source_kind: SourceKind,
    origin: RecordingOrigin,
    edit: impl FnOnce(&mut Value),
) -> ReplayBundle {
    let of = bundle("packs/support");
    let example = |name: &str| {
        let path = root().join(format!("packs/support/examples/{name}.yaml"));
        Document::read(name, &std::fs::read(path).unwrap(), Format::Yaml).unwrap().value().clone()
    };
    let mut request = example("request");
    edit(&mut request);
    let recording = Recording {
        pack: PackMaterial::of_bundle(&of, &[]),
        request,
        run: example("run"),
        evidence: example("evidence"),
        memory: example("memory"),
        source_kind,
        origin,
        recalled_memory: None,
        reported_tokens: None,
    };
    record(recording, &Hydrations::new()).unwrap()
}
