//! `sandbox.session`: code in the sandbox, with the bridge and the proxy as its only egress.

use super::ENDED_WELL;
use crate::attempt::Attempt;
use crate::bridge::Bridge;
use crate::fault::{FailureExt, fault};
use crate::harness::End;
use crate::steps::execute::BackendResult;
use crate::steps::prepare::LANGUAGE;
use crate::steps::project::{INPUTS, Projected, WORKSPACE};
use crate::steps::{disk, store};
use deed_diag::{Invariant as _, codes};
use deed_egress::Proxy;
use deed_model::{
    CodePlace, FailureCause, FailureClass, FailureCode, IsolationLevel, SandboxDemand, SandboxLimits, StepFailure,
};
use deed_sandbox::{CapturedOutput, Ended, Interpreter, InterpreterError, Job, Language, Outcome, Quota};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::net::UnixListener;

/// The longest name of a socket.
const LONGEST_SOCKET: usize = 107;
/// The interval at which the deadline of requests under way is checked.
const LOOK: Duration = Duration::from_millis(50);
/// The number of open files below which sandboxes cannot be started.
const LEAST_FILES: u64 = 64;
/// The usual limit of open files.
const USUAL_FILES: u64 = 1024;
/// The number of printed characters that a failure shows.
const SHOWN: usize = 2000;

pub(crate) fn sandbox(attempt: &Arc<Attempt>, projected: &Projected) -> Result<BackendResult, End> {
    let contract = &attempt.contract.execution_contract;
    let demand = contract.sandbox.unwrap_or_default();
    let probe = attempt.run.world.sandbox.probe();
    let job = job(attempt, projected)?;
    reachable(&job, probe.level)?;
    let plan = deed_sandbox::plan(&job, &demand, probe).map_err(|refusal| {
        let open_files = deed_sandbox::open_files();
        if open_files < LEAST_FILES {
            // What the machine offers could not be found out: it is not the machine that is too weak.
            let message = format!("a sandbox needs about {LEAST_FILES} open files, and the limit here is {open_files}");
            let help =
                format!("raise the limit of open files: `ulimit -n {USUAL_FILES}`, or `LimitNOFILE=` of a service");
            return not_ready(codes::SANDBOX_NOT_STARTED, message).help(help);
        }
        fault(FailureClass::PolicyViolation, codes::ISOLATION_TOO_WEAK, refusal.to_string())
            .help("`deed sandbox probe` says what this machine lacks")
    })?;
    let began = Instant::now();
    attempt.stage.show().map_err(|error| disk("the step cannot be staged", &error))?;
    let channels = Channels::open(attempt)?;
    attempt.run.register_control(&attempt.account, &attempt.control);
    let outcome = match catch_unwind(AssertUnwindSafe(|| deed_sandbox::run(&plan, &attempt.control))) {
        Ok(outcome) => outcome,
        Err(panic) => {
            // The step fails once nothing that its code began is under way: a retry must not run beside it.
            attempt.stop();
            channels.close(attempt, Instant::now());
            resume_unwind(panic)
        }
    };
    let by_itself = matches!(outcome.ended, Ended::Exited(_) | Ended::Signalled(_));
    let late = began + Duration::from_secs(demand.limits.wall_seconds.min(u64::from(u32::MAX)));
    // Requests of code that waits for an approver, or was denied, are answered; those of code that used up its limits are
    // cut.
    let used_up = !by_itself && !matches!(outcome.ended, Ended::Cancelled | Ended::Parked);
    channels.close(attempt, if used_up { Instant::now() } else { late });
    attempt.run.remove_control(&attempt.account);
    if by_itself && outcome.ended != Ended::Exited(0) && deed_sandbox::is_full(&attempt.stage.outputs()) {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        return Err(disk("the code failed, and the disk has no room for its outputs", &full));
    }
    let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let place = attempt.run.request.code_places.get(&attempt.contract.step_id);
    Ok(BackendResult { wall_ms, ..ran(outcome, &job.interpreter, &demand, place) })
}

/// Refuses sockets with too long a path. Without namespaces code names them by their whole path, of at most 107 bytes.
fn reachable(job: &Job, level: IsolationLevel) -> Result<(), End> {
    let sockets = job.bridge.iter().chain(&job.proxy);
    match sockets.map(|socket| socket.as_os_str().len()).max() {
        Some(length) if length > LONGEST_SOCKET && level < IsolationLevel::L2 => {
            let message =
                format!("the socket of the bridge has a name of {length} bytes, and {LONGEST_SOCKET} are the most");
            let help = "move the workspace to a folder with a shorter path; with namespaces it could stay";
            Err(not_ready(codes::SANDBOX_NOT_STARTED, message).help(help).into())
        }
        _ => Ok(()),
    }
}

/// The interpreter of the step's language.
fn interpreter(attempt: &Attempt, language: &str) -> Result<Interpreter, End> {
    let failed = |code, why: String, help: &str| End::from(not_ready(code, why).help(help));
    let language: Language = language.parse().map_err(|_| {
        failed(
            codes::NO_INTERPRETER,
            format!("nothing here runs `{language}`"),
            "write it in python, javascript or shell",
        )
    })?;
    let help = |error: &InterpreterError| match (error, language) {
        (InterpreterError::NotFound(_), Language::Python) => "install Python 3, so that `python3` is on `PATH`",
        (InterpreterError::NotFound(_), Language::JavaScript) => "install Node.js, so that `node` is on `PATH`",
        (InterpreterError::NotFound(_), Language::Shell) => "install a shell, so that `sh` is on `PATH`",
        (InterpreterError::Busy { .. }, _) => "raise the limit of open files (`ulimit -n`) or of processes",
        (InterpreterError::Unusable { .. }, _) => "put an interpreter that starts without settings first on `PATH`",
        (InterpreterError::Outside { .. }, _) => {
            "replace the link by what it leads to, or put another interpreter first on `PATH`"
        }
        (InterpreterError::TooWide { .. }, _) => "put an interpreter in a folder of its own first on `PATH`",
    };
    let found = attempt.run.world.sandbox.interpreter(language);
    found.map_err(|error| {
        let code = if matches!(error, InterpreterError::Busy { .. }) {
            codes::SANDBOX_NOT_STARTED
        } else {
            codes::NO_INTERPRETER
        };
        failed(code, error.to_string(), help(&error))
    })
}

fn job(attempt: &Attempt, projected: &Projected) -> Result<Job, End> {
    let contract = &attempt.contract.execution_contract;
    let language = contract.language.as_deref().invariant(LANGUAGE);
    let interpreter = interpreter(attempt, language)?;
    let outward = !contract.egress.is_empty() || attempt.run.request.options.learn_egress;
    Ok(Job {
        interpreter,
        args: attempt.arguments().to_vec(),
        stage: attempt.stage.outputs(),
        own_folder: Some(attempt.stage.root().to_owned()),
        inputs: projected.inputs.clone(),
        writable: projected.writable.clone(),
        meta: Some(attempt.stage.meta()),
        bridge: Some(attempt.stage.bridge()),
        proxy: outward.then(|| attempt.stage.proxy()),
        ca: outward.then(|| attempt.stage.ca()),
        env: BTreeMap::from([
            ("PYTHONPATH".to_owned(), format!("{WORKSPACE}/meta")),
            ("DEED_INPUTS".to_owned(), format!("{WORKSPACE}/meta/{INPUTS}")),
        ]),
    })
}

/// The channels that connect the code of a step to this process: the bridge, and the proxy where the contract has egress.
struct Channels {
    bridge: Bridge,
    proxy: Option<Proxy>,
    reactor: tokio::runtime::Handle,
}

impl Channels {
    fn open(attempt: &Arc<Attempt>) -> Result<Self, End> {
        let failed = |error: std::io::Error| disk("the bridge cannot be opened", &error);
        let reactor = attempt.run.world.reactor.clone();
        let bridge = Bridge::open(attempt).map_err(failed)?;
        let outward =
            !attempt.contract.execution_contract.egress.is_empty() || attempt.run.request.options.learn_egress;
        let proxy = if outward {
            let ca = attempt.run.ca().map_err(store)?;
            fs::write(attempt.stage.ca(), ca.pem()).map_err(failed)?;
            fs::set_permissions(attempt.stage.ca(), fs::Permissions::from_mode(0o444)).map_err(failed)?;
            let _inside = reactor.enter();
            let listener = attempt.stage.listen(&attempt.stage.proxy()).map_err(failed)?;
            let listener = UnixListener::from_std(listener).map_err(failed)?;
            let gateway = attempt.open_gateway().map_err(|why| not_ready(codes::SANDBOX_NOT_STARTED, why))?;
            Some(Proxy::serve(listener, gateway, ca))
        } else {
            None
        };
        Ok(Self { bridge, proxy, reactor })
    }

    /// Accepts no more requests, and waits for those under way. They are cut at `late`, or once the run stops.
    fn close(self, attempt: &Arc<Attempt>, late: Instant) {
        let watched = Arc::clone(attempt);
        let cutting = self.reactor.spawn(async move {
            while Instant::now() < late && !watched.run.is_stopping() {
                tokio::time::sleep(LOOK.min(late.saturating_duration_since(Instant::now()))).await;
            }
            watched.cut_requests();
        });
        if let Some(proxy) = self.proxy {
            self.reactor.block_on(proxy.close());
        }
        self.bridge.close(attempt);
        // It holds the attempt, and the last holder removes the attempt's folders: that must not be this task.
        cutting.abort();
        if let Err(ended) = self.reactor.block_on(cutting) {
            attempt.task_ended(ended);
        }
    }
}

fn ran(
    outcome: Outcome,
    interpreter: &Interpreter,
    demand: &SandboxDemand,
    place: Option<&CodePlace>,
) -> BackendResult {
    let printed = printed(&outcome);
    let exit_code = match outcome.ended {
        Ended::Exited(code) => Some(code),
        _ => None,
    };
    let (ended, failure) = ending(&outcome.ended, &demand.limits);
    let failure = failure.map(|failure| {
        let shown = tail(&outcome.stderr, place).or_else(|| tail(&outcome.stdout, place));
        let help = failure.help.clone().or_else(|| advice(&failure.code, shown.is_some()).map(str::to_owned));
        StepFailure { printed: shown, help, ..failure }
    });
    BackendResult {
        ended,
        failure,
        sandbox: Some(outcome.report),
        program: Some(format!("{} {}", interpreter.language.as_str(), interpreter.version)),
        wall_ms: outcome.wall_ms,
        exit_code,
        printed,
        outputs: None,
    }
}

/// How the program ended, in the words of the receipt, and the failure that it means.
fn ending(ended: &Ended, limits: &SandboxLimits) -> (String, Option<StepFailure>) {
    match ended {
        Ended::Exited(0) => (ENDED_WELL.to_owned(), None),
        Ended::Exited(code) => {
            let message = format!("the code ended with exit code {code}");
            let failure = fault(FailureClass::OutputShape, codes::CODE_FAILED, message);
            (format!("exit code {code}"), Some(failure.because(FailureCause::DeterministicCodeError)))
        }
        Ended::Lost => {
            let message = "the sandbox was killed from outside";
            let help = "the signal did not come from this step; the step is retried where its contract allows";
            ("killed".to_owned(), Some(died(message).help(help)))
        }
        Ended::Signalled(signal) => {
            let message = format!("the code was ended by signal {signal}, which the sandbox did not send");
            let help = "the step is retried where its contract allows; if it happens again, the machine may lack memory \
                        (signal 9), or the interpreter or a library of the code may have crashed (signals 4, 6, 7, 8, 11)";
            (format!("signal {signal}"), Some(died(message).help(help)))
        }
        Ended::WallTime => {
            let message = format!("it ran longer than {}", seconds(limits.wall_seconds));
            ("out of time".to_owned(), Some(exhausted(codes::OUT_OF_TIME, message)))
        }
        Ended::CpuTime => {
            let message = format!("it used more than {} of CPU", seconds(limits.cpu_seconds));
            let help = "raise `cpu_seconds` under `sandbox.limits` of the step, or compute less";
            ("out of CPU time".to_owned(), Some(exhausted(codes::OUT_OF_TIME, message).help(help)))
        }
        Ended::Memory => {
            let message = format!("it used more than {} bytes of memory", limits.memory_bytes);
            ("out of memory".to_owned(), Some(exhausted(codes::OUT_OF_MEMORY, message)))
        }
        Ended::OutputQuota(quota) => {
            let (ended, failure) = over_quota(*quota, limits);
            (ended.to_owned(), Some(failure))
        }
        Ended::Cancelled | Ended::Parked => {
            ("stopped".to_owned(), Some(fault(FailureClass::SandboxRuntime, codes::CANCELLED, "it was stopped")))
        }
        Ended::CouldNotStart(why) => {
            let message = format!("the sandbox could not be started: {why}");
            let help = "`deed sandbox probe` says what this machine lacks";
            ("not started".to_owned(), Some(not_ready(codes::SANDBOX_NOT_STARTED, message).help(help)))
        }
    }
}

/// The end and the failure of a program that wrote more than its quota, or where that cannot be known.
fn over_quota(quota: Quota, limits: &SandboxLimits) -> (&'static str, StepFailure) {
    match quota {
        Quota::Bytes => {
            let message = format!("it wrote more than {} bytes", limits.output_bytes);
            ("out of space", exhausted(codes::OUT_OF_SPACE, message))
        }
        Quota::Files => {
            let message = format!("it wrote more than {} files", limits.output_files);
            ("out of space", exhausted(codes::OUT_OF_SPACE, message))
        }
        Quota::Unseen => {
            let message = "it made a folder that is closed or too deep to be looked into";
            let help = "leave folders open to their owner, and paths shorter than 4,096 bytes; \
                        otherwise the bytes written cannot be counted";
            ("out of sight", exhausted(codes::OUT_OF_SPACE, message).help(help))
        }
    }
}

/// A program that used up a limit.
fn exhausted(code: deed_diag::Code, message: impl Into<String>) -> StepFailure {
    fault(FailureClass::BudgetExhaustion, code, message)
}

/// Seconds, in words.
fn seconds(number: u64) -> String {
    if number == 1 { "1 second".to_owned() } else { format!("{number} seconds") }
}

/// A sandbox that could not be started.
fn not_ready(code: deed_diag::Code, message: impl Into<String>) -> StepFailure {
    fault(FailureClass::SandboxRuntime, code, message).because(FailureCause::ReadinessProbe)
}

/// A sandbox, or the program in it, that was killed.
fn died(message: impl Into<String>) -> StepFailure {
    fault(FailureClass::SandboxRuntime, codes::CODE_KILLED, message).because(FailureCause::SandboxSessionDead)
}

/// Help for a program that ended before its work was done, by the code of its failure.
fn advice(code: &FailureCode, printed: bool) -> Option<&'static str> {
    let FailureCode::Known(code) = code else { return None };
    match *code {
        codes::CODE_FAILED if printed => {
            Some("what it printed last is below; fix the code, or the input that it reads")
        }
        codes::CODE_FAILED => Some("it printed nothing that says why; fix the code, or the input that it reads"),
        codes::OUT_OF_TIME => Some(
            "raise `wall_seconds` under `budget` of the step, and under `sandbox.limits` if it is set there, or do less",
        ),
        codes::OUT_OF_MEMORY => Some("raise `memory_bytes` under `sandbox.limits` of the step, or hold less at once"),
        codes::OUT_OF_SPACE => {
            Some("raise `output_bytes` or `output_files` under `sandbox.limits` of the step, or write less")
        }
        _ => None,
    }
}

fn printed(outcome: &Outcome) -> Value {
    let stream =
        |captured: &CapturedOutput| json!({ "text": concealed(&captured.text()), "left_out": captured.left_out });
    let mut printed = json!({ "stdout": stream(&outcome.stdout), "stderr": stream(&outcome.stderr) });
    if let (Value::Object(members), true) = (&mut printed, outcome.left_behind > 0) {
        members.insert("left_behind".to_owned(), json!(outcome.left_behind));
    }
    printed
}

fn tail(captured: &CapturedOutput, place: Option<&CodePlace>) -> Option<String> {
    let text = authored(concealed(&captured.text()), place);
    let text = text.trim_end();
    let skip = text.chars().count().saturating_sub(SHOWN);
    let shown: String = text.chars().skip(skip).collect();
    (!shown.is_empty()).then_some(shown)
}

/// Names the author's file as the plan does: Node.js and shells name it by its place in the sandbox.
fn authored(text: String, place: Option<&CodePlace>) -> String {
    let Some(file) = place.map(|place| place.file.as_str()) else { return text };
    [format!("{WORKSPACE}/meta/code/{file}"), format!("file://{WORKSPACE}/{file}"), format!("{WORKSPACE}/{file}")]
        .iter()
        .fold(text, |text, staged| text.replace(staged, file))
}

/// Conceals secrets that code printed, before they reach a receipt or a log.
fn concealed(text: &str) -> String {
    crate::conceal::secrets(text)
}
