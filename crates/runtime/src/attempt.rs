//! One attempt of a step: the state that the bridge and the harness share while its code runs.

use crate::bridge::{AttemptWitness, JudgedItem, Tool};
use crate::fault::panicked;
use crate::run::Run;
use crate::stage::Stage;
use deed_diag::{Invariant as _, invariant};
use deed_egress::{Gateway, GatewayConfig, Limits, Mode, Origin};
use deed_model::{Budget, StepContract, StepFailure};
use deed_ports::StoreError;
use deed_reach::Rules;
use deed_sandbox::Control;
use serde_json::Value;
use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};
use tokio::task::JoinError;
use tracing::{Span, error};

/// Answers of more than a mebibyte that are held at once.
const LONG_BODIES: usize = 2;
/// The least time between two recorded reports of progress.
const PROGRESS: Duration = Duration::from_millis(100);
/// The number of reports in a second that are read; of the others only the last is, at the end.
const REPORTS_A_SECOND: u64 = 100;
/// The number of reports of progress that an attempt may make.
const MOST_REPORTS: u64 = 100_000;
/// The number of denied requests after which an attempt is stopped.
const MOST_DENIED: u64 = 1_000;

/// Progress as code reports it: done, total, and a remark.
pub(crate) type Progress = (u64, Option<u64>, Option<String>);

/// One attempt of a step.
pub(crate) struct Attempt {
    pub(crate) run: Arc<Run>,
    pub(crate) contract: Arc<StepContract>,
    pub(crate) number: u32,
    pub(crate) stage: Stage,
    /// Its span, for what is done for it on other threads.
    pub(crate) span: Span,
    /// The arguments of its interpreter, once its code is staged.
    arguments: OnceLock<Vec<String>>,
    /// The name of its account in the ledger.
    pub(crate) account: String,
    /// Stops its code from another thread.
    pub(crate) control: Control,
    rules: Rules,
    gateway: OnceLock<Gateway>,
    /// The gateways to providers of models, by provider.
    model_gateways: Mutex<BTreeMap<String, Gateway>>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// The number of earlier calls, by identity.
    occurrences: HashMap<(String, String), u64>,
    /// Keys of calls, in order.
    calls: Vec<String>,
    spent: Budget,
    troubles: Vec<Trouble>,
    parked: Option<String>,
    /// True if it is being stopped, so that nothing more is asked and nothing more happens.
    over: bool,
    /// The error of the disk or the journal that keeps anything from being decided, if any.
    unavailable: Option<StoreError>,
    /// The time of the last recorded progress, and the last report since.
    progress: (Option<Instant>, Option<Progress>),
    /// The reports that were read in the second that began then.
    reports_read: (Option<Instant>, u64),
    /// The last report that was not read, and their number.
    unread: (Option<Value>, u64),
    denied: u64,
    reports: u64,
}

/// A refusal that code was given, or a failure of what was done for it.
#[derive(Debug, Clone)]
pub(crate) struct Trouble {
    pub(crate) failure: StepFailure,
    /// True if the step fails for it even if its code continues and ends with exit code 0.
    pub(crate) fatal: bool,
    /// The item of an evaluation that blocks and was not made; it is fatal unless the item is judged later.
    unjudged: Option<JudgedItem>,
}

/// The name of an attempt's account in the ledger.
pub(crate) fn account(contract: &StepContract, number: u32) -> String {
    format!("{}#{number}", contract.step_id)
}

impl Attempt {
    pub(crate) fn new(run: Arc<Run>, contract: Arc<StepContract>, number: u32, stage: Stage) -> Self {
        let account = account(&contract, number);
        let rules = Rules::read(contract.execution_contract.egress.clone()).ok();
        let rules = rules.invariant("the egress rules of a submitted contract can be read");
        let (gateway, inner) = (OnceLock::new(), Mutex::default());
        Self {
            run,
            contract,
            number,
            stage,
            span: Span::current(),
            arguments: OnceLock::new(),
            account,
            control: Control::new(),
            rules,
            gateway,
            model_gateways: Mutex::default(),
            inner,
        }
    }

    /// Records that its code is staged, with the arguments of its interpreter.
    pub(crate) fn set_staged(&self, arguments: Vec<String>) {
        invariant!(self.arguments.set(arguments).is_ok(), "the code of an attempt is staged once");
    }

    /// The arguments of its interpreter.
    pub(crate) fn arguments(&self) -> &[String] {
        self.arguments.get().invariant("the code of an attempt is staged before it runs")
    }

    /// Returns the egress rules.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Opens the gateway; names are resolved once from then on.
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
                    origin: Origin {
                        run_id: self.run.request.run_id.clone(),
                        step: self.contract.step_id.clone(),
                        attempt: self.number,
                    },
                    rules: self.rules.clone(),
                    mode: if learn { Mode::Learn } else { Mode::Enforce },
                    secrets: world.secrets.clone(),
                    resolver: world.resolver.clone(),
                    witness: Arc::new(witness),
                    roots,
                    reveals: crate::conceal::reveals,
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

    /// Returns the number of connections that its code may have at the bridge, and again at the proxy.
    pub(crate) fn connections(&self) -> usize {
        crate::descriptors::connections(deed_sandbox::open_files(), self.run.request.options.parallel)
    }

    /// Returns whether calls of a tool wait for an approver.
    pub(crate) fn gated(&self, tool: Tool) -> bool {
        self.contract.execution_contract.call_gates.iter().any(|gate| tool.is_gated_by(&gate.tool))
    }

    /// Cuts requests that are under way. Their outcome is unknown then.
    pub(crate) fn cut_requests(&self) {
        if let Some(gateway) = self.gateway.get() {
            gateway.cut();
        }
        self.model_gateways().values().for_each(Gateway::cut);
    }

    /// The gateway to a provider of models, if one was opened.
    pub(crate) fn model_gateway(&self, provider: &str) -> Option<Gateway> {
        self.model_gateways().get(provider).cloned()
    }

    /// Keeps the gateway to a provider of models; the first that is kept counts.
    pub(crate) fn keep_model_gateway(&self, provider: &str, gateway: Gateway) -> Gateway {
        self.model_gateways().entry(provider.to_owned()).or_insert(gateway).clone()
    }

    fn model_gateways(&self) -> MutexGuard<'_, BTreeMap<String, Gateway>> {
        self.model_gateways.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the progress to record now; a report that follows another too fast is kept until the end.
    pub(crate) fn progress(&self, said: Progress) -> Option<Progress> {
        let mut inner = self.inner();
        if inner.progress.0.is_some_and(|at| at.elapsed() < PROGRESS) {
            inner.progress.1 = Some(said);
            return None;
        }
        inner.progress = (Some(Instant::now()), None);
        Some(said)
    }

    /// Returns the last report of progress, if it was not recorded.
    pub(crate) fn last_progress(&self) -> Option<Progress> {
        self.inner().progress.1.take()
    }

    /// Keeps a report of progress unread if too many were read within this second, and returns how many were kept so far.
    pub(crate) fn unread_report(&self, arguments: &Value) -> Option<u64> {
        let mut inner = self.inner();
        if inner.reports_read.0.is_none_or(|at| at.elapsed() >= Duration::from_secs(1)) {
            inner.reports_read = (Some(Instant::now()), 0);
        }
        inner.reports_read.1 += 1;
        if inner.reports_read.1 <= REPORTS_A_SECOND {
            inner.unread.0 = None;
            return None;
        }
        inner.unread = (Some(arguments.clone()), inner.unread.1 + 1);
        Some(inner.unread.1)
    }

    /// Returns the last report of progress that was not read.
    pub(crate) fn last_unread(&self) -> Option<Value> {
        self.inner().unread.0.take()
    }

    /// Counts a denied request, and returns whether that is one too many.
    pub(crate) fn denied(&self) -> bool {
        let mut inner = self.inner();
        inner.denied += 1;
        inner.denied >= MOST_DENIED
    }

    /// Counts a report of progress, and returns whether that is one too many.
    pub(crate) fn reports_too_much(&self) -> bool {
        let mut inner = self.inner();
        inner.reports += 1;
        inner.reports > MOST_REPORTS
    }

    /// Returns whether too many reports of progress were made.
    pub(crate) fn reported_too_much(&self) -> bool {
        self.inner().reports > MOST_REPORTS
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call, and returns the number of earlier calls of this tool with these arguments.
    pub(crate) fn occurrence(&self, tool: &str, arguments: &str) -> u64 {
        let mut inner = self.inner();
        let count = inner.occurrences.entry((tool.to_owned(), arguments.to_owned())).or_default();
        let before = *count;
        *count += 1;
        before
    }

    /// Records a call that was answered, newly or from the journal.
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
        self.inner().troubles.push(Trouble { failure, fatal, unjudged: None });
    }

    /// Records that an item was not judged by an evaluation that blocks.
    pub(crate) fn not_judged(&self, item: JudgedItem, failure: StepFailure) {
        self.inner().troubles.push(Trouble { failure, fatal: true, unjudged: Some(item) });
    }

    /// Settles earlier evaluations of an item that were not made: it was judged now, under `block`.
    pub(crate) fn judged(&self, item: &JudgedItem) {
        for trouble in &mut self.inner().troubles {
            if trouble.unjudged.as_ref().is_some_and(|unjudged| unjudged.is_settled_by(item)) {
                (trouble.fatal, trouble.unjudged) = (false, None);
            }
        }
    }

    pub(crate) fn troubles(&self) -> Vec<Trouble> {
        self.inner().troubles.clone()
    }

    /// Stops the code until an approver has decided at a gate.
    pub(crate) fn park(&self, gate_id: &str) {
        self.inner().parked.get_or_insert_with(|| gate_id.to_owned());
        self.stop();
    }

    /// Stops the code. It lives a little longer and could catch its errors, so nothing more is done for it.
    pub(crate) fn stop(&self) {
        self.inner().over = true;
        self.control.cancel();
    }

    /// Fails the attempt over a panic in what was done for it.
    pub(crate) fn broke(&self, panic: &(dyn Any + Send)) {
        let failure = panicked(&self.contract.step_id, panic);
        error!(run = self.run.request.run_id, step = self.contract.step_id, attempt = self.number, "panicked");
        self.trouble(failure, true);
        self.stop();
    }

    /// Handles the end of a task without a result: it panicked, was aborted, or the runtime shuts down.
    pub(crate) fn task_ended(&self, ended: JoinError) {
        if let Ok(panic) = ended.try_into_panic() {
            self.broke(&*panic);
        }
    }

    /// Returns whether its code is being stopped.
    pub(crate) fn is_over(&self) -> bool {
        self.inner().over || self.run.is_stopping()
    }

    /// Stops the code, since the disk or the journal cannot be used.
    pub(crate) fn give_up(&self, error: &StoreError) {
        self.inner().unavailable.get_or_insert_with(|| error.clone());
        self.stop();
    }

    /// Returns the error that keeps anything from being decided, if any.
    pub(crate) fn unavailable(&self) -> Option<StoreError> {
        self.inner().unavailable.clone()
    }

    pub(crate) fn parked(&self) -> Option<String> {
        self.inner().parked.clone()
    }
}
