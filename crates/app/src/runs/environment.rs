//! Everything that a run needs of this machine and this project.

use super::load::{engine_error, store_error};
use super::rollback;
use super::secrets::ProjectSecrets;
use super::transcript;
use crate::error::AppError;
use crate::files;
use crate::home::Home;
use crate::keys;
use crate::session::Session;
use crate::workspaces::{ProjectDirectory, RunSecrets};
use deed_catalog::Catalog;
use deed_diag::{Diagnostic, Invariant as _, Place, Report, codes, did_you_mean, quote};
use deed_egress::{Resolver, Resolving, SystemResolver};
use deed_model::{CompiledPlan, FrozenWorkspace};
use deed_ports::Clock;
use deed_runtime::{Approver, LocalEngine, OPERATOR, RuleEvaluator, Site, Trust, World};
use deed_sandbox::{ProbeOptions, Tools, ToolsError};
use deed_store::{AnchorReport, RunStore};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};

/// Settings of the machine that belong to no run.
#[derive(Debug, Clone, Default)]
pub struct MachineOptions {
    /// Addresses for names, `NAME=ADDRESS`, in place of what the system's resolver says.
    pub resolve: Vec<String>,
    /// A PEM file with certificates that are trusted besides the system's.
    pub ca: Option<PathBuf>,
    /// Roles whose gates are approved at once, in the name of the session's actor.
    pub approve: Vec<String>,
    /// Continue with a journal that lacks events which were there. What was done after its end may be done again.
    pub accept_rollback: bool,
    /// Writes the calls of models and their replies into a transcript.
    pub record: Option<PathBuf>,
    /// Answers calls of models from a transcript, without any provider.
    pub replay: Option<PathBuf>,
}

impl MachineOptions {
    /// Names that are given an address, in order.
    pub fn names(&self) -> Vec<String> {
        let named = self.resolve.iter().filter_map(|pair| pair.split_once('='));
        let names: BTreeSet<String> = named.map(|(name, _)| name.to_lowercase()).collect();
        names.into_iter().collect()
    }

    /// Returns whether certificates besides the system's are given.
    pub fn extra_roots(&self) -> bool {
        self.ca.is_some()
    }

    /// Refuses a role to approve beforehand that no gate of a plan is for: it is misspelt, and the run would wait.
    ///
    /// # Errors
    /// A role is that of no gate, of no call, and not of the operator who decides about lost answers.
    pub(super) fn approvable(&self, plan: &CompiledPlan) -> Result<(), AppError> {
        let calls = plan.steps.iter().flat_map(|step| &step.execution_contract.call_gates);
        let roles: BTreeSet<&str> = plan
            .gates
            .iter()
            .map(|gate| gate.approver_role.as_str())
            .chain(calls.map(|gate| gate.approver_role.as_str()))
            .collect();
        let known = |role: &str| roles.contains(role) || role == OPERATOR;
        let Some(unknown) = self.approve.iter().find(|role| !known(role)) else { return Ok(()) };
        let message = format!("no gate of this plan is for {}", quote(unknown));
        let listed: Vec<String> = roles.iter().map(|role| quote(role)).collect();
        let all = match listed.is_empty() {
            true => "it has no gates: leave `--approve` out".to_owned(),
            false => format!("its gates are for {}", listed.join(", ")),
        };
        let help = did_you_mean(unknown, roles.iter().copied()).unwrap_or(all);
        Err(AppError::refused(Diagnostic::error(codes::OTHER_ROLE, message).stage("gates").help(help)))
    }

    /// The options that a later command has to repeat: addresses, certificates and transcripts are not part of a run.
    pub fn repeated(&self) -> String {
        let resolve = self.resolve.iter().map(|pair| format!(" --resolve {}", shell_word(pair)));
        let file = |option: &'static str| {
            move |path: &PathBuf| format!(" {option} {}", shell_word(&path.display().to_string()))
        };
        let ca = self.ca.iter().map(file("--ca"));
        resolve.chain(ca).chain(self.replay.iter().map(file("--replay"))).collect()
    }
}

/// A word as a shell reads it: quoted where it has characters that a shell would take for something else. Characters that
/// cannot be shown are replaced.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@+%".contains(c);
    let shown: String = word.chars().map(deed_diag::visible).collect();
    match !shown.is_empty() && shown.chars().all(plain) {
        true => shown,
        false => format!("'{}'", shown.replace('\'', r"'\''")),
    }
}

/// An engine in the home of a session, and the runtime that serves its bridges and proxies.
pub struct RunEnvironment {
    /// The home.
    pub home: Home,
    /// The engine.
    pub engine: LocalEngine,
    /// Warnings about the journal.
    pub warnings: Report,
    /// The file for the transcript of models, if one was asked for.
    pub(super) record: Option<PathBuf>,
    /// The session that it was opened for.
    pub(super) session: Session,
    reactor: tokio::runtime::Runtime,
}

impl std::fmt::Debug for RunEnvironment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RunEnvironment").field("home", &self.home).finish_non_exhaustive()
    }
}

impl RunEnvironment {
    /// Opens the engine of the session's home.
    ///
    /// # Errors
    /// There is no home, its store is damaged, its key is missing, or an option makes no sense.
    pub fn open(session: &Session, catalog: Catalog, machine: &MachineOptions) -> Result<Self, AppError> {
        Self::open_in(session, catalog, machine, None)
    }

    /// Opens the engine for a run of a workspace, whose secrets are those that were frozen with the run.
    ///
    /// # Errors
    /// As for [`RunEnvironment::open`].
    pub(super) fn open_in(
        session: &Session,
        catalog: Catalog,
        machine: &MachineOptions,
        workspace: Option<&FrozenWorkspace>,
    ) -> Result<Self, AppError> {
        // Steps talk to this process over sockets, and several run at once.
        deed_sandbox::raise_open_files();
        let home = session.home()?;
        transcript::free(machine.record.as_deref())?;
        let actor = session.stamp()?.actor;
        let store = RunStore::create_or_open(&home.runs()).and_then(|store| store.anchored_in(&home.anchor()));
        let store = Arc::new(store.map_err(|error| store_error(&error))?);
        let compared = store.compare_anchors().map_err(|error| store_error(&error))?;
        let compared = compared.invariant("the store is anchored");
        // A journal that was rolled back is refused when it is written to.
        let warnings = rollback::report(AnchorReport { lacking: Vec::new(), ..compared });
        let reactor = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(AppError::internal)?;
        let extra = match &machine.ca {
            Some(path) => certificates(path)?,
            None => Vec::new(),
        };
        let tools = Tools::prepare(&home.tools()).map_err(|error| AppError::environment(tools_missing(&error)))?;
        let world = World {
            journal: store.clone(),
            blobs: store,
            clock: Arc::new(OffsetClock::new(session)),
            secrets: Arc::new(RunSecrets::new(ProjectSecrets::new(home.secrets()), workspace)),
            directory: Arc::new(ProjectDirectory::new(home.workspaces())),
            evaluator: Arc::new(RuleEvaluator),
            models: transcript::source(machine.replay.as_deref())?,
            signer: Arc::new(keys::workspace_key(&home)?),
            catalog: Arc::new(catalog),
            sandbox: Arc::new(Site::new(tools, ProbeOptions::default(), home.private())),
            resolver: resolver(&machine.resolve)?,
            roots: Arc::new(Trust::new(extra)),
            stage: home.stage(),
            reactor: reactor.handle().clone(),
            approver: (!machine.approve.is_empty())
                .then(|| Approver { name: actor.clone(), roles: machine.approve.clone() }),
            deciders: keys::public_keys(&home)?,
            process: format!("{actor}, process {}", std::process::id()),
            accepts_rollback: machine.accept_rollback,
        };
        let (record, session) = (machine.record.clone(), session.clone());
        Ok(Self { home, engine: LocalEngine::new(world), warnings, record, session, reactor })
    }
}

impl RunEnvironment {
    /// Replaces what is noted of a journal that was rolled back, where the options accept that.
    pub(super) fn accept_rollback(&self, run_id: &str, machine: &MachineOptions) -> Result<(), AppError> {
        match machine.accept_rollback {
            true => self.engine.accept_rollback(run_id).map_err(engine_error),
            false => Ok(()),
        }
    }

    /// Acts once when this process is asked to end by a signal. Signals that were ignored from the start, as those of a
    /// job in the background are, stay ignored; where none can be listened to, they end the process as they always do.
    pub fn on_signal(&self, act: impl FnOnce(i32) + Send + 'static) -> tokio::task::JoinHandle<()> {
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
                let signal = kind.as_raw_value();
                // A signal that was listened to no longer ends the process, so a panic must not keep it alive.
                if catch_unwind(AssertUnwindSafe(|| act(signal))).is_err() {
                    std::process::exit(128 + signal);
                }
            }
        })
    }
}

/// The diagnostic for missing programs that sandboxes are started with.
pub fn tools_missing(error: &ToolsError) -> Diagnostic {
    let help = match error {
        ToolsError::Folder(_) => "move the project to a folder whose path is in UTF-8",
        ToolsError::File { .. } => "make `.deed/tools` writable, or remove it: it is written again",
        ToolsError::Changed(_) => "remove the file: it is written again",
        ToolsError::NoInit => "run `make init` in a clone of the repository, and build again",
        ToolsError::Damaged => "build or install `deed` again",
    };
    Diagnostic::error(codes::SANDBOX_NOT_STARTED, error.to_string()).stage("sandbox").help(help)
}

/// Reads a PEM file, which must have at least one certificate.
fn certificates(path: &Path) -> Result<Vec<u8>, AppError> {
    let pem = files::read(path)?.bytes;
    match deed_egress::Roots::of_pem(&pem) {
        Ok(_) => Ok(pem),
        Err(error) => Err(AppError::refused(
            Diagnostic::error(codes::BAD_CA_FILE, format!("no certificate can be read from it: {error}"))
                .stage("egress")
                .at(Place::file(path.display().to_string()))
                .help("give `--ca` certificates in PEM, each between `BEGIN CERTIFICATE` and `END CERTIFICATE`"),
        )),
    }
}

/// Returns whether a signal was ignored when this process was started.
fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
    u32::try_from(kind.as_raw_value() - 1).is_ok_and(|bit| mask.checked_shr(bit).unwrap_or_default() & 1 == 1)
}

/// The clock of the system, or one that starts at the session's time.
struct OffsetClock {
    ahead_ms: i64,
}

impl OffsetClock {
    fn new(session: &Session) -> Self {
        let parsed =
            |text: &str| text.parse::<jiff::Timestamp>().invariant("the stamp of the session was made of its time");
        let given = session.now.as_deref().map(parsed);
        let ahead_ms = given.map_or(0, |given| given.as_millisecond() - jiff::Timestamp::now().as_millisecond());
        Self { ahead_ms }
    }
}

impl Clock for OffsetClock {
    fn unix_ms(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond() + self.ahead_ms
    }
}

/// Resolves names to the addresses that the caller gave, and all other names as the system does.
struct NamedAddresses {
    known: BTreeMap<String, IpAddr>,
}

impl Resolver for NamedAddresses {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        match self.known.get(name) {
            Some(address) => Box::pin(async move { Ok(vec![*address]) }),
            None => SystemResolver.resolve(name),
        }
    }
}

fn resolver(given: &[String]) -> Result<Arc<dyn Resolver>, AppError> {
    let mut known = BTreeMap::new();
    for text in given {
        let pair = text.split_once('=').filter(|(name, _)| deed_reach::Host::read(name).is_ok());
        let pair = pair.and_then(|(name, address)| Some((name.to_lowercase(), address.parse().ok()?)));
        let Some((name, address)) = pair else {
            let message = format!("{} is not a name with an address", deed_diag::quote(text));
            let diagnostic = Diagnostic::error(codes::BAD_RESOLVE, message).stage("run");
            return Err(AppError::usage(diagnostic.help("write `--resolve api.example.test=127.0.0.1`")));
        };
        known.insert(name, address);
    }
    Ok(Arc::new(NamedAddresses { known }))
}
