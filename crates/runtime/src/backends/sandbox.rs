//! `sandbox.session`: code in the sandbox, with the bridge as its only way out.

use crate::attempt::Attempt;
use crate::bridge::Bridge;
use crate::codes::{
    CANCELLED, CODE_DIED, CODE_FAILED, NO_INTERPRETER, NOT_STARTED, OUT_OF_MEMORY, OUT_OF_SPACE, OUT_OF_TIME,
    TOO_LITTLE_ISOLATION,
};
use crate::fault::{Told, fault};
use crate::harness::End;
use crate::steps::execute::Ran;
use crate::steps::prepare::script_name;
use crate::steps::project::{Projected, WORKSPACE};
use crate::steps::{disk, store};
use deed_egress::Proxy;
use deed_model::{FailureClass, SandboxDemand, StepFailure};
use deed_sandbox::{Captured, Ended, Interpreter, Job, Language, Outcome, Quota, find_interpreter};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use tokio::net::UnixListener;

/// How much of what was printed a failure shows.
const SHOWN: usize = 2000;

pub(crate) fn sandbox(attempt: &Arc<Attempt>, projected: &Projected) -> Result<Ran, End> {
    let contract = &attempt.contract.execution_contract;
    let demand = contract.sandbox.unwrap_or_default();
    let probe = attempt.run.world.sandbox.probe();
    let job = job(attempt, projected)?;
    let plan = deed_sandbox::plan(&job, &demand, probe).map_err(|refusal| {
        fault(FailureClass::PolicyViolation, TOO_LITTLE_ISOLATION, refusal.to_string())
            .help("`deed sandbox probe` says what this machine lacks")
    })?;
    let way_out = WayOut::open(attempt)?;
    attempt.run.can_stop(&attempt.account, &attempt.control);
    let outcome = deed_sandbox::run(&plan, &attempt.control);
    attempt.run.has_stopped(&attempt.account);
    way_out.close();
    Ok(ran(outcome, &job.interpreter, &demand))
}

/// The interpreter of the step's language.
fn interpreter(language: &str) -> Result<Interpreter, End> {
    let missing = |why: String| End::from(fault(FailureClass::SandboxRuntime, NO_INTERPRETER, why));
    let language: Language = language.parse().map_err(|_| missing(format!("nothing here runs `{language}`")))?;
    find_interpreter(language, None).map_err(|error| missing(error.to_string()))
}

fn job(attempt: &Attempt, projected: &Projected) -> Result<Job, End> {
    let contract = &attempt.contract.execution_contract;
    let language = contract.language.as_deref().unwrap_or_default();
    let interpreter = interpreter(language)?;
    let mut args: Vec<String> = match language {
        "python" => vec!["-B".to_owned(), "-s".to_owned()],
        _ => Vec::new(),
    };
    args.push(format!("{WORKSPACE}/meta/{}", script_name(language)));
    let outward = !contract.egress.is_empty() || attempt.run.request.options.learn_egress;
    Ok(Job {
        interpreter,
        args,
        stage: attempt.stage.outputs(),
        inputs: projected.inputs.clone(),
        writable: projected.writable.clone(),
        meta: Some(attempt.stage.meta()),
        bridge: Some(attempt.stage.bridge()),
        proxy: outward.then(|| attempt.stage.proxy()),
        ca: outward.then(|| attempt.stage.ca()),
        env: BTreeMap::from([("PYTHONPATH".to_owned(), format!("{WORKSPACE}/meta"))]),
    })
}

/// The bridge, and the proxy where anything may be reached.
struct WayOut {
    bridge: Bridge,
    proxy: Option<Proxy>,
    reactor: tokio::runtime::Handle,
}

impl WayOut {
    fn open(attempt: &Arc<Attempt>) -> Result<Self, End> {
        let failed = |error: std::io::Error| End::from(disk("the bridge cannot be opened", &error));
        let reactor = attempt.run.world.reactor.clone();
        let bridge = Bridge::open(attempt).map_err(failed)?;
        let outward =
            !attempt.contract.execution_contract.egress.is_empty() || attempt.run.request.options.learn_egress;
        let proxy = if outward {
            let ca = attempt.run.ca().map_err(store)?;
            fs::write(attempt.stage.ca(), ca.pem()).map_err(failed)?;
            let _inside = reactor.enter();
            let listener = UnixListener::bind(attempt.stage.proxy()).map_err(failed)?;
            let gateway =
                attempt.open_gateway().map_err(|why| fault(FailureClass::SandboxRuntime, NOT_STARTED, why))?;
            Some(Proxy::serve(listener, gateway, ca))
        } else {
            None
        };
        Ok(Self { bridge, proxy, reactor })
    }

    /// Nothing more goes out, and what is under way has its end.
    fn close(self) {
        if let Some(proxy) = self.proxy {
            self.reactor.block_on(proxy.close());
        }
        self.bridge.close();
    }
}

fn ran(outcome: Outcome, interpreter: &Interpreter, demand: &SandboxDemand) -> Ran {
    let printed = printed(&outcome);
    let limits = &demand.limits;
    let budget = |code, message: String| Some(fault(FailureClass::BudgetExhaustion, code, message));
    let (ended, failure) = match &outcome.ended {
        Ended::Exited(0) => ("ended well".to_owned(), None),
        Ended::Exited(code) => {
            let message = format!("the code ended with exit code {code}");
            (format!("exit code {code}"), Some(fault(FailureClass::OutputShape, CODE_FAILED, message)))
        }
        // Nobody but the system sends this one from outside.
        Ended::Signalled(9) => {
            let message = "the sandbox was killed from outside";
            ("killed".to_owned(), Some(fault(FailureClass::SandboxRuntime, CODE_DIED, message)))
        }
        Ended::Signalled(signal) => {
            let message = format!("the code was ended by signal {signal}");
            (format!("signal {signal}"), Some(fault(FailureClass::OutputShape, CODE_DIED, message)))
        }
        Ended::WallTime => {
            let message = format!("it ran longer than {} seconds", limits.wall_seconds);
            ("out of time".to_owned(), budget(OUT_OF_TIME, message))
        }
        Ended::CpuTime => {
            let message = format!("it used more than {} seconds of CPU", limits.cpu_seconds);
            ("out of CPU time".to_owned(), budget(OUT_OF_TIME, message))
        }
        Ended::Memory => {
            let message = format!("it used more than {} bytes of memory", limits.memory_bytes);
            ("out of memory".to_owned(), budget(OUT_OF_MEMORY, message))
        }
        Ended::OutputQuota(Quota::Bytes) => {
            let message = format!("it wrote more than {} bytes", limits.output_bytes);
            ("out of space".to_owned(), budget(OUT_OF_SPACE, message))
        }
        Ended::OutputQuota(Quota::Files) => {
            let message = format!("it wrote more than {} files", limits.output_files);
            ("out of space".to_owned(), budget(OUT_OF_SPACE, message))
        }
        Ended::Cancelled | Ended::Parked => {
            ("stopped".to_owned(), Some(fault(FailureClass::SandboxRuntime, CANCELLED, "it was stopped")))
        }
        Ended::CouldNotStart(why) => {
            let message = format!("the sandbox could not be started: {why}");
            let help = "`deed sandbox probe` says what this machine lacks";
            ("not started".to_owned(), Some(fault(FailureClass::SandboxRuntime, NOT_STARTED, message).help(help)))
        }
    };
    let failure = failure.map(|failure| {
        let shown = tail(&outcome.stderr).or_else(|| tail(&outcome.stdout));
        let help = failure.help.clone().or_else(|| advice(&failure.code).map(str::to_owned));
        StepFailure { printed: shown, help, ..failure }
    });
    Ran {
        ended,
        failure,
        sandbox: Some(outcome.report),
        program: Some(format!("{} {}", interpreter.language.as_str(), interpreter.version)),
        wall_ms: outcome.wall_ms,
        printed,
    }
}

fn advice(code: &str) -> Option<&'static str> {
    let says = |known: deed_diag::Code| known.as_str() == code;
    if says(CODE_FAILED) {
        Some("what it printed last is below; mend the code and run the plan again")
    } else if says(OUT_OF_TIME) {
        Some("raise `wall_seconds` of the step's budget, or do less")
    } else if says(OUT_OF_MEMORY) {
        Some("raise `memory_bytes` under `sandbox` of the step, or hold less at once")
    } else if says(OUT_OF_SPACE) {
        Some("raise `output_bytes` or `output_files` under `sandbox` of the step, or write less")
    } else {
        None
    }
}

fn printed(outcome: &Outcome) -> Value {
    let stream = |captured: &Captured| json!({ "text": concealed(&String::from_utf8_lossy(&captured.bytes)), "left_out": captured.truncated });
    json!({ "stdout": stream(&outcome.stdout), "stderr": stream(&outcome.stderr) })
}

fn tail(captured: &Captured) -> Option<String> {
    let text = concealed(&String::from_utf8_lossy(&captured.bytes));
    let text = text.trim_end();
    let skip = text.chars().count().saturating_sub(SHOWN);
    let shown: String = text.chars().skip(skip).collect();
    (!shown.is_empty()).then_some(shown)
}

/// Secrets that code printed reach no receipt and no log.
fn concealed(text: &str) -> String {
    crate::conceal::secrets(text)
}
