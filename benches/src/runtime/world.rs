//! A world to run in: a folder on the disk that is measured.

use deed_canon::SigningKey;
use deed_catalog::builtin;
use deed_egress::SystemResolver;
use deed_model::{FrozenModels, ProfileSnapshot};
use deed_ports::{Clock, NoSecrets};
use deed_runtime::{LocalEngine, RuleEvaluator, Site, Trust, World};
use deed_sandbox::{ProbeOptions, Tools};
use deed_store::RunStore;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// An engine in a folder of its own.
pub(crate) struct Bench {
    pub(crate) engine: LocalEngine,
    pub(crate) store: Arc<RunStore>,
    pub(crate) input: PathBuf,
    /// What governs runs that ask a model.
    pub(crate) judge: Option<(ProfileSnapshot, FrozenModels)>,
    _reactor: tokio::runtime::Runtime,
}

struct SystemClock;

impl Clock for SystemClock {
    fn unix_ms(&self) -> i64 {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }
}

impl Bench {
    pub(crate) fn open(folder: &Path) -> Result<Self, Box<dyn Error>> {
        fs::create_dir_all(folder)?;
        let folder = folder.canonicalize()?;
        let input = folder.join("input");
        fs::create_dir_all(&input)?;
        fs::write(input.join("rates.csv"), super::plans::RATES)?;
        let store = RunStore::create_or_open(&folder.join("runs"))?.anchored_in(&folder.join("anchor"))?;
        let store = Arc::new(store);
        let reactor = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
        let catalog = builtin().map_err(|_| "the built-in catalogue cannot be read")?;
        let world = World {
            journal: store.clone(),
            blobs: store.clone(),
            clock: Arc::new(SystemClock),
            secrets: Arc::new(NoSecrets),
            evaluator: Arc::new(RuleEvaluator),
            models: Default::default(),
            directory: Arc::new(deed_ports::NoDirectory),
            signer: Arc::new(SigningKey::from_seed(&[7; 32])),
            catalog: Arc::new(catalog.clone()),
            sandbox: Arc::new(Site::new(
                Tools::prepare(&folder.join("tools"))?,
                ProbeOptions::default(),
                deed_sandbox::PrivatePaths::default(),
            )),
            resolver: Arc::new(SystemResolver),
            roots: Arc::new(Trust::default()),
            stage: folder.join("stage"),
            reactor: reactor.handle().clone(),
            approver: None,
            deciders: Vec::new(),
            process: "bench".to_owned(),
            accepts_rollback: false,
        };
        // What the machine offers is found out before anything is measured.
        world.sandbox.probe();
        Ok(Self { engine: LocalEngine::new(world), store, input, judge: None, _reactor: reactor })
    }
}
