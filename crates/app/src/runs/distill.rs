//! Distillations: candidates to remember from a finished run, asked of a model and proposed to the memory log.
//!
//! Each distillation of a run has a journal of its own beside the runs, with frozen inputs; one that ended is the answer of
//! every later command. What may be proposed is decided by the candidates' evidence, what is remembered by the memory log.

use super::environment::{MachineOptions, RunEnvironment};
use super::load::{engine_error, load, require_plan, store_error};
use super::material::{LeftOutArtifact, Material, gather};
use super::{models, profile, transcript};
use crate::catalog;
use crate::error::AppError;
use crate::home::Home;
use crate::memory;
use crate::packs::PackChoice;
use crate::registry;
use crate::session::Session;
use crate::workspaces::{Member, WorkspaceChoice};
use deed_canon::ContentHash;
use deed_desk::{Candidate, DistillPolicy, Distillation};
use deed_detect::SecretScanner;
use deed_diag::{Diagnostic, Report, codes};
use deed_memory::{MemoryRecord, MemoryStatus};
use deed_model::{
    BindingSlot, Budget, Classification, DistilledCandidate, MemoryProposal, MemoryRules, MemoryScope, ModelConsumer,
    ProfileSnapshot, RunRequest,
};
use deed_ports::{BlobRead, JournalEntry, JournalRead as _, StoreErrorKind};
use deed_runtime::{
    DistillStanding, DistillSubmission, Distiller, RunState, World, begin_distillation, distilled_words,
};
use deed_store::{MemoryStore, RunStore};
use std::io::Read as _;
use std::sync::Arc;
use tracing::info_span;

const SLOT: BindingSlot = BindingSlot::Consumer(ModelConsumer::Distiller);
/// The most distillations that are looked for: of those that fail, another may follow.
const MOST_DISTILLATIONS: u32 = 1_000;

/// A run to distil.
#[derive(Debug, Clone, Default)]
pub struct DistillRequest {
    /// The run, the beginning of its name, or `last`.
    pub run: String,
    /// The profile that binds the distiller; that of the run otherwise.
    pub profile: Option<String>,
    /// The pack whose memory rules judge; the one that the profile pins otherwise.
    pub pack: Option<PackChoice>,
    /// The artifacts that the model reads; all texts of the run otherwise, up to a limit.
    pub artifacts: Vec<String>,
    /// The budget of the distillation.
    pub grant: Budget,
    /// Settings of the machine.
    pub machine: MachineOptions,
}

/// A run that was distilled.
#[derive(Debug)]
pub struct DistilledRun {
    /// The run.
    pub run_id: String,
    /// The journal of the distillation.
    pub distillation: String,
    /// False if an earlier command distilled the run: nothing was asked and nothing proposed.
    pub is_new: bool,
    /// The candidates, in the order of the reply.
    pub candidates: Vec<ShownCandidate>,
    /// Artifacts that the model did not read; only of a distillation that was made now.
    pub left_out: Vec<LeftOutArtifact>,
    /// Warnings.
    pub report: Report,
}

/// A candidate, and what became of it.
#[derive(Debug, Clone)]
pub struct ShownCandidate {
    /// Its statement.
    pub statement: String,
    /// The memory that it was proposed as, with its standing now.
    pub memory: Option<(MemoryRecord, MemoryStatus)>,
    /// Its sources, where the checks of the memory log did not reject it.
    pub provenance: Vec<String>,
    /// The reason why it was not proposed.
    pub refused: Option<String>,
}

/// A distillation as its journal has it.
#[derive(Debug)]
pub(crate) struct StoredDistillation {
    pub(crate) name: String,
    pub(crate) entries: Vec<JournalEntry>,
    pub(crate) state: RunState,
}

/// Distils a run: asks the model that a profile binds to the distiller, and proposes what it says. A run that was distilled
/// before is not distilled again.
///
/// # Errors
/// The run has not ended, no profile binds a model, no pack lets anything be remembered, the model gives no usable answer, or
/// a log cannot be written.
pub fn distill(session: &Session, request: &DistillRequest) -> Result<DistilledRun, AppError> {
    let _span = info_span!("distill", run = request.run).entered();
    let (home, store, loaded) = load(session, &request.run)?;
    if !loaded.state.sealed {
        let message = format!("the run `{}` has not ended", loaded.run_id);
        let help =
            format!("`deed runs show {}` shows what it waits for; a run is distilled once it is sealed", loaded.run_id);
        return Err(refused(codes::RUN_NOT_FINISHED, message, help));
    }
    let of = loaded.state.request.clone().ok_or_else(|| AppError::internal("a sealed run has a request"))?;
    let member = member(session, &of)?;
    let earlier = distillations(&home, &loaded.run_id)?;
    if let Some(ended) = earlier.iter().find(|own| own.state.distilled.is_some()) {
        return shown(session, &loaded.run_id, ended, &of, &store);
    }
    let mut report = Report::default();
    let snapshot = bound(session, request, &of, member.as_ref(), &store, &mut report)?;
    let rules = rules(session, request, &snapshot, &mut report)?;
    let material = gather(&loaded, &require_plan(&store, &loaded.state)?, &request.artifacts, &store)?;
    drop(store);
    let open = earlier.last().filter(|own| DistillStanding::of(&own.state) == DistillStanding::Open);
    let name = match open {
        Some(open) => open.name.clone(),
        None => name(&loaded.run_id, earlier.len() as u32 + 1),
    };
    let (catalog, _) = catalog::for_run(session, &[], &loaded.state)?;
    let environment = RunEnvironment::open_in(session, catalog, &request.machine, of.workspace.as_ref())?;
    let journal = Arc::new(RunStore::create_or_open(&home.distillations()).map_err(|error| store_error(&error))?);
    let world = World { journal, ..environment.engine.world().clone() };
    if open.is_none() {
        let classification = of.options.classification;
        let frozen = models::gathered(session, &snapshot, &[SLOT], classification, &mut report)?;
        let grant = profile::narrowed(request.grant, &snapshot);
        let actor = session.stamp()?.actor;
        let submission =
            DistillSubmission { name: &name, of: &of, profile: &snapshot, models: &frozen, grant, actor: &actor };
        begin_distillation(&world, &submission).map_err(engine_error)?;
    }
    let world = Arc::new(world);
    let asked = asked(session, &world, &name, (&material, &rules), &of);
    let (entries, state) = entries_of(&world, &name)?;
    if let Some(path) = &request.machine.record {
        transcript::write(path, &entries, &state, &*world.blobs)?;
    }
    asked?;
    let ended = StoredDistillation { name, entries, state };
    let distilled = shown(session, &loaded.run_id, &ended, &of, &*world.blobs)?;
    Ok(DistilledRun { is_new: true, left_out: material.left_out, report, ..distilled })
}

/// Asks, proposes, and records what became of each candidate. What was proposed before a crash is the same memory again.
fn asked(
    session: &Session,
    world: &Arc<World>,
    name: &str,
    (material, rules): (&Material, &MemoryRules),
    of: &RunRequest,
) -> Result<(), AppError> {
    let distiller = Distiller::open(world.clone(), name).map_err(engine_error)?;
    let words = policy_words(rules);
    let policy = DistillPolicy {
        classes: rules.write_classes_allowed.iter().map(String::as_str).collect(),
        tiers: rules.tiers.iter().map(|own| own.tier.as_str()).collect(),
        intents: rules.intents.iter().map(String::as_str).collect(),
        rules: &words,
    };
    let contract = of.plan_hash.to_string();
    let pieces = material.pieces();
    let question = Distillation { contract: &contract, outcome: &material.outcome, run: &material.run, pieces, policy };
    let (call, answers) = distiller.ask(&question).map_err(engine_error)?;
    let store = MemoryStore::open_or_create(&memory_folder(session, of)?).map_err(registry::error)?;
    let (stamp, tenant) = (session.stamp()?, session.home()?.config.tenant);
    let mut candidates = Vec::new();
    for answer in answers {
        candidates.push(match answer.candidate.and_then(|candidate| proposal(&candidate, &tenant, of)) {
            Err(reason) => DistilledCandidate { memory_id: None, refused: Some(reason) },
            Ok(proposal) => {
                let captured = store.propose(&proposal, rules, &stamp).map_err(registry::error)?;
                DistilledCandidate { memory_id: Some(captured.memory_id), refused: None }
            }
        });
    }
    distiller.end(call, candidates).map_err(engine_error)
}

/// A candidate as it is proposed, or the reason why it is not.
fn proposal(candidate: &Candidate, tenant: &str, of: &RunRequest) -> Result<MemoryProposal, String> {
    let scanner = SecretScanner::standard();
    let reveals = |text: &str| !scanner.scan(text).is_empty();
    if [&candidate.statement, &candidate.subject].into_iter().any(|text| reveals(text)) {
        return Err("it holds a secret".to_owned());
    }
    let artifacts = candidate.artifacts.iter().map(|cited| {
        // A reference has no blanks.
        let path: String = cited.path.split_whitespace().collect::<Vec<_>>().join("%20");
        format!("artifact:{path}@{}", cited.sha256)
    });
    Ok(MemoryProposal {
        tenant_id: tenant.to_owned(),
        subject: candidate.subject.clone(),
        intent_id: candidate.intent.clone(),
        tier: candidate.tier.clone(),
        class: candidate.class.clone(),
        text: Some(candidate.statement.clone()),
        entity: None,
        predicate: None,
        value: None,
        classification: of.options.classification.unwrap_or(Classification::Internal).as_str().to_owned(),
        provenance: std::iter::once(format!("run:{}", of.run_id)).chain(artifacts).collect(),
        confidence: candidate.confidence,
        personal_data: false,
        consent: None,
        corrects: None,
    })
}

/// The rules beside classes, tiers and intents, in lines.
fn policy_words(rules: &MemoryRules) -> String {
    let subject = match rules.scope {
        MemoryScope::Subject => "a subject is named; `*` is not allowed",
        MemoryScope::Tenant | MemoryScope::Global => "a subject is named, or is `*` for any",
    };
    let personal = match rules.pii_write_back_allowed {
        true => "personal data needs a consent that you cannot give: leave it out",
        false => "personal data is not allowed",
    };
    format!("{subject}\n{personal}")
}

/// The memory log of a run: that of its workspace, or the home's.
fn memory_folder(session: &Session, of: &RunRequest) -> Result<std::path::PathBuf, AppError> {
    let home = session.home()?;
    let workspace = of.workspace.as_ref().map(|frozen| home.workspace_memory(&frozen.workspace));
    Ok(workspace.unwrap_or_else(|| home.memory()))
}

/// The workspace of the run; only a person of it distils its runs.
fn member(session: &Session, of: &RunRequest) -> Result<Option<Member>, AppError> {
    match &of.workspace {
        None => Ok(None),
        Some(frozen) => Member::of(session, &WorkspaceChoice::Named(frozen.workspace.clone()), &[]),
    }
}

/// The snapshot that binds the distiller: of the profile that is named, or of the run.
fn bound(
    session: &Session,
    request: &DistillRequest,
    of: &RunRequest,
    member: Option<&Member>,
    blobs: &dyn BlobRead,
    report: &mut Report,
) -> Result<ProfileSnapshot, AppError> {
    let snapshot = match (&request.profile, &of.profile) {
        (Some(named), _) => profile::resolved(session, Some(named), None, member, report)?,
        (None, Some(frozen)) => Some(snapshot(blobs, &frozen.snapshot_blob)?),
        (None, None) => profile::resolved(session, None, Some(&of.run_id), member, report)?,
    };
    let named = snapshot.as_ref().map(|snapshot| snapshot.profile_ref.to_string());
    match snapshot.filter(|snapshot| deed_desk::bound(snapshot, SLOT).is_some()) {
        Some(snapshot) => Ok(snapshot),
        None => {
            let message = match named {
                Some(profile) => format!("the profile `{profile}` binds no model to `{}`", SLOT.name()),
                None => format!("no profile governs the run, so nothing binds a model to `{}`", SLOT.name()),
            };
            let help = "bind one under `consumer_bindings`, and name the profile with `--profile`";
            Err(refused(codes::CONSUMER_WITHOUT_MODEL, message, help))
        }
    }
}

fn snapshot(blobs: &dyn BlobRead, sha256: &ContentHash) -> Result<ProfileSnapshot, AppError> {
    let altered = |why: String| {
        let message = format!("the profile that was frozen with the run cannot be read: {why}");
        AppError::environment(Diagnostic::error(codes::STORE_FAILED, message).stage("memory"))
    };
    let mut bytes = Vec::new();
    let mut blob = blobs.open(sha256).map_err(|error| altered(error.message))?;
    blob.read_to_end(&mut bytes).map_err(|error| altered(error.to_string()))?;
    if ContentHash::of_bytes(&bytes) != *sha256 {
        return Err(altered("its bytes were altered".to_owned()));
    }
    serde_json::from_slice(&bytes).map_err(|error| altered(error.to_string()))
}

/// The memory rules that judge: without classes and tiers nothing could be proposed, so nothing is asked.
fn rules(
    session: &Session,
    request: &DistillRequest,
    snapshot: &ProfileSnapshot,
    report: &mut Report,
) -> Result<MemoryRules, AppError> {
    let help = "name a pack with memory rules: `--pack REF`, or `context_pack_ref` of the profile";
    let pinned = snapshot.context_pack_ref.as_ref().map(|pack| PackChoice::of(pack));
    let Some(choice) = request.pack.clone().or(pinned) else {
        let message = "the profile pins no pack, and the default pack lets nothing be remembered".to_owned();
        return Err(refused(codes::NOTHING_TO_REMEMBER, message, help));
    };
    let rules = memory::rules(session, &choice, &[], report)?;
    if rules.write_classes_allowed.is_empty() || rules.tiers.is_empty() {
        let message =
            format!("{} lets nothing be remembered: it has no classes, or no tier with a lifetime", rules.pack_ref);
        return Err(refused(codes::NOTHING_TO_REMEMBER, message, help));
    }
    Ok(rules)
}

/// What a distillation came to, with the standing of each memory now.
fn shown(
    session: &Session,
    run_id: &str,
    ended: &StoredDistillation,
    of: &RunRequest,
    blobs: &dyn BlobRead,
) -> Result<DistilledRun, AppError> {
    let corrupt = |why: String| AppError::environment(Diagnostic::error(codes::STORE_FAILED, why).stage("memory"));
    let words = distilled_words(&ended.state, blobs).map_err(corrupt)?;
    let known = memory::standings(session, &memory_folder(session, of)?)?;
    let recorded = ended.state.distilled.iter().flat_map(|(_, candidates)| candidates);
    let candidates = recorded.enumerate().map(|(place, candidate)| {
        let found = candidate.memory_id.as_ref().and_then(|id| known.get(id)).cloned();
        ShownCandidate {
            statement: words.get(place).cloned().unwrap_or_default(),
            provenance: found.as_ref().map(|(_, _, provenance)| provenance.clone()).unwrap_or_default(),
            memory: found.map(|(record, status, _)| (record, status)),
            refused: candidate.refused.clone(),
        }
    });
    Ok(DistilledRun {
        run_id: run_id.to_owned(),
        distillation: ended.name.clone(),
        is_new: false,
        candidates: candidates.collect(),
        left_out: Vec::new(),
        report: Report::default(),
    })
}

/// The distillations of a run, the oldest first.
pub(crate) fn distillations(home: &Home, run_id: &str) -> Result<Vec<StoredDistillation>, AppError> {
    let store = match RunStore::open(&home.distillations()) {
        Ok(store) => store,
        Err(error) if error.kind == StoreErrorKind::Unknown => return Ok(Vec::new()),
        Err(error) => return Err(store_error(&error)),
    };
    let mut found = Vec::new();
    for number in 1..=MOST_DISTILLATIONS {
        let name = name(run_id, number);
        let entries = store.events(&name, 0).map_err(|error| store_error(&error))?;
        if entries.is_empty() {
            break;
        }
        let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
        found.push(StoredDistillation { name, entries, state });
    }
    Ok(found)
}

/// The name of a distillation's journal.
fn name(run_id: &str, number: u32) -> String {
    let hex: String = ContentHash::of_bytes(run_id.as_bytes()).hex().chars().take(24).collect();
    format!("distill-{hex}-{number}")
}

fn entries_of(world: &World, name: &str) -> Result<(Vec<JournalEntry>, RunState), AppError> {
    let entries = world.journal.events(name, 0).map_err(|error| store_error(&error))?;
    let state = RunState::of(entries.iter().map(|entry| &entry.record.event));
    Ok((entries, state))
}

fn refused(code: deed_diag::Code, message: String, help: impl Into<String>) -> AppError {
    AppError::refused(Diagnostic::error(code, message).stage("memory").help(help.into()))
}
