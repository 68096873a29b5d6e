//! Sandboxes: what this machine can enforce, and the sandbox that a step would get.

use crate::catalog;
use crate::error::AppError;
use crate::plans;
use crate::runs::tools_missing;
use crate::session::Session;
use deed_diag::{Code, Diagnostic, codes, did_you_mean, quote};
use deed_model::{CompiledPlan, StepContract, folder_of_set, is_set};
use deed_sandbox::{
    Bind, Job, Language, PrivatePaths, Probe, ProbeOptions, SandboxPlan, Tools, ToolsError, find_interpreter,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The language of a step that names none.
const DEFAULT_LANGUAGE: &str = "python";

/// Probes what the sandbox can enforce on this machine.
///
/// # Errors
/// The tools of the sandbox cannot be written or started.
pub fn probe(session: &Session, options: &ProbeOptions) -> Result<Probe, AppError> {
    let prepared = PreparedTools::new(session)?;
    Ok(deed_sandbox::probe(&prepared.tools, options))
}

/// A step of a plan.
#[derive(Debug, Clone, Default)]
pub struct StepSource {
    /// The plan's file (YAML or JSON).
    pub plan: PathBuf,
    /// The id of the step.
    pub step: String,
    /// Folders of types besides the project's own.
    pub catalog_folders: Vec<PathBuf>,
}

/// Plans the sandbox that a step would get on this machine.
///
/// # Errors
/// The plan is refused, it has no such step, the step runs without a sandbox, or this machine cannot enforce what it
/// needs.
pub fn plan(session: &Session, source: &StepSource) -> Result<SandboxPlan, AppError> {
    let (catalog, _) = catalog::open(session, &source.catalog_folders)?;
    let document = plans::document(&source.plan)?;
    let lowered = plans::lowered(&document, &source.plan, &catalog, &plans::PackGates::default());
    let Some(compiled) = lowered.compiled else { return Err(lowered.report.into()) };
    let contract = step(&compiled, &source.step)?;
    let demand = contract.execution_contract.sandbox.ok_or_else(|| {
        let backend = contract.execution_contract.routing.backend.as_str();
        let message = format!("step `{}` runs on `{backend}`, without a sandbox", source.step);
        refused(codes::STEP_WITHOUT_SANDBOX, message, None)
    })?;
    let prepared = PreparedTools::new(session)?;
    let home = session.maybe_home()?;
    let private = home.map_or_else(|| PrivatePaths::of_caller(&[]), |home| home.private());
    let job = job(contract, &private).map_err(|why| refused(codes::NO_INTERPRETER, why, None))?;
    let machine = deed_sandbox::probe(&prepared.tools, &ProbeOptions::default());
    deed_sandbox::plan(&job, &demand, &machine).map_err(|refusal| {
        refused(codes::ISOLATION_TOO_WEAK, refusal.to_string(), Some("see `deed sandbox probe`".to_owned()))
    })
}

fn refused(code: Code, message: String, help: Option<String>) -> AppError {
    AppError::refused(Diagnostic::error(code, message).stage("sandbox").help_opt(help))
}

/// Finds a step of a plan.
fn step<'p>(compiled: &'p CompiledPlan, id: &str) -> Result<&'p StepContract, AppError> {
    compiled.steps.iter().find(|step| step.step_id == id).ok_or_else(|| {
        let ids: Vec<&str> = compiled.steps.iter().map(|step| step.step_id.as_str()).collect();
        let help = did_you_mean(id, ids.iter().copied()).unwrap_or_else(|| format!("it has {}", ids.join(", ")));
        refused(codes::UNKNOWN_RUN_STEP, format!("the plan has no step {}", quote(id)), Some(help))
    })
}

/// The tools of a sandbox.
struct PreparedTools {
    tools: Tools,
    /// The folder of the tools where there is no project; it is removed at the end.
    _folder: Option<TempDir>,
}

impl PreparedTools {
    /// Writes the tools into the project, or into a temporary folder where there is none.
    fn new(session: &Session) -> Result<Self, AppError> {
        let failed = |error: ToolsError| AppError::environment(tools_missing(&error));
        match session.maybe_home()? {
            Some(home) => Ok(Self { tools: Tools::prepare(&home.tools()).map_err(failed)?, _folder: None }),
            None => {
                let folder = tempfile::tempdir().map_err(|error| AppError::writing(&std::env::temp_dir(), &error))?;
                Ok(Self { tools: Tools::prepare(folder.path()).map_err(failed)?, _folder: Some(folder) })
            }
        }
    }
}

/// The job as the harness would make it, with names in place of folders that are made at run time.
fn job(contract: &StepContract, private: &PrivatePaths) -> Result<Job, String> {
    let execution = &contract.execution_contract;
    let language = execution.language.as_deref().unwrap_or(DEFAULT_LANGUAGE);
    let language: Language = language.parse().map_err(|_| format!("there is no interpreter for `{language}`"))?;
    let (script, options): (&str, &[&str]) = match language {
        Language::Python => ("main.py", &["-B", "-s"]),
        Language::JavaScript => ("main.mjs", &["--require", "/workspace/meta/ended.cjs"]),
        Language::Shell => ("main.sh", &[]),
    };
    let mut args: Vec<String> = options.iter().map(|option| (*option).to_owned()).collect();
    args.push(format!("/workspace/meta/{script}"));
    let stage = Path::new("/STAGE");
    let inside = |path: &str| Path::new("/workspace").join(path);
    // A step reads a set as its folder.
    let read = |path: &String| if is_set(path) { folder_of_set(path).to_owned() } else { path.clone() };
    let read: BTreeSet<String> = contract.io_contract.read_paths.iter().map(read).collect();
    let bind = |path: String| Bind { host: stage.join("in").join(&path), inside: inside(&path) };
    let outward = !execution.egress.is_empty();
    Ok(Job {
        interpreter: find_interpreter(language, None, private).map_err(|error| error.to_string())?,
        args,
        stage: stage.join("out"),
        own_folder: Some(stage.to_owned()),
        inputs: read.into_iter().map(bind).collect(),
        writable: ["work", "output"]
            .map(|folder| Bind { host: stage.join("out").join(folder), inside: inside(folder) })
            .into(),
        meta: Some(stage.join("meta")),
        bridge: Some(stage.join("b")),
        proxy: outward.then(|| stage.join("p")),
        ca: outward.then(|| stage.join("ca.pem")),
        env: BTreeMap::from([("PYTHONPATH".to_owned(), "/workspace/meta".to_owned())]),
    })
}
