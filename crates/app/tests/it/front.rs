//! The front end: one function from a request to an answer.

use deed_app::classified::RestrictedCopies;
use deed_app::contexts::ContextSources;
use deed_app::plans::PlanSource;
use deed_app::runs::{
    DecisionRequest, MachineOptions, RunEnvironment, RunSource, Status, decide, drive, export, load, open_gates,
    resume, submit, verify, verify_journal,
};
use deed_app::{AppError, ErrorKind, FOLDER, Home, Session};
use deed_model::{GateDecision, RunEvent};
use deed_ports::Observer;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;

/// A front end with a home of its own.
pub(crate) struct Front {
    folder: TempDir,
    session: Session,
}

struct Silent;

impl Observer for Silent {
    fn happened(&self, _event: &RunEvent) {}
}

impl Front {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join(FOLDER);
        Home::init(&home, "tenant_local").unwrap();
        let session =
            Session { home: Some(home), actor: Some("front".to_owned()), now: Some("2026-11-15T00:00:00Z".to_owned()) };
        Self { folder, session }
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path(path)).unwrap()
    }

    /// Answers a request; an error becomes a status and the codes of its diagnostics.
    pub(crate) fn ask(&self, request: Value) -> Value {
        self.answer(&request).unwrap_or_else(|error| {
            let status = match error.kind {
                ErrorKind::Refused => 422,
                ErrorKind::Usage => 400,
                ErrorKind::Environment => 503,
                _ => 500,
            };
            let codes: Vec<&str> = error.report.diagnostics().iter().map(|found| found.code.as_str()).collect();
            json!({ "status": status, "codes": codes, "text": error.to_string() })
        })
    }

    fn answer(&self, request: &Value) -> Result<Value, AppError> {
        let text = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
        let session = &self.session;
        match text("do").as_str() {
            "submit" => {
                let source = RunSource {
                    plan: PlanSource { path: self.path(&text("plan")), ..PlanSource::default() },
                    input: request["input"].as_str().map(|input| self.path(input)),
                    run_id: Some(text("id")),
                    ..RunSource::default()
                };
                let submitted = submit(session, &source)?;
                driven(&submitted.environment, &submitted.request.run_id)
            }
            "resume" => {
                let resumed = resume(session, &text("run"), &[], &MachineOptions::default(), &[])?;
                driven(&resumed.environment, &resumed.run_id)
            }
            "demo" => {
                let demo = deed_app::scaffold::demo(session, &self.path(&text("to")))?;
                let files: Vec<&Path> =
                    demo.files.iter().filter_map(|file| file.strip_prefix(&demo.folder).ok()).collect();
                Ok(json!({ "files": files, "home": demo.home }))
            }
            "review" => {
                let (_, store, loaded) = load(session, &text("run"))?;
                let gate = deed_app::runs::gate(&loaded, None, None)?;
                Ok(json!(deed_app::runs::review(&store, &loaded, gate, deed_app::runs::FIRST_ROWS)?))
            }
            "doctor" => {
                let options = deed_sandbox::ProbeOptions { without_bwrap: true, ..Default::default() };
                let examined = deed_app::doctor::examine(session, &options)?;
                Ok(json!({ "worst": examined.worst().as_str(), "checks": examined.checks }))
            }
            "gates" => {
                let gates = open_gates(session, None)?;
                let gates: Vec<Value> =
                    gates.iter().map(|open| json!({ "question": open.gate.subject.question })).collect();
                Ok(json!({ "gates": gates }))
            }
            "decide" => {
                let request = DecisionRequest {
                    run: text("run"),
                    gate: None,
                    decision: GateDecision::Approved,
                    role: Some(text("role")),
                    hash: None,
                    note: None,
                    key: None,
                    catalog_folders: Vec::new(),
                };
                let decided = decide(session, &request)?;
                Ok(json!({ "decision": decided.approval.decision.as_str() }))
            }
            "export" => {
                let (_, store, loaded) = load(session, &text("run"))?;
                let files = export(&store, &loaded, &[], &self.path(&text("to")), RestrictedCopies::Refused)?;
                let mut files: Vec<String> = files.into_iter().map(|file| file.path).collect();
                files.sort();
                Ok(json!({ "files": files }))
            }
            "verify" => {
                let verified = verify(session, &text("run"), &[], &[])?;
                Ok(json!({ "sound": verified.is_sound(), "sealed": verified.state.sealed }))
            }
            "journal" => Ok(json!({ "runs": verify_journal(session, &[])?.extent.runs })),
            "context" => self.context(&text("pack")),
            other => panic!("unknown request {other}"),
        }
    }

    fn context(&self, pack: &str) -> Result<Value, AppError> {
        let example = |name: &str| Path::new(pack).join("examples").join(name);
        let sources = ContextSources {
            pack: Some(pack.to_owned()),
            request: example("request.yaml"),
            run: example("run.yaml"),
            evidence: Some(example("evidence.yaml")),
            memory: Some(example("memory.yaml")),
            ..ContextSources::default()
        };
        let (loaded, _) = sources.load(&self.session)?;
        let pack = loaded.hydrate()?;
        let context = loaded.compile(&pack)?;
        let hash = context.context_ledger.compiled_context_hash;
        Ok(json!({ "outcome": context.outcome.to_string(), "hash": hash }))
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }
}

/// Drives a run and says where it stands.
fn driven(environment: &RunEnvironment, run_id: &str) -> Result<Value, AppError> {
    let driven = drive(environment, run_id, Arc::new(Silent))?;
    Ok(json!({ "status": Status::undriven(&driven.state, &driven.entries).as_str() }))
}

/// The example pack of the repository.
pub(crate) fn support_pack() -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packs/support").display().to_string()
}
