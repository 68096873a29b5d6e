//! Reads plans, with the code that lies in files beside them, and compiles them.

use super::syntax;
use crate::catalog;
use crate::endpoints;
use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::home::FOLDER;
use crate::packs::{self, PackChoice, UsedVersion};
use crate::session::Session;
use deed_catalog::Catalog;
use deed_diag::{Diagnostic, Document, Format, Report, Severity, codes};
use deed_model::{ApprovalGate, Classification, CompiledPlan, ContextPack};
use deed_pack::{Purpose, Selection, resolve};
use deed_plan::{Endpoints, LowerOptions, Lowered, Sources, code_files, lower_with, plan_hash, spec_hash};
use serde::Deserialize;
use serde_json::Value;
use std::path::{Component, Path, PathBuf};
use tracing::info_span;

/// A plan, and what it is compiled with.
#[derive(Debug, Clone, Default)]
pub struct PlanSource {
    /// The plan's file (YAML or JSON), or `-` for standard input.
    pub path: PathBuf,
    /// The pack whose approval gates hold too.
    pub pack: Option<PackChoice>,
    /// Folders of types besides the project's own.
    pub catalog_folders: Vec<PathBuf>,
}

/// A plan as bytes, as a front end receives it.
#[derive(Debug, Clone, Default)]
pub struct PlanText {
    /// The name under which it is shown: `plan.yaml`.
    pub name: String,
    /// YAML or JSON.
    pub bytes: Vec<u8>,
    /// The folder in which the files of its code are looked for.
    pub folder: PathBuf,
    /// The pack whose approval gates hold too.
    pub pack: Option<PackChoice>,
    /// Folders of types besides the project's own.
    pub catalog_folders: Vec<PathBuf>,
}

/// Compiles a plan that is not a file. The code of its steps is parsed, and secrets in it are concealed, as
/// [`compiled`] does; the report has warnings.
///
/// # Errors
/// The plan is larger than any document may be, or is refused.
pub fn compiled_from(session: &Session, plan: &PlanText) -> Result<(CompiledPlan, Report), AppError> {
    let _span = info_span!("compile plan").entered();
    let document = files::document_from(&plan.name, &plan.bytes)?;
    compile(session, &document, &plan.folder.join(&plan.name), (plan.pack.as_ref(), &plan.catalog_folders))
}

/// Compiles a plan, or reads one that was compiled. The report has warnings.
///
/// # Errors
/// A file cannot be read, or the plan is refused.
pub fn compiled(session: &Session, source: &PlanSource) -> Result<(CompiledPlan, Report), AppError> {
    let _span = info_span!("compile plan").entered();
    let document = document(&source.path)?;
    compile(session, &document, &source.path, (source.pack.as_ref(), &source.catalog_folders))
}

fn compile(
    session: &Session,
    document: &Document,
    path: &Path,
    (pack, folders): (Option<&PackChoice>, &[PathBuf]),
) -> Result<(CompiledPlan, Report), AppError> {
    if document.value().get("plan_hash").is_some() {
        return read_compiled(document).map(|plan| (plan, Report::default()));
    }
    let (catalog, warnings) = catalog::open(session, folders)?;
    let lowered = lowered(document, path, &catalog, &gates(session, pack)?);
    let mut report = lowered.report;
    report.merge(warnings);
    match lowered.compiled {
        Some(plan) => Ok((plan, report)),
        None => Err(report.into()),
    }
}

/// A compiled plan as the text of its file.
///
/// # Errors
/// It has no form in JSON, which is a defect.
pub fn compiled_text(plan: &CompiledPlan) -> Result<String, AppError> {
    // Through a value, so that keys are in the order of their names.
    let document = serde_json::to_value(plan).map_err(AppError::internal)?;
    Ok(format!("{document:#}\n"))
}

/// Writes a compiled plan to a file.
///
/// # Errors
/// The file cannot be written.
pub fn write_compiled(path: &Path, plan: &CompiledPlan) -> Result<(), AppError> {
    files::write(path, compiled_text(plan)?.as_bytes(), Existing::Replace, Access::Shared)
}

/// The approval gates of a pack, and what else of it governs a run.
#[derive(Debug, Default)]
pub struct PackGates {
    /// The gates, with the overlays of the environment applied.
    pub gates: Vec<ApprovalGate>,
    /// The version that they come from, if it is one of the registry.
    pub used: Option<UsedVersion>,
    /// The endpoints that egress rules may name, where an environment is named.
    pub endpoints: Endpoints,
    /// The classification of the pack.
    pub classification: Option<Classification>,
}

/// Reads the approval gates of a pack; none without a pack.
pub fn gates(session: &Session, pack: Option<&PackChoice>) -> Result<PackGates, AppError> {
    let Some(pack) = pack else { return Ok(PackGates::default()) };
    let mut report = Report::default();
    let read = packs::usable(session, pack, Purpose::NewWork, &mut report)?;
    let Some(typed) = read.bundle.typed() else { return Err(report.into()) };
    let resolved = resolve(&read.bundle, &typed, &Selection::Named(read.bound_overlays().to_vec()))?;
    let pack = ContextPack::deserialize(&resolved.pack).map_err(AppError::internal)?;
    let used = read.used_version();
    let endpoints = match used.as_ref().and_then(|used| used.environment.as_deref()) {
        // What is not there is reported where a rule of the plan names it.
        Some(environment) => endpoints::resolve(session, &pack, environment)?.entries,
        None => Endpoints::new(),
    };
    let classification = Some(pack.pack_meta.data_classification);
    Ok(PackGates { gates: pack.policy_layer.approval_gates, used, endpoints, classification })
}

/// Lowers a plan with the code that lies in files beside it, under the gates and endpoints of a pack.
pub fn lowered(document: &Document, path: &Path, catalog: &Catalog, pack: &PackGates) -> Lowered {
    let folder = path.parent().unwrap_or(Path::new(""));
    let sources: Sources = code_files(document).into_iter().map(|name| (name.clone(), source(folder, &name))).collect();
    let options = LowerOptions { sources, gates: pack.gates.clone(), endpoints: pack.endpoints.clone() };
    let mut lowered = lower_with(document, catalog, &options);
    syntax::check(document, &options.sources, &mut lowered);
    lowered
}

/// Reads the text of a file beneath the plan's folder. The reason of a failure is reported where the plan names the file.
fn source(folder: &Path, name: &str) -> Result<String, &'static str> {
    const OUTSIDE: &str = "lies outside the plan's folder";
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !plain {
        return Err(OUTSIDE);
    }
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let missing = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "is not there",
        _ => "cannot be read",
    };
    let whole = folder.join(name).canonicalize().map_err(missing)?;
    let root = folder.canonicalize().map_err(missing)?;
    if !whole.starts_with(root) {
        return Err(OUTSIDE);
    }
    // Keys and secrets of a project are not code.
    if whole.components().any(|part| part.as_os_str() == FOLDER) {
        return Err("lies in `.deed`, which is the workspace's own");
    }
    // Reading a pipe would block.
    if !whole.is_file() {
        return Err("is not a file");
    }
    let text = files::read(&whole).map_err(|_| "cannot be read, or is too large")?;
    let text = String::from_utf8(text.bytes).map_err(|_| "is not UTF-8 text")?;
    // A byte order mark belongs to the file and not to the code: shells would take it for a command.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Plans are YAML unless their name says otherwise, as JSON is YAML; what comes by a pipe is what it looks like.
pub fn document(path: &Path) -> Result<Document, AppError> {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json" | "yaml" | "yml") | None => files::document(path),
        Some(_) => files::document_as(path, Format::Yaml),
    }
}

/// A compiled plan whose hashes are those of its contents.
fn read_compiled(document: &Document) -> Result<CompiledPlan, AppError> {
    let refuse = |at: &str, message: String| {
        let mut report = Report::of(
            Diagnostic::new(Severity::Error, codes::NOT_A_COMPILED_PLAN, message)
                .stage("read")
                .at(document.place(at))
                .help("compile the plan again with `deed plan compile`"),
        );
        report.add_source(document.source().clone());
        AppError::from(report)
    };
    let plan: CompiledPlan = serde_json::from_value(Value::clone(document.value()))
        .map_err(|error| refuse("", format!("it cannot be read as a compiled plan: {error}")))?;
    for (index, step) in plan.steps.iter().enumerate() {
        if spec_hash(step).ok() != Some(step.spec_hash) {
            let at = format!("/steps/{index}/spec_hash");
            return Err(refuse(&at, format!("the contract of step `{}` is not the one that was hashed", step.step_id)));
        }
    }
    if plan_hash(&plan).ok() != Some(plan.plan_hash) {
        return Err(refuse("/plan_hash", "the plan is not the one that was hashed".to_owned()));
    }
    Ok(plan)
}
