//! A small world in a temporary folder: a real store, the real sandbox, names and secrets that are scripted, a clock
//! that is set by hand. Every engine is new, as after a restart.

pub mod dying;
pub mod panicking;
pub mod plans;
pub mod run;
pub mod server;
pub mod watch;

use deed_canon::SigningKey;
use deed_egress::{Resolver, Resolving};
use deed_model::{FrozenModels, ProfileSnapshot, RunEvent};
use deed_ports::{Clock, NoDirectory, Secret, SecretError, Secrets};
use deed_runtime::{Approver, Blobs, Journal, LocalEngine, RuleEvaluator, Site, Trust};
use deed_sandbox::{ProbeOptions, Tools};
use deed_store::{Durability, RunStore, RunStoreOptions};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use tempfile::TempDir;

pub use plans::{plan, python, step, with};
pub use run::Run;
pub use server::{Authority, ReceivedRequest, Server};
pub use watch::Watch;

/// The tokio runtime that serves the bridges, proxies and servers of this process.
pub static REACTOR: LazyLock<tokio::runtime::Runtime> =
    LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap());

/// The machine is looked at once.
static SITE: LazyLock<Arc<Site>> = LazyLock::new(|| {
    let tools = Tools::prepare(&PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("sandbox-tools")).unwrap();
    Arc::new(Site::new(tools, ProbeOptions::default(), deed_sandbox::PrivatePaths::default()))
});

/// The time at which every test begins.
pub const BEGAN: i64 = 1_790_000_000_000;

pub struct Hand(AtomicI64);

impl Hand {
    pub fn set(&self, unix_ms: i64) {
        self.0.store(unix_ms, Ordering::SeqCst);
    }

    pub fn pass(&self, ms: i64) {
        self.0.fetch_add(ms, Ordering::SeqCst);
    }
}

impl Clock for Hand {
    fn unix_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// Addresses of names. A name without an address panics when it is resolved, as a defect of this program would.
#[derive(Default)]
pub struct Names(Mutex<BTreeMap<String, Vec<std::net::IpAddr>>>);

impl Names {
    pub fn set(&self, name: &str, address: &str) {
        self.0.lock().unwrap().insert(name.to_owned(), vec![address.parse().unwrap()]);
    }

    pub fn panics(&self, name: &str) {
        self.0.lock().unwrap().insert(name.to_owned(), Vec::new());
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        let found = self.0.lock().unwrap().get(name).cloned();
        assert!(found != Some(Vec::new()), "{}", panicking::WORDS);
        Box::pin(async move { found.ok_or_else(|| std::io::ErrorKind::NotFound.into()) })
    }
}

#[derive(Default)]
pub struct Safe(Mutex<BTreeMap<String, String>>);

impl Safe {
    pub fn keep(&self, name: &str, secret: &str) {
        self.0.lock().unwrap().insert(name.to_owned(), secret.to_owned());
    }

    /// From now on the secret panics when it is read.
    pub fn panics(&self, name: &str) {
        self.keep(name, "");
    }

    pub fn lose(&self, name: &str) {
        self.0.lock().unwrap().remove(name);
    }
}

impl Secrets for Safe {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        let known = self.0.lock().unwrap().get(name).cloned();
        assert!(known.as_deref() != Some(""), "{}", panicking::WORDS);
        known.map(Secret::new).ok_or_else(|| SecretError::Unknown(name.to_owned()))
    }
}

pub struct World {
    folder: TempDir,
    pub clock: Arc<Hand>,
    pub names: Arc<Names>,
    pub safe: Arc<Safe>,
    pub site: Arc<Site>,
    pub roots: Vec<u8>,
    pub approver: Option<Approver>,
    /// The profile of runs, and what their models read.
    pub judge: Option<(ProfileSnapshot, FrozenModels)>,
}

impl World {
    pub fn new() -> Self {
        Self::within(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap())
    }

    /// A world in a folder.
    pub fn within(folder: TempDir) -> Self {
        let names = Arc::new(Names::default());
        names.set("api.example.test", "127.0.0.1");
        Self {
            folder,
            clock: Arc::new(Hand(AtomicI64::new(BEGAN))),
            names,
            safe: Arc::default(),
            site: SITE.clone(),
            roots: Vec::new(),
            approver: None,
            judge: None,
        }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Gives the mission a file.
    pub fn give(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let file = self.path("input").join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }

    /// A store over the folder, as a process that has just begun opens it.
    pub fn store(&self) -> Arc<RunStore> {
        self.store_with(RunStoreOptions::default())
    }

    pub fn store_with(&self, options: RunStoreOptions) -> Arc<RunStore> {
        let mut options = options;
        options.durability = Durability::None;
        Arc::new(RunStore::create_or_open_with(&self.path("runs"), options).unwrap())
    }

    /// An engine over the folder, as a process that has just begun has it.
    pub fn engine(&self) -> LocalEngine {
        self.engine_on(self.store())
    }

    pub fn engine_on(&self, store: Arc<RunStore>) -> LocalEngine {
        self.engine_of(store.clone(), store)
    }

    /// An engine whose process is killed before it can write an event.
    pub fn dying(&self, before: impl Fn(&RunEvent) -> bool + Send + Sync + 'static) -> LocalEngine {
        let store = self.store();
        self.engine_of(dying::Dying::before(store.clone(), before), store)
    }

    /// An engine over a journal and bytes of the test's choice.
    pub fn engine_of(&self, journal: Arc<dyn Journal>, blobs: Arc<dyn Blobs>) -> LocalEngine {
        LocalEngine::new(deed_runtime::World {
            journal,
            blobs,
            clock: self.clock.clone(),
            secrets: self.safe.clone(),
            directory: Arc::new(NoDirectory),
            evaluator: Arc::new(RuleEvaluator),
            models: Default::default(),
            signer: Arc::new(key()),
            catalog: Arc::new(deed_catalog::builtin().unwrap().clone()),
            sandbox: self.site.clone(),
            resolver: self.names.clone(),
            roots: Arc::new(Trust::new(self.roots.clone())),
            stage: self.path("stage"),
            reactor: REACTOR.handle().clone(),
            approver: self.approver.clone(),
            deciders: Vec::new(),
            process: "a test".to_owned(),
            accepts_rollback: false,
        })
    }

    /// Lists the folder of stages, which is empty once a run has ended.
    pub fn staged(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.path("stage")).into_iter().flatten();
        entries.map(|entry| entry.unwrap().path()).collect()
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// The key that signs.
pub fn key() -> SigningKey {
    SigningKey::from_seed(&[7; 32])
}

/// An approver who approves gates as they open.
pub fn approver(role: &str) -> Option<Approver> {
    Some(Approver { name: "ada".to_owned(), roles: vec![role.to_owned()] })
}
