//! A process that drives a run as `deed` does, on a store that ends it at a chosen write.

use super::yard::Yard;
use deed_canon::SigningKey;
use deed_diag::{Document, Format};
use deed_egress::{Resolver, Resolving};
use deed_model::{Budget, RunEvent, RunOptions};
use deed_ports::{
    ApproverStanding, Clock, Directory, Engine, NoDirectory, NoSecrets, Observer, Secret, SecretError, Secrets,
};
use deed_runtime::{Approver, LocalEngine, RuleEvaluator, Site, Submission, Trust, World, prepare};
use deed_sandbox::{ProbeOptions, Tools};
use deed_store::{RunStore, RunStoreOptions, WorkspaceStore};
use deed_workspace::{Standing, standing};
use std::net::{IpAddr, Ipv4Addr};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const CHILD: &str = "DEED_CRASH_CHILD";

/// Writes after which something is on disk that was not there before. What a store does inside a transaction is no
/// instant of its own: a process that dies there has written as much as one that dies before its commit.
const DURABLE: &[&str] = &["commit", "rename blob", "sync blob folder"];

/// The end of the process.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End {
    Died,
    Ended,
}

/// Begins a run, or goes on with it, in a process that dies at the `nth` write, counted from 0.
pub(crate) fn drive(yard: &Yard, run: &str, nth: usize, approving: bool) -> End {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::mortal::child_drives", "--nocapture"])
        .env(CHILD, format!("{nth}|{run}|{approving}"))
        .current_dir(yard.folder())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    match output.status.signal() {
        Some(6) => End::Died,
        None if output.status.success() => End::Ended,
        _ => panic!("{run}, write {nth}: {output:?}"),
    }
}

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_drives() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let task: Vec<&str> = task.split('|').collect();
    let [nth, run, approving] = task.as_slice() else { panic!("{task:?}") };
    let reactor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let engine = LocalEngine::new(world(nth.parse().unwrap(), *approving == "true", reactor.handle().clone()));
    submit(&engine, run);
    engine.drive(run, Arc::new(Silent)).unwrap();
}

/// Goes on with a run that was submitted, in a process that dies at the `nth` write, counted from 0.
pub(crate) fn resume(folder: &Path, run: &str, nth: usize) -> End {
    resumed(folder, run, &nth.to_string())
}

/// Goes on with a run that was submitted, in a process that dies once the end is recorded, before it is sealed.
pub(crate) fn unsealed(folder: &Path, run: &str) {
    assert_eq!(resumed(folder, run, AT_THE_END), End::Died, "{run}");
}

/// The instant between the end of a run and its seal.
const AT_THE_END: &str = "end";

fn resumed(folder: &Path, run: &str, instant: &str) -> End {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::mortal::child_resumes", "--nocapture"])
        .env(CHILD, format!("{instant}|{run}"))
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    match output.status.signal() {
        Some(6) => End::Died,
        None if output.status.success() => End::Ended,
        _ => panic!("{run}, write {instant}: {output:?}"),
    }
}

/// Not a test of its own: the process that dies. Without its variable it does nothing.
#[test]
fn child_resumes() {
    let Ok(task) = std::env::var(CHILD) else { return };
    let Some((instant, run)) = task.split_once('|') else { panic!("{task}") };
    let nth = instant.parse().unwrap_or(usize::MAX);
    let reactor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let home = std::env::current_dir().unwrap().join(".deed");
    let mut world = world(nth, false, reactor.handle().clone());
    world.directory = Arc::new(People(home.join("workspaces")));
    world.secrets = Arc::new(Files(home.join("secrets")));
    let observer: Arc<dyn Observer> = if instant == AT_THE_END { Arc::new(EndingAtTheEnd) } else { Arc::new(Silent) };
    LocalEngine::new(world).drive(run, observer).unwrap();
}

/// As `deed run` does, so that it is the same run.
fn submit(engine: &LocalEngine, run: &str) {
    let bytes = std::fs::read("plan.yaml").unwrap();
    let document = Document::read("plan.yaml", &bytes, Format::Yaml).unwrap();
    let lowered = deed_plan::lower(&document, &engine.world().catalog);
    let submission = Submission {
        plan: &lowered.compiled.unwrap(),
        code: &lowered.code,
        code_places: Default::default(),
        input: None,
        links: deed_runtime::Links::Refuse,
        private: &[],
        grant: Some(Budget::default()),
        options: RunOptions { resolve: vec!["effects.example.test".to_owned()], ..RunOptions::default() },
        actor: "tester",
        run_id: Some(run),
        profile: None,
        candidate: None,
        models: None,
        workspace: None,
        forked: None,
    };
    let request = prepare(engine.world(), &submission).unwrap();
    engine.submit(&request).unwrap();
}

fn world(nth: usize, approving: bool, reactor: tokio::runtime::Handle) -> World {
    let home = std::env::current_dir().unwrap().join(".deed");
    let store = RunStore::create_or_open_with(&home.join("runs"), dying(nth)).unwrap();
    let store = Arc::new(store.anchored_in(&home.join("anchor")).unwrap());
    World {
        journal: store.clone(),
        blobs: store,
        clock: Arc::new(Now),
        secrets: Arc::new(NoSecrets),
        directory: Arc::new(NoDirectory),
        evaluator: Arc::new(RuleEvaluator),
        models: Default::default(),
        signer: Arc::new(key(&home)),
        catalog: Arc::new(deed_catalog::builtin().unwrap().clone()),
        sandbox: Arc::new(Site::new(
            Tools::prepare(&home.join("tools")).unwrap(),
            ProbeOptions::default(),
            deed_sandbox::PrivatePaths::default(),
        )),
        resolver: Arc::new(Loopback),
        roots: Arc::new(Trust::new(Vec::new())),
        stage: home.join("stage"),
        reactor,
        approver: approving.then(|| Approver { name: "tester".to_owned(), roles: vec!["lead".to_owned()] }),
        deciders: Vec::new(),
        process: format!("tester, process {}", std::process::id()),
        accepts_rollback: false,
    }
}

fn dying(nth: usize) -> RunStoreOptions {
    let written = AtomicUsize::new(0);
    RunStoreOptions::default().with_steps(move |step| {
        if DURABLE.contains(&step) && written.fetch_add(1, Ordering::SeqCst) == nth {
            // No destructor runs, no transaction is rolled back, no sandbox is told.
            std::process::abort();
        }
        Ok(())
    })
}

/// The key that `deed` made when it first ran something here.
fn key(home: &Path) -> SigningKey {
    SigningKey::from_pem(&std::fs::read_to_string(home.join("keys/workspace.pem")).unwrap()).unwrap()
}

/// The people of the workspaces of a home.
struct People(PathBuf);
impl Directory for People {
    fn standing(&self, workspace: &str, approver: &str, role: &str) -> ApproverStanding {
        let store = WorkspaceStore::open_if_there(&self.0.join(workspace)).unwrap().unwrap();
        match standing(&store.state().unwrap(), approver, role) {
            Standing::Holds(held) => ApproverStanding::Holds(held),
            Standing::Lacks { why, help } => ApproverStanding::Lacks { why, help },
        }
    }
}

/// The secrets of a home.
struct Files(PathBuf);
impl Secrets for Files {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        Ok(Secret::new(std::fs::read_to_string(self.0.join(name)).unwrap()))
    }
}

struct Now;
impl Clock for Now {
    fn unix_ms(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond()
    }
}

struct Loopback;
impl Resolver for Loopback {
    fn resolve<'a>(&'a self, _: &'a str) -> Resolving<'a> {
        Box::pin(async { Ok(vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]) })
    }
}

/// Ends the process when the end of the run is on disk.
struct EndingAtTheEnd;
impl Observer for EndingAtTheEnd {
    fn happened(&self, event: &RunEvent) {
        if matches!(event, RunEvent::Ended { .. }) {
            std::process::abort();
        }
    }
}

struct Silent;
impl Observer for Silent {
    fn happened(&self, _: &RunEvent) {}
}
