//! The embedded engine as the command line assembles it: a real store, the real sandbox, the time of day.

use deed_canon::SigningKey;
use deed_diag::{Document, Format};
use deed_egress::{Resolver, Resolving};
use deed_model::{CompiledPlan, RunEvent, RunRequest};
use deed_ports::{BlobRead, Clock, Engine, JournalRead, NoDirectory, NoSecrets};
use deed_runtime::{LocalEngine, RuleEvaluator, Site, Submission, Trust, World, prepare, reverify};
use deed_sandbox::{ProbeOptions, Tools};
use deed_store::RunStore;
use deed_testkit::conformance::{Candidate, Scenario};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// The tokio runtime that serves the bridges and proxies of this process.
static REACTOR: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());

/// The machine is looked at once.
static SITE: LazyLock<Arc<Site>> = LazyLock::new(|| {
    let tools = Tools::prepare(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sandbox-tools")).unwrap();
    Arc::new(Site::new(tools, ProbeOptions::default(), deed_sandbox::PrivatePaths::default()))
});

pub(crate) struct Local;

impl Candidate for Local {
    fn open(&self, workspace: &Path) -> Arc<dyn Engine> {
        Arc::new(engine(workspace))
    }

    fn request(&self, workspace: &Path, scenario: &Scenario) -> RunRequest {
        let bytes = scenario.plan.to_string();
        let document = Document::read("plan.json", bytes.as_bytes(), Format::Json).unwrap();
        let lowered = deed_plan::lower(&document, deed_catalog::builtin().unwrap());
        let submission = Submission {
            plan: &lowered.compiled.unwrap_or_else(|| panic!("{:#?}", lowered.report)),
            code: &lowered.code,
            code_places: Default::default(),
            input: None,
            links: deed_runtime::Links::Refuse,
            private: &[],
            grant: None,
            options: scenario.options.clone(),
            actor: "ada",
            run_id: Some(&scenario.run_id),
            profile: None,
            candidate: None,
            models: None,
            workspace: None,
            forked: None,
        };
        prepare(engine(workspace).world(), &submission).unwrap()
    }

    fn journal(&self, workspace: &Path) -> Box<dyn JournalRead> {
        Box::new(store(workspace))
    }

    fn blobs(&self, workspace: &Path) -> Box<dyn BlobRead> {
        Box::new(store(workspace))
    }

    fn key(&self, _: &Path) -> SigningKey {
        SigningKey::from_seed(&[7; 32])
    }

    fn complaints(&self, workspace: &Path, run_id: &str) -> Vec<String> {
        let store = store(workspace);
        let entries = store.events(run_id, 0).unwrap();
        let RunEvent::Submitted { run } = &entries[0].record.event else { panic!("{:?}", entries[0]) };
        let plan: CompiledPlan = serde_json::from_reader(store.open(&run.plan_blob).unwrap()).unwrap();
        let public = self.key(workspace).public();
        let known = |id: &_| (*id == public.id()).then(|| public.clone());
        let found = reverify(&entries, &plan, &store, &known);
        let broken = found.checked.iter().filter(|one| !one.holds).map(|one| format!("{one:?}"));
        let left = Some(workspace.join("stage").join(run_id)).filter(|stage| stage.exists());
        broken.chain(left.map(|stage| format!("left behind: {}", stage.display()))).collect()
    }
}

fn store(workspace: &Path) -> RunStore {
    RunStore::create_or_open(&workspace.join("runs")).unwrap()
}

fn engine(workspace: &Path) -> LocalEngine {
    let store = Arc::new(store(workspace));
    LocalEngine::new(World {
        journal: store.clone(),
        blobs: store,
        clock: Arc::new(Now),
        secrets: Arc::new(NoSecrets),
        directory: Arc::new(NoDirectory),
        evaluator: Arc::new(RuleEvaluator),
        models: Default::default(),
        signer: Arc::new(Local.key(workspace)),
        catalog: Arc::new(deed_catalog::builtin().unwrap().clone()),
        sandbox: SITE.clone(),
        resolver: Arc::new(NoNames),
        roots: Arc::new(Trust::new(Vec::new())),
        stage: workspace.join("stage"),
        reactor: REACTOR.handle().clone(),
        approver: None,
        deciders: Vec::new(),
        process: format!("process {}", std::process::id()),
        accepts_rollback: false,
    })
}

struct Now;
impl Clock for Now {
    fn unix_ms(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond()
    }
}

struct NoNames;
impl Resolver for NoNames {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        Box::pin(async { Err(std::io::ErrorKind::NotFound.into()) })
    }
}
