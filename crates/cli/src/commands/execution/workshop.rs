//! Everything that a run needs of this machine and this project, put together once.

use super::secrets::ProjectSecrets;
use super::{NOTHING_NOTED, UNNOTED, store_failure};
use crate::args::Global;
use crate::commands::keys;
use crate::commands::registry::stamp;
use crate::failure::Failure;
use crate::files;
use crate::home::Home;
use crate::output::aside;
use clap::Args;
use deed_catalog::Catalog;
use deed_diag::{Code, Diagnostic, Place};
use deed_egress::{Resolver, Resolving, SystemResolver};
use deed_ports::Clock;
use deed_runtime::{Approver, LocalEngine, RuleEvaluator, Site, Trust, World};
use deed_sandbox::{ProbeOptions, Tools, ToolsError};
use deed_store::RunStore;
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};

const BAD_RESOLVE: Code = Code::new("D2060");
const NO_TOOLS: Code = Code::new("D2035");
const BAD_CA: Code = Code::new("D2067");

/// What of the machine can be set.
#[derive(Debug, Args, Default)]
pub(crate) struct Machine {
    /// An address for a name, in place of what the system says; may be given several times.
    #[arg(long, value_name = "NAME=ADDRESS")]
    resolve: Vec<String>,
    /// A PEM file with certificates that are believed outside, besides the system's.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Approve gates of this role as they come, in the name of whoever runs this; may be given several times.
    #[arg(long, value_name = "ROLE")]
    approve: Vec<String>,
    /// Continue with a journal that lacks events which were there, as after an older copy was restored. What was done
    /// after its end may be done again.
    #[arg(long)]
    accept_rollback: bool,
}

impl Machine {
    /// Whether a journal that was rolled back is accepted.
    pub(crate) fn accepts_rollback(&self) -> bool {
        self.accept_rollback
    }

    /// Names that are given an address, in order.
    pub(crate) fn names(&self) -> Vec<String> {
        let named = self.resolve.iter().filter_map(|pair| pair.split_once('='));
        let names: BTreeSet<String> = named.map(|(name, _)| name.to_lowercase()).collect();
        names.into_iter().collect()
    }

    /// Whether certificates besides the system's are given.
    pub(crate) fn extra_roots(&self) -> bool {
        self.ca.is_some()
    }

    /// What has to be said again by whoever goes on: addresses and certificates are not part of a run.
    pub(crate) fn again(&self) -> String {
        let resolve = self.resolve.iter().map(|pair| format!(" --resolve {pair}"));
        let ca = self.ca.iter().map(|path| format!(" --ca {}", path.display()));
        resolve.chain(ca).collect()
    }
}

/// An engine, and what keeps it running.
pub(crate) struct Workshop {
    pub(crate) home: Home,
    pub(crate) engine: LocalEngine,
    reactor: tokio::runtime::Runtime,
}

impl Workshop {
    /// Opens the workshop of the home that is meant.
    pub(crate) fn open(global: &Global, catalog: Catalog, machine: &Machine) -> Result<Self, Failure> {
        // Steps talk to this process over sockets, and several run at once.
        deed_sandbox::raise_open_files();
        let home = Home::find(global.home.as_deref())?;
        let actor = stamp(global)?.actor;
        let store = RunStore::create_or_open(&home.runs()).and_then(|store| store.anchored_in(&home.anchor()));
        let store = Arc::new(store.map_err(|error| store_failure(&error))?);
        if store.compare_anchors().map_err(|error| store_failure(&error))?.is_some_and(|report| report.unnoted) {
            aside(&format!("warning[{UNNOTED}]: {NOTHING_NOTED}"));
        }
        let reactor = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(Failure::internal)?;
        let extra = match &machine.ca {
            Some(path) => certificates(path)?,
            None => Vec::new(),
        };
        let tools = Tools::prepare(&home.tools()).map_err(|error| Failure::environment(no_tools(&error)))?;
        let world = World {
            journal: store.clone(),
            blobs: store,
            clock: Arc::new(GivenClock::new(global)),
            secrets: Arc::new(ProjectSecrets::new(home.secrets())),
            evaluator: Arc::new(RuleEvaluator),
            signer: Arc::new(keys::workspace_key(&home)?),
            catalog: Arc::new(catalog),
            sandbox: Arc::new(Site::new(tools, ProbeOptions::default(), home.private())),
            resolver: resolver(&machine.resolve)?,
            roots: Arc::new(Trust::new(extra)),
            stage: home.stage(),
            reactor: reactor.handle().clone(),
            approver: (!machine.approve.is_empty())
                .then(|| Approver { name: actor.clone(), roles: machine.approve.clone() }),
            deciders: keys::public_keys(&home),
            process: format!("{actor}, process {}", std::process::id()),
            accepts_rollback: machine.accepts_rollback(),
        };
        Ok(Self { home, engine: LocalEngine::new(world), reactor })
    }
}

impl Workshop {
    /// Does something once somebody wants this process to end. Signals that were ignored from the start, as those of a
    /// job in the background are, stay ignored; where none can be listened to, they end the process as they always do.
    pub(crate) fn on_signal(&self, act: impl FnOnce(i32) + Send + 'static) -> tokio::task::JoinHandle<()> {
        self.reactor.spawn(async move {
            let kinds = [SignalKind::interrupt(), SignalKind::terminate()];
            let (came, mut first) = tokio::sync::mpsc::channel(1);
            for kind in kinds.into_iter().filter(|kind| !is_ignored(*kind)) {
                let (came, Ok(mut heard)) = (came.clone(), signal(kind)) else { return };
                tokio::spawn(async move {
                    heard.recv().await;
                    let _ = came.send(kind).await;
                });
            }
            drop(came);
            if let Some(kind) = first.recv().await {
                act(kind.as_raw_value());
            }
        })
    }
}

/// Why what sandboxes are started with cannot be had.
pub(crate) fn no_tools(error: &ToolsError) -> Diagnostic {
    let help = match error {
        ToolsError::Folder(_) => "move the project to a folder whose path is in UTF-8",
        ToolsError::File { .. } => "see to it that `.deed/tools` can be written, or remove it: it is made anew",
        ToolsError::Changed(_) => "remove the file: it is written anew",
    };
    Diagnostic::error(NO_TOOLS, error.to_string()).stage("sandbox").help(help)
}

/// A PEM file that has at least one certificate: one that has none would be believed to help.
fn certificates(path: &Path) -> Result<Vec<u8>, Failure> {
    let pem = files::read(path)?.bytes;
    match deed_egress::Roots::of_pem(&pem) {
        Ok(_) => Ok(pem),
        Err(error) => Err(Failure::refused(
            Diagnostic::error(BAD_CA, format!("no certificate can be read from it: {error}"))
                .stage("egress")
                .at(Place::file(path.display().to_string()))
                .help("give `--ca` certificates in PEM, each between `BEGIN CERTIFICATE` and `END CERTIFICATE`"),
        )),
    }
}

/// Whether a signal was ignored when this process was started.
fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    u32::try_from(kind.as_raw_value() - 1).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or_default() & 1 == 1)
}

/// The clock of the system, or one that begins at `--now` and goes on from there.
struct GivenClock {
    ahead_ms: i64,
}

impl GivenClock {
    fn new(global: &Global) -> Self {
        let given = global.now.as_deref().and_then(|text| text.parse::<jiff::Timestamp>().ok());
        let ahead_ms = given.map_or(0, |given| given.as_millisecond() - jiff::Timestamp::now().as_millisecond());
        Self { ahead_ms }
    }
}

impl Clock for GivenClock {
    fn unix_ms(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond() + self.ahead_ms
    }
}

/// Names that the command line gives an address, and the system for all others.
struct Given {
    known: BTreeMap<String, IpAddr>,
}

impl Resolver for Given {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        match self.known.get(name) {
            Some(address) => Box::pin(async move { Ok(vec![*address]) }),
            None => SystemResolver.resolve(name),
        }
    }
}

fn resolver(given: &[String]) -> Result<Arc<dyn Resolver>, Failure> {
    let mut known = BTreeMap::new();
    for text in given {
        let pair = text.split_once('=').filter(|(name, _)| deed_reach::Host::read(name).is_ok());
        let pair = pair.and_then(|(name, address)| Some((name.to_lowercase(), address.parse().ok()?)));
        let Some((name, address)) = pair else {
            let message = format!("{} is no name with an address", deed_diag::quote(text));
            let diagnostic = Diagnostic::error(BAD_RESOLVE, message).stage("run");
            return Err(Failure::usage(diagnostic.help("write `--resolve api.example.test=127.0.0.1`")));
        };
        known.insert(name, address);
    }
    Ok(Arc::new(Given { known }))
}
