//! One attempt of a step: what the bridge and the harness share while its code runs.

use crate::bridge::{AttemptWitness, Tool};
use crate::run::Run;
use crate::stage::Stage;
use deed_egress::{Gateway, GatewayConfig, Limits, Mode};
use deed_model::{Budget, StepContract, StepFailure};
use deed_ports::StoreError;
use deed_reach::Rules;
use deed_sandbox::Control;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Answers of more than a mebibyte that are held at once.
const LONG_BODIES: usize = 2;
/// Progress that is said more often than this is not written down each time.
const PROGRESS: Duration = Duration::from_millis(100);
/// So many reports of progress are taken from an attempt.
const MOST_REPORTS: u64 = 100_000;
/// So many requests may be denied to an attempt before it is stopped.
const MOST_DENIED: u64 = 1_000;

/// How far code says that it is: so many, of so many, and a remark.
pub(crate) type Progress = (u64, Option<u64>, Option<String>);

/// One attempt of a step.
pub(crate) struct Attempt {
    pub(crate) run: Arc<Run>,
    pub(crate) contract: Arc<StepContract>,
    pub(crate) number: u32,
    pub(crate) stage: Stage,
    /// The name of its account in the ledger.
    pub(crate) account: String,
    /// Stops its code from another thread.
    pub(crate) control: Control,
    rules: Rules,
    gateway: OnceLock<Gateway>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// How many calls of the same identity came before.
    occurrences: HashMap<(String, String), u64>,
    /// Keys of calls, in order.
    calls: Vec<String>,
    spent: Budget,
    troubles: Vec<Trouble>,
    parked: Option<String>,
    /// Whether it is being stopped, so that nothing more is asked and nothing more happens.
    over: bool,
    /// Why nothing can be decided before a person has helped, if so.
    unavailable: Option<StoreError>,
    /// When progress was last written down, and what was said since.
    progress: (Option<Instant>, Option<Progress>),
    denied: u64,
    reports: u64,
}

/// Something that code was told no about.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub(crate) failure: StepFailure,
    /// Whether the step fails for it even if its code goes on and ends well.
    pub(crate) fatal: bool,
}

impl Attempt {
    pub(crate) fn new(run: Arc<Run>, contract: Arc<StepContract>, number: u32, stage: Stage) -> Self {
        let account = format!("{}#{number}", contract.step_id);
        // The rules were read when the run was submitted; what cannot be read allows nothing.
        let rules = Rules::read(contract.execution_contract.egress.clone()).unwrap_or_default();
        let (gateway, inner) = (OnceLock::new(), Mutex::default());
        Self { run, contract, number, stage, account, control: Control::new(), rules, gateway, inner }
    }

    /// What may be reached.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Opens the way out; names are resolved once from then on.
    pub(crate) fn open_gateway(self: &Arc<Self>) -> Result<Gateway, String> {
        if let Some(gateway) = self.gateway.get() {
            return Ok(gateway.clone());
        }
        let roots = self.run.world.roots.roots().map_err(|error| error.to_string())?;
        let gateway = self
            .gateway
            .get_or_init(|| {
                let witness = AttemptWitness::new(Weak::clone(&Arc::downgrade(self)));
                let world = &self.run.world;
                let learn = self.run.request.options.learn_egress;
                Gateway::new(GatewayConfig {
                    rules: self.rules.clone(),
                    mode: if learn { Mode::Learn } else { Mode::Enforce },
                    secrets: world.secrets.clone(),
                    resolver: world.resolver.clone(),
                    witness: Arc::new(witness),
                    roots,
                    limits: Limits {
                        max_long_bodies: LONG_BODIES,
                        max_connections: self.connections(),
                        ..Limits::default()
                    },
                })
            })
            .clone();
        Ok(gateway)
    }

    /// How many connections its code may have at the bridge, and again at the proxy.
    pub(crate) fn connections(&self) -> usize {
        crate::descriptors::connections(deed_sandbox::open_files(), self.run.request.options.parallel)
    }

    /// Whether calls of a tool wait for a person.
    pub(crate) fn gated(&self, tool: Tool) -> bool {
        self.contract.execution_contract.call_gates.iter().any(|gate| tool.is_gated_by(&gate.tool))
    }

    /// Ends requests that are under way. Whether they happened, nobody knows then.
    pub(crate) fn cut_requests(&self) {
        if let Some(gateway) = self.gateway.get() {
            gateway.cut();
        }
    }

    /// What is to be written down of progress now; what comes too fast is kept until the end.
    pub(crate) fn progress(&self, said: Progress) -> Option<Progress> {
        let mut inner = self.inner();
        if inner.progress.0.is_some_and(|at| at.elapsed() < PROGRESS) {
            inner.progress.1 = Some(said);
            return None;
        }
        inner.progress = (Some(Instant::now()), None);
        Some(said)
    }

    /// The last that was said of progress, if it was not written down.
    pub(crate) fn last_progress(&self) -> Option<Progress> {
        self.inner().progress.1.take()
    }

    /// One more request was denied; whether that is one too many.
    pub(crate) fn denied(&self) -> bool {
        let mut inner = self.inner();
        inner.denied += 1;
        inner.denied >= MOST_DENIED
    }

    /// One more report of progress came; whether that is one too many.
    pub(crate) fn reports_too_much(&self) -> bool {
        let mut inner = self.inner();
        inner.reports += 1;
        inner.reports > MOST_REPORTS
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls of this tool with these arguments came before, counting this one from now on.
    pub(crate) fn occurrence(&self, tool: &str, arguments: &str) -> u64 {
        let mut inner = self.inner();
        let count = inner.occurrences.entry((tool.to_owned(), arguments.to_owned())).or_default();
        let before = *count;
        *count += 1;
        before
    }

    /// A call that was answered, newly or from the journal.
    pub(crate) fn answered(&self, key: &str, spent: &Budget) {
        let mut inner = self.inner();
        inner.calls.push(key.to_owned());
        inner.spent = inner.spent.plus(*spent);
    }

    /// Keys of its calls, and what they spent.
    pub(crate) fn calls(&self) -> (Vec<String>, Budget) {
        let inner = self.inner();
        (inner.calls.clone(), inner.spent)
    }

    pub(crate) fn trouble(&self, failure: StepFailure, fatal: bool) {
        self.inner().troubles.push(Trouble { failure, fatal });
    }

    pub(crate) fn troubles(&self) -> Vec<Trouble> {
        self.inner().troubles.clone()
    }

    /// Stops the code until a person has answered at a gate.
    pub(crate) fn park(&self, gate_id: &str) {
        self.inner().parked.get_or_insert_with(|| gate_id.to_owned());
        self.stop();
    }

    /// Stops the code. It lives a little longer, and could go on from whatever it was told.
    pub(crate) fn stop(&self) {
        self.inner().over = true;
        self.control.cancel();
    }

    /// Whether its code is being stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.inner().over || self.run.is_stopping()
    }

    /// Stops the code, since the disk or the journal cannot be used.
    pub(crate) fn give_up(&self, error: &StoreError) {
        self.inner().unavailable.get_or_insert_with(|| error.clone());
        self.stop();
    }

    /// Why nothing can be decided, if so.
    pub(crate) fn unavailable(&self) -> Option<StoreError> {
        self.inner().unavailable.clone()
    }

    pub(crate) fn parked(&self) -> Option<String> {
        self.inner().parked.clone()
    }
}
