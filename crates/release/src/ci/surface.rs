//! The tool surface: what compiles of the candidate expose, against what its golden cases expect.

use crate::release::Release;
use crate::trial::TrialResult;
use deed_diag::{Diagnostic, Document, codes, quote};
use deed_model::ContextPack;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A capability on the surface of an intent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SurfaceEntry {
    /// The intent.
    pub intent: String,
    /// The capability, as `adapter.capability`.
    pub capability: String,
    /// True if a golden case of the intent expects it.
    pub expected: bool,
    /// The number of golden requests and recordings that surface it.
    pub surfaced: usize,
    /// The number of them that have a result of it.
    pub used: usize,
}

/// Returns the surface of each intent.
pub(super) fn entries(release: &Release<'_>, trial: &TrialResult) -> Vec<SurfaceEntry> {
    let expected = expected(release);
    let mut entries = Vec::new();
    for intent in release.candidate.pack.intents() {
        let own = || trial.measured.iter().filter(|m| m.intent == intent);
        let wanted = expected.get(intent);
        let mut names: BTreeSet<&String> = own().flat_map(|m| &m.tools).collect();
        names.extend(wanted.into_iter().flatten());
        entries.extend(names.into_iter().map(|name| SurfaceEntry {
            intent: intent.to_owned(),
            capability: name.clone(),
            expected: wanted.is_some_and(|wanted| wanted.contains(name)),
            surfaced: own().filter(|m| m.tools.contains(name)).count(),
            used: own().filter(|m| m.called.contains(name)).count(),
        }));
    }
    entries
}

/// Returns the tools that the golden cases of each intent expect. An intent whose cases list none is not among them.
fn expected(release: &Release<'_>) -> BTreeMap<String, BTreeSet<String>> {
    let mut expected: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for request in release.candidate.golden().into_values() {
        let intent = request.case.request.pointer("/input/intent").and_then(serde_json::Value::as_str);
        if let (Some(intent), Some(tools)) = (intent, request.case.expect.tools) {
            expected.entry(intent.to_owned()).or_default().extend(tools);
        }
    }
    expected
}

/// Compares the surface with the expected one.
pub(super) fn check(release: &Release<'_>, trial: &TrialResult) -> Vec<Diagnostic> {
    let document = &release.candidate.bundle.document;
    let pack = &release.candidate.pack;
    let stated = expected(release);
    let mut findings = Vec::new();
    for (at, intent) in pack.intents().into_iter().enumerate().filter(|(_, intent)| !stated.contains_key(*intent)) {
        let message = format!("no golden case of {} lists the tools that it expects", quote(intent));
        findings.push(
            Diagnostic::error(codes::SURFACE_NOT_STATED, message)
                .at(intent_place(document, pack, at))
                .help("add `expect.tools` to a golden case of the intent"),
        );
    }
    let entries = entries(release, trial);
    for entry in entries.iter().filter(|e| !e.expected && stated.contains_key(&e.intent)) {
        let message = format!(
            "{} surfaces {}, which no golden case of it expects",
            quote(&entry.intent),
            quote(&entry.capability)
        );
        findings.push(
            Diagnostic::error(codes::SURFACE_WIDER_THAN_EXPECTED, message)
                .at(permission_place(document, pack, &entry.capability))
                .help("withdraw the permission, or add it to `expect.tools` of a golden case if the intent needs it"),
        );
    }
    findings.extend(unused(release, trial, &entries));
    findings
}

/// Names exposed capabilities that nothing uses: a warning for each that no request surfaces, and one note for the others.
fn unused(release: &Release<'_>, trial: &TrialResult, entries: &[SurfaceEntry]) -> Vec<Diagnostic> {
    let (document, pack) = (&release.candidate.bundle.document, &release.candidate.pack);
    let exposed = pack.tooling_layer.permissions.iter().filter(|p| p.allow);
    let names = exposed.map(|p| format!("{}.{}", p.adapter_id, p.capability));
    let unused = names.filter(|name| !trial.measured.iter().any(|m| m.called.contains(name)));
    let (surfaced, hidden): (Vec<String>, Vec<String>) =
        unused.partition(|name| entries.iter().any(|e| e.capability == *name));
    let help = "add a golden case that uses it, or withdraw the permission";
    let mut found: Vec<Diagnostic> = hidden
        .iter()
        .map(|name| {
            let message = format!("{} is exposed, and no golden case or recording surfaces it", quote(name));
            Diagnostic::warning(codes::CAPABILITY_UNUSED, message).at(permission_place(document, pack, name)).help(help)
        })
        .collect();
    if let Some(first) = surfaced.first() {
        let listed = surfaced.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ");
        let message = format!("exposed, and no golden case or recording has a result of it: {listed}");
        let place = permission_place(document, pack, first);
        found.push(Diagnostic::info(codes::CAPABILITY_UNUSED, message).at(place).help(help));
    }
    found
}

fn intent_place(document: &Document, pack: &ContextPack, at: usize) -> deed_diag::Place {
    match &pack.intent_layer {
        Some(_) => document.place(&format!("/intent_layer/catalog/{at}/id")),
        None => document.place(&format!("/evaluation_layer/eval_targets/{at}/intent")),
    }
}

fn permission_place(document: &Document, pack: &ContextPack, capability: &str) -> deed_diag::Place {
    let permissions = &pack.tooling_layer.permissions;
    let at = permissions.iter().position(|p| format!("{}.{}", p.adapter_id, p.capability) == capability);
    document.place(&at.map_or_else(
        || "/tooling_layer/permissions".to_owned(),
        |at| format!("/tooling_layer/permissions/{at}/capability"),
    ))
}
