//! Reads the inputs of a compile: files, the pack, the instant.

use super::assign::{Assignment, Side};
use super::known::KnownPaths;
use super::origin::LoadedOrigin;
use super::sweep::Variation;
use crate::classified::{RestrictedCopies, of_pack};
use crate::endpoints;
use crate::error::AppError;
use crate::files;
use crate::memory::{RecallInstant, Recaller};
use crate::packs::{self, EnvironmentPin, PackChoice, UsedVersion};
use crate::registry::checked_time;
use crate::session::Session;
use crate::workspaces::{self, WorkspaceChoice};
use deed_canon::{Node, NodeKind, Span};
use deed_context::{
    Evidence, Hydrated, Hydrations, Inputs, Memory, PackMaterial, ReadInput, Recording, Refusal, Request, Run, compile,
    dispatch, record,
};
use deed_diag::{Diagnostic, Document, Report, codes};
use deed_model::{
    CallDecision, CompileMeasurement, CompiledContext, ContextPack, EnvironmentEndpoints, OverlayRef, PackNaming,
    PackRef, PackSource, PackUse, RecalledMemory, RefError, ReplayBundle, SourceKind, ToolCall,
};
use deed_pack::{Bundle, Purpose, Resolved, Selection, resolve};
use serde::Deserialize;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tracing::info_span;

/// A pack and everything that a compile reads besides it, as files.
#[derive(Debug, Clone, Default)]
pub struct ContextSources {
    /// An exact published version such as `ctxpack.support@1.0.0`, or a pack's folder; with an environment the id of a
    /// pack. Otherwise the request names the version.
    pub pack: Option<String>,
    /// The environment whose pinned version and overlays are used.
    pub environment: Option<String>,
    /// The workspace, which gives the pack of a request that pins none, and the memory log that is recalled from.
    pub workspace: WorkspaceChoice,
    /// The request, as YAML or JSON.
    pub request: PathBuf,
    /// The run context.
    pub run: PathBuf,
    /// Retrieved evidence, a list.
    pub evidence: Option<PathBuf>,
    /// Recalled memory, a list: its promotions are the caller's word.
    pub memory: Option<PathBuf>,
    /// True to recall the promoted memories of the home's memory log for the run.
    pub recall: bool,
    /// Overlays to apply, by name, besides those that the request names.
    pub overlays: Vec<String>,
    /// The instant that lifetimes are judged at, as RFC 3339; otherwise the run's `as_of`, and else the session's time.
    pub as_of: Option<String>,
    /// Values to set in the request and the run, in place of those in their files.
    pub set: Vec<Assignment>,
    /// Variations that [`LoadedContext::sweep`] will ask for, whose paths are checked with those that are set.
    pub vary: Vec<Variation>,
    /// The answer to a recording under a pack that is RESTRICTED.
    pub restricted: RestrictedCopies,
}

/// The sources of a compile, read and checked.
#[derive(Debug)]
pub struct LoadedContext {
    /// The pack with its overlays applied.
    pub pack: Resolved,
    /// The request.
    pub request: Request,
    /// The run context.
    pub run: Run,
    /// The evidence.
    pub evidence: Evidence,
    /// The memory.
    pub memory: Memory,
    /// The run context with the instant that it is judged at, and the values that the caller set.
    pub run_value: Value,
    /// The request with the values that the caller set.
    pub request_value: Value,
    /// The documents as they were given.
    pub documents: Documents,
    /// The pack as it was given.
    bundle: Bundle,
    /// The overlays that are applied.
    selected: Vec<String>,
    /// The origin of the pack, and the party that named it.
    source: PackSource,
    /// The version of the registry, if the pack is one.
    used: Option<UsedVersion>,
    /// The memory log of the home, if it is recalled from, and what it recalled.
    recalled: Option<(Recaller, Vec<RecalledMemory>)>,
    /// The endpoints of the environment, if one was named.
    endpoints: Option<EnvironmentEndpoints>,
    restricted: RestrictedCopies,
}

/// The documents behind the inputs.
#[derive(Debug)]
pub struct Documents {
    /// The request.
    pub request: Document,
    /// The run context.
    pub run: Document,
    /// The evidence.
    pub evidence: Document,
    /// The memory.
    pub memory: Document,
}

/// A request and a run in which a value was varied.
pub(super) struct Varied {
    request: Request,
    run: Run,
    memory: Option<Memory>,
}

impl Varied {
    /// These inputs, with evidence and memory as they were read.
    pub(super) fn inputs<'v>(&'v self, loaded: &'v LoadedContext) -> Inputs<'v> {
        let memory = self.memory.as_ref().unwrap_or(&loaded.memory);
        Inputs { request: &self.request, run: &self.run, evidence: &loaded.evidence, memory }
    }
}

impl LoadedContext {
    /// The inputs of a compile.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }

    /// Returns the request and the run with more values set, or a refusal if a value makes one of them invalid.
    pub(super) fn assigned(&self, assignments: &[Assignment]) -> Result<Result<Varied, Refusal>, AppError> {
        let (mut request, mut run) = (self.request_value.clone(), self.run_value.clone());
        for assignment in assignments {
            assignment.apply(Side::Request, &mut request)?;
            assignment.apply(Side::Run, &mut run)?;
        }
        let read = Request::from_value(request).and_then(|request| Ok((request, Run::from_value(run)?)));
        let (request, run) = match read {
            Ok(read) => read,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let memory = self.recalled_anew(&request, &run)?;
        Ok(Ok(Varied { request, run, memory }))
    }

    /// The memory for a request and a run that ask the store for others than those that were recalled; none if they do not.
    fn recalled_anew(&self, request: &Request, run: &Run) -> Result<Option<Memory>, AppError> {
        let Some((recaller, _)) = &self.recalled else { return Ok(None) };
        let asks = |request: &Request, run: &Run| {
            let subjects: Vec<String> = run.subjects().map(str::to_owned).collect();
            (run.context().tenant_id.clone(), subjects, request.intent().to_owned(), run.as_of())
        };
        if asks(request, run) == asks(&self.request, &self.run) {
            return Ok(None);
        }
        let listed = Memory::from_value(self.documents.memory.value().clone());
        let listed = listed.map_err(|refusal| self.refused(vec![*refusal.diagnostic]))?;
        Ok(Some(listed.with_recalled(recaller.recall(request, run)?)))
    }

    /// Makes the pack ready to compile with.
    ///
    /// # Errors
    /// The run names an unknown tokenizer, or the pack cannot be used.
    pub fn hydrate(&self) -> Result<Hydrated, AppError> {
        let tokenizer = self.run.tokenizer().map_err(|refusal| self.refused(vec![*refusal.diagnostic]))?;
        let hydrated = Hydrated::new(&self.pack, tokenizer);
        let hydrated = hydrated.map_err(|refusal| self.refused(vec![*refusal.diagnostic]))?;
        Ok(hydrated.from_source(self.source.clone()).with_endpoints(self.endpoints.clone()))
    }

    /// Compiles what a model sees under a pack that was made ready by [`LoadedContext::hydrate`].
    ///
    /// # Errors
    /// The compile refuses; diagnostics name places in the files that were given.
    pub fn compile<'c>(&'c self, pack: &'c Hydrated) -> Result<Box<CompiledContext<'c>>, AppError> {
        let _span = info_span!("compile context").entered();
        let compiled = compile(pack, self.inputs()).into_result();
        compiled.map_err(|refusal| self.refused(vec![*refusal.diagnostic]))
    }

    /// Decides about a call of a tool with its real arguments, under a pack that was made ready by
    /// [`LoadedContext::hydrate`].
    ///
    /// # Errors
    /// The request could not be compiled either.
    pub fn decide<'c>(&'c self, pack: &'c Hydrated, call: &ToolCall) -> Result<CallDecision<'c>, AppError> {
        let _span = info_span!("decide call", tool = call.tool).entered();
        dispatch(pack, self.inputs(), call).map_err(|refusal| self.refused(vec![*refusal.diagnostic]))
    }

    /// Compiles, and keeps everything that was read and decided as one bundle, with the time that the compile took. A
    /// session whose time is set repeats exactly, and measures nothing.
    ///
    /// # Errors
    /// The pack cannot be used, or is RESTRICTED and that was not allowed, or something of it has no canonical form.
    pub fn record(
        &self,
        session: &Session,
        source_kind: SourceKind,
        origin: &LoadedOrigin,
        reported_tokens: Option<u64>,
    ) -> Result<ReplayBundle, AppError> {
        self.restricted.check(Some(of_pack(&self.pack.pack)?), "a recording", "the pack")?;
        let recording = Recording {
            pack: PackMaterial::of_bundle(&self.bundle, &self.selected)
                .from_source(self.source.clone())
                .with_endpoints(self.endpoints.clone()),
            request: self.request_value.clone(),
            run: self.run_value.clone(),
            evidence: self.documents.evidence.value().clone(),
            memory: self.documents.memory.value().clone(),
            recalled_memory: self
                .recalled
                .as_ref()
                .map(|(_, recalled)| serde_json::to_value(recalled))
                .transpose()
                .map_err(AppError::internal)?,
            source_kind,
            origin: origin.origin.clone(),
            reported_tokens,
        };
        let bundle = record(recording, &Hydrations::new());
        let mut bundle =
            bundle.map_err(|found| self.refused_beside(found.diagnostics().to_vec(), &origin.documents()))?;
        origin.may_supersede(&bundle)?;
        if session.now.is_none() {
            bundle.measured = Some(self.measure()?);
        }
        Ok(bundle)
    }

    /// Measures the compile, without the preparation of the pack.
    fn measure(&self) -> Result<CompileMeasurement, AppError> {
        let pack = self.hydrate()?;
        let began = Instant::now();
        let outcome = compile(&pack, self.inputs());
        let took = began.elapsed();
        drop(outcome);
        Ok(CompileMeasurement { compile_us: u64::try_from(took.as_micros()).map_err(AppError::internal)? })
    }

    /// Records in the registry that a recording used the version, once for each environment. The report has warnings.
    ///
    /// # Errors
    /// The session's time or actor cannot be used.
    pub fn observe(&self, session: &Session, packet_id: &str) -> Result<Report, AppError> {
        match &self.used {
            Some(used) => packs::observe(session, used, &PackUse::Recording { packet_id: packet_id.to_owned() }),
            None => Ok(Report::default()),
        }
    }

    /// Turns findings into an error that shows them in the caller's files, without their secrets.
    pub fn refused(&self, diagnostics: Vec<Diagnostic>) -> AppError {
        self.refused_beside(diagnostics, &[])
    }

    /// Turns findings into an error, with further documents by name.
    fn refused_beside(&self, diagnostics: Vec<Diagnostic>, more: &[(&str, &Document)]) -> AppError {
        let documents = &self.documents;
        let mut files = vec![
            ("request", &documents.request),
            ("run context", &documents.run),
            ("evidence", &documents.evidence),
            ("memory", &documents.memory),
            ("pack", &self.bundle.document),
        ];
        files.extend(more.iter().copied());
        let mut report = self.bundle.report();
        files.iter().for_each(|(_, document)| report.add_source(document.source().clone()));
        for diagnostic in diagnostics {
            report.push(placed(diagnostic, |name| {
                files.iter().find(|(own, _)| *own == name).map(|(_, document)| (*document, ""))
            }));
        }
        report.into()
    }
}

impl ContextSources {
    /// Reads everything. The report has warnings.
    ///
    /// # Errors
    /// A file cannot be read, or its content is faulty: the error reports all of them.
    pub fn load(&self, session: &Session) -> Result<(LoadedContext, Report), AppError> {
        let _span = info_span!("load context").entered();
        self.one_stdin()?;
        self.known_workspace(session)?;
        let mut report = Report::default();
        let mut request = files::document(&self.request)?;
        let (read, source) = self.read_pack(session, &request, &mut report)?;
        let used = read.used_version();
        let packs::ReadPack { bundle, pin, .. } = read;
        let run = files::document(&self.run)?;
        let mut run_value = self.with_instant(&run, session)?;
        let mut request_value = request.value().clone();
        for assignment in &self.set {
            assignment.apply(Side::Request, &mut request_value)?;
            assignment.apply(Side::Run, &mut run_value)?;
        }
        let mut evidence = list(self.evidence.as_deref(), "evidence")?;
        let mut memory = list(self.memory.as_deref(), "memory")?;
        unquoted(&mut request, &["input", "message"]);
        unquoted(&mut request, &["session", "recent_turns", "*", "text"]);
        unquoted(&mut evidence, &["*", "content"]);
        unquoted(&mut memory, &["*", "text"]);
        unquoted(&mut memory, &["*", "value"]);
        let mut faults = Report::default();
        let read = (
            keep(Request::read_as(&request, request_value.clone()), &mut report, &mut faults),
            keep(Run::read_as(&run, run_value.clone()), &mut report, &mut faults),
            keep(Evidence::read(&evidence), &mut report, &mut faults),
            keep(Memory::read(&memory), &mut report, &mut faults),
        );
        let (Some(asked), Some(ran), Some(evidence_items), Some(memory_items)) = read else {
            return Err(faults.into());
        };
        let recalled = self.recalled(session, (&asked, &ran), self.recall_instant(run.value()))?;
        let memory_items = match &recalled {
            Some((recaller, recalled)) => {
                recaller.check_listed(memory_items.items(), &memory, &ran)?;
                memory_items.with_recalled(recalled.clone())
            }
            None => memory_items,
        };
        let environment = pin.as_ref().map(|pin| pin.environment.clone());
        let bound = pin.map(|pin| pin.overlays).unwrap_or_default();
        let selected = self.selected(bound, &bundle, &request, &run);
        // Of the files themselves, so that what is wrong with an overlay is shown where it stands.
        let typed = bundle.typed().ok_or_else(|| unusable(&bundle))?;
        let pack = resolve(&bundle, &typed, &Selection::Named(selected.clone()))?;
        let known = KnownPaths::of(bundle.document.value(), request.value(), run.value());
        for path in self.set.iter().map(Assignment::path).chain(self.vary.iter().map(Variation::path)) {
            report.merge(known.check(path)?);
        }
        let endpoints = match environment {
            Some(environment) => {
                let typed = ContextPack::deserialize(&pack.pack).map_err(AppError::internal)?;
                let resolved = endpoints::resolve(session, &typed, &environment)?;
                report.merge(resolved.report);
                Some(resolved.addresses)
            }
            None => None,
        };
        let loaded = LoadedContext {
            pack,
            request: asked,
            run: ran,
            evidence: evidence_items,
            memory: memory_items,
            run_value,
            request_value,
            documents: Documents { request, run, evidence, memory },
            bundle,
            selected,
            source,
            used,
            recalled,
            endpoints,
            restricted: self.restricted,
        };
        Ok((loaded, report))
    }

    /// The origin of the instant of a run.
    fn recall_instant(&self, run: &Value) -> RecallInstant {
        let set = self.set.iter().map(Assignment::path).chain(self.vary.iter().map(Variation::path));
        let mut set = set.map(|path| path.strip_prefix("run.").unwrap_or(path));
        match self.as_of.is_some() || run.get("as_of").is_some() || set.any(|path| path == "as_of") {
            true => RecallInstant::Stated,
            false => RecallInstant::Clock,
        }
    }

    /// Recalls from the home's memory log, if the caller asks for that.
    fn recalled(
        &self,
        session: &Session,
        (request, run): (&Request, &Run),
        instant: RecallInstant,
    ) -> Result<Option<(Recaller, Vec<RecalledMemory>)>, AppError> {
        if !self.recall {
            return Ok(None);
        }
        let recaller = Recaller::open(session, &self.workspace, instant)?;
        let recalled = recaller.recall(request, run)?;
        Ok(Some((recaller, recalled)))
    }

    /// Refuses a workspace that is named and does not exist, also where nothing of it is read.
    fn known_workspace(&self, session: &Session) -> Result<(), AppError> {
        if matches!(self.workspace, WorkspaceChoice::Named(_)) {
            workspaces::existing(session, &self.workspace)?;
        }
        Ok(())
    }

    /// Refuses a request that names standard input twice: it can be read once.
    fn one_stdin(&self) -> Result<(), AppError> {
        let stdin = Path::new("-");
        let given = [Some(&self.request), Some(&self.run), self.evidence.as_ref(), self.memory.as_ref()];
        if given.into_iter().flatten().filter(|path| path.as_path() == stdin).count() > 1 {
            let message = "standard input is named for more than one of --request, --run, --evidence and --memory";
            let diagnostic = Diagnostic::error(codes::STDIN_NAMED_TWICE, message).stage("usage");
            return Err(AppError::usage(diagnostic.help("it can be read once: put the others into files")));
        }
        Ok(())
    }

    /// The run context with its instant: the one of the command line, else its own, else the clock's. The document is
    /// left as it is, because places and secrets in it are found by where they stand.
    fn with_instant(&self, document: &Document, session: &Session) -> Result<Value, AppError> {
        let mut value = document.value().clone();
        let stated = document.value().get("as_of").is_some();
        let as_of = match (&self.as_of, stated) {
            (Some(given), _) => checked_time("--as-of", given)?,
            (None, true) => return Ok(value),
            (None, false) => session.stamp()?.at,
        };
        if let Value::Object(fields) = &mut value {
            fields.insert("as_of".to_owned(), json!(as_of));
        }
        Ok(value)
    }

    /// Reads the pack, with its origin and the party that named it.
    fn read_pack(
        &self,
        session: &Session,
        request: &Document,
        report: &mut Report,
    ) -> Result<(packs::ReadPack, PackSource), AppError> {
        let (choice, workspace) = self.choice(session, request)?;
        let read = packs::usable(session, &choice, Purpose::NewWork, report)?;
        let named_by = match workspace {
            Some(workspace) => PackNaming::Workspace { workspace, environment: choice.environment },
            None => named_by(request, read.pin.as_ref()),
        };
        let source = PackSource { origin: Some(read.origin), named_by: Some(named_by) };
        Ok((read, source))
    }

    /// The pack that the caller names, or else the one that the request pins, or else the default of the workspace, with its
    /// name.
    fn choice(&self, session: &Session, request: &Document) -> Result<(PackChoice, Option<String>), AppError> {
        let environment = self.environment.clone();
        if let Some(pack) = &self.pack {
            return Ok((PackChoice { pack: pack.clone(), environment }, None));
        }
        let pins = request.value().pointer("/context_pack_refs/0").is_some();
        if !pins && let Some((workspace, default)) = workspaces::default_pack(session, &self.workspace)? {
            // An environment of the caller pins a version of its own.
            let id = default.pack.split_once('@').map(|(id, _)| id.to_owned()).filter(|_| environment.is_some());
            let pack = id.unwrap_or(default.pack);
            return Ok((PackChoice { pack, environment: environment.or(default.environment) }, Some(workspace)));
        }
        let refuse = |pointer: &str, message: String| {
            let mut report = Report::default();
            report.add_source(request.source().clone());
            let diagnostic = Diagnostic::error(codes::REQUEST_WITHOUT_PACK, message).stage("request");
            let help = "pin one in the request, such as `context_pack_refs: [ctxpack.support@1.0.0]`, give `--pack`, or use a \
                        workspace that has one";
            report.push(diagnostic.at(request.place(pointer)).help(help));
            AppError::from(report)
        };
        let named = request.value().pointer("/context_pack_refs/0").and_then(Value::as_str);
        let named =
            named.ok_or_else(|| refuse("", "the request names no pack, and the caller gave none".to_owned()))?;
        // A reference and never a path: a request must not choose a folder.
        let reference: PackRef = named.parse().map_err(|error: RefError| {
            refuse("/context_pack_refs/0", format!("the request does not pin a pack: {error}"))
        })?;
        let pack = if environment.is_some() { reference.pack_id } else { reference.to_string() };
        Ok((PackChoice { pack, environment }, None))
    }

    /// The overlays that the environment binds, those that are asked for here, and those that request and run name beside
    /// the pack.
    fn selected(&self, bound: Vec<String>, bundle: &Bundle, request: &Document, run: &Document) -> Vec<String> {
        let pack_id = bundle.document.value().pointer("/pack_meta/pack_id").and_then(Value::as_str).unwrap_or_default();
        let mut selected = bound;
        selected.extend(self.overlays.iter().filter(|name| !selected.contains(name)).cloned().collect::<Vec<_>>());
        for document in [request, run] {
            let refs = document.value().get("context_pack_refs").and_then(Value::as_array);
            let named = refs.into_iter().flatten().skip(1).filter_map(Value::as_str);
            for name in named.filter_map(|text| overlay_name(text, pack_id)) {
                if bundle.overlays.contains_key(&name) && !selected.contains(&name) {
                    selected.push(name);
                }
            }
        }
        selected
    }
}

/// Returns the party that named the pack. A request that pins one is compared with the pack that was loaded.
fn named_by(request: &Document, pin: Option<&EnvironmentPin>) -> PackNaming {
    if let Some(pin) = pin {
        return PackNaming::Environment { environment: pin.environment.clone() };
    }
    let refs = request.value().get("context_pack_refs").and_then(Value::as_array);
    match refs.is_some_and(|refs| !refs.is_empty()) {
        true => PackNaming::Request,
        false => PackNaming::Caller,
    }
}

/// The refusal of a document that cannot be read as a pack.
fn unusable(bundle: &Bundle) -> AppError {
    let mut report = bundle.report();
    let message = "the document cannot be read as a pack";
    let diagnostic = Diagnostic::error(codes::UNUSABLE_PACK, message).stage("pack").at(bundle.document.place(""));
    report.push(diagnostic.help("run `deed pack lint` for details"));
    report.into()
}

fn overlay_name(text: &str, pack_id: &str) -> Option<String> {
    text.parse::<PackRef>().ok()?;
    let reference: OverlayRef = text.parse().ok()?;
    reference.name_in(pack_id).map(str::to_owned)
}

/// A list from a file, or an empty one.
fn list(path: Option<&Path>, name: &str) -> Result<Document, AppError> {
    match path {
        Some(path) => files::document(path),
        None => Ok(Document::read(name, b"[]", deed_diag::Format::Json)?),
    }
}

/// Keeps messages, evidence and memory out of every snippet; `*` stands for each element of a list.
pub(crate) fn unquoted(document: &mut Document, path: &[&str]) {
    let mut spans = Vec::new();
    parts(document.tree(), path, &mut spans);
    spans.into_iter().for_each(|span| document.withhold(span));
}

fn parts(node: &Node, path: &[&str], out: &mut Vec<Span>) {
    match (path, &node.kind) {
        ([], _) => out.push(node.span),
        (["*", rest @ ..], NodeKind::Array(items)) => items.iter().for_each(|item| parts(item, rest, out)),
        ([key, rest @ ..], NodeKind::Object(members)) => {
            members.iter().filter(|member| member.key == **key).for_each(|member| parts(&member.value, rest, out));
        }
        _ => {}
    }
}

/// An input, or a note of what is wrong with it.
fn keep<T>(read: Result<(T, Report), Report>, warnings: &mut Report, faults: &mut Report) -> Option<T> {
    match read {
        Ok((input, found)) => {
            warnings.merge(found);
            Some(input)
        }
        Err(found) => {
            faults.merge(found);
            None
        }
    }
}

/// A diagnostic whose place names an input, moved to the document that the input came from; `find` gives it, and where
/// in it the input begins.
pub(super) fn placed<'d>(
    mut diagnostic: Diagnostic,
    find: impl Fn(&str) -> Option<(&'d Document, &'static str)>,
) -> Diagnostic {
    let moved = diagnostic.place.as_ref().and_then(|place| {
        let (document, prefix) = find(&place.source)?;
        Some(document.place(&format!("{prefix}{}", place.pointer.as_deref().unwrap_or_default())))
    });
    diagnostic.place = moved.or(diagnostic.place);
    diagnostic
}
