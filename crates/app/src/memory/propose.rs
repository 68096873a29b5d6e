//! A proposal from a file: read, checked, captured.

use super::findings::findings;
use super::instant;
use super::secrets::conceal;
use crate::contexts::unquoted;
use crate::error::AppError;
use crate::files;
use crate::packs::{self, PackChoice};
use crate::registry::{self, report_of};
use crate::session::Session;
use deed_diag::{Diagnostic, Document, Report, codes};
use deed_memory::{MemoryRecord, MemoryStatus, rules_of};
use deed_model::{ContextPack, MemoryProposal, MemoryRules, PackRef, schema_for};
use deed_pack::{Purpose, Selection, resolve};
use deed_schema::Shape;
use deed_store::{MemoryStore, Outcome};
use serde::Deserialize;
use std::path::PathBuf;
use tracing::info_span;

/// A proposal, and the pack that it is judged by.
#[derive(Debug, Clone, Default)]
pub struct ProposalRequest {
    /// The file of the proposal.
    pub file: PathBuf,
    /// The pack.
    pub pack: PackChoice,
    /// Overlays to apply, by name, besides those that the environment binds.
    pub overlays: Vec<String>,
}

/// A proposal that was captured and checked.
#[derive(Debug)]
pub struct ProposedMemory {
    /// Its record.
    pub record: MemoryRecord,
    /// Its standing now.
    pub status: MemoryStatus,
    /// The recorded events, by the last of them.
    pub outcome: Outcome,
    /// The findings of the checks, and warnings.
    pub report: Report,
}

/// Proposes a memory. What the checks reject is recorded as rejected, without its content, and is no error here.
///
/// # Errors
/// The file cannot be read as a proposal or holds a secret, the pack cannot be used, or the log cannot be written.
pub fn propose(session: &Session, request: &ProposalRequest) -> Result<ProposedMemory, AppError> {
    let _span = info_span!("propose memory").entered();
    session.home()?;
    let stamp = session.stamp()?;
    let (document, proposal) = read(&request.file)?;
    let mut report = Report::default();
    let rules = rules(session, &request.pack, &request.overlays, &mut report)?;
    let store = MemoryStore::open_or_create(&super::folder(session)?).map_err(registry::error)?;
    let captured = store.propose(&proposal, &rules, &stamp).map_err(registry::error)?;
    report.add_source(document.source().clone());
    findings(&document, &proposal, &rules, &captured.rejected).into_iter().for_each(|finding| report.push(finding));
    let state = store.state().map_err(registry::error)?;
    let record = state.get(&captured.memory_id).cloned();
    let record = record.ok_or_else(|| AppError::internal("a captured memory has a record"))?;
    let status = record.status(state.now(instant(&stamp)?));
    Ok(ProposedMemory { record, status, outcome: captured.outcome, report })
}

/// Reads a proposal. Its words are kept out of every excerpt.
fn read(file: &std::path::Path) -> Result<(Document, MemoryProposal), AppError> {
    let mut document = files::document(file)?;
    let secrets = conceal(&mut document);
    unquoted(&mut document, &["text"]);
    unquoted(&mut document, &["value"]);
    let refuse = |findings: Vec<Diagnostic>| {
        let mut report = report_of(findings);
        report.add_source(document.source().clone());
        AppError::from(report)
    };
    if !secrets.is_empty() {
        return Err(refuse(secrets));
    }
    let found = Shape::new(schema_for::<MemoryProposal>()).findings(&document);
    if !found.is_empty() {
        return Err(refuse(found.into_iter().map(|finding| finding.stage("memory")).collect()));
    }
    match MemoryProposal::deserialize(document.value()) {
        Ok(proposal) => Ok((document, proposal)),
        Err(error) => {
            let message = format!("the proposal cannot be read: {error}");
            let finding = Diagnostic::error(codes::INPUT_SHAPE, message).stage("memory").at(document.place(""));
            Err(refuse(vec![finding.help("`schemas/memory-proposal.v1.schema.json` describes it")]))
        }
    }
}

/// The memory rules of the pack, with its overlays.
pub(crate) fn rules(
    session: &Session,
    pack: &PackChoice,
    overlays: &[String],
    report: &mut Report,
) -> Result<MemoryRules, AppError> {
    let read = packs::usable(session, pack, Purpose::NewWork, report)?;
    let mut selected = read.bound_overlays().to_vec();
    let asked = overlays.iter().filter(|name| !selected.contains(name)).cloned().collect::<Vec<_>>();
    selected.extend(asked);
    let unusable = || {
        let mut report = read.bundle.report();
        let finding = Diagnostic::error(codes::UNUSABLE_PACK, "the document cannot be read as a pack").stage("pack");
        report.push(finding.at(read.bundle.document.place("")).help("run `deed pack lint` for details"));
        AppError::from(report)
    };
    let typed = read.bundle.typed().ok_or_else(unusable)?;
    let resolved = resolve(&read.bundle, &typed, &Selection::Named(selected))?;
    let pack = ContextPack::deserialize(&resolved.pack).map_err(|_| unusable())?;
    let meta = &pack.pack_meta;
    let pack_ref = PackRef::of(&meta.pack_id, &meta.pack_version).map_err(|_| unusable())?;
    Ok(rules_of(&pack, pack_ref, resolved.hash, read.origin))
}
