//! `deed run`: a plan is compiled and run, step by step, under its contracts.

use super::execution::learned::Learned;
use super::execution::shown::Shown;
use super::execution::status::Status;
use super::execution::view::{Show, View};
use super::execution::{Machine, Workshop, engine_failure, resolve, shown, store};
use super::plan::given::{document, gates, lowered};
use crate::args::Global;
use crate::commands::catalog::given::Given as Types;
use crate::commands::registry::stamp;
use crate::failure::Failure;
use crate::output::{Success, aside};
use clap::Args;
use deed_diag::{Code, Diagnostic, Report, did_you_mean};
use deed_model::{Budget, CompiledPlan, ForkedFrom, RunOptions, RunRequest};
use deed_ports::{Engine, Standing};
use deed_runtime::{LONGEST_GATE, Links, StepStatus, Submission, linked_inputs, prepare};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;

const BAD_BUDGET: Code = Code::new("D2061");
const NOT_A_PLAN: Code = Code::new("D2062");

/// Compile a plan and run it under its contracts.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The plan (YAML or JSON); its code lies in it or in files beside it.
    #[arg(long, value_name = "PLAN")]
    plan: PathBuf,
    /// The folder with the mission's inputs: `input/a.csv` of the plan is `a.csv` there.
    #[arg(long, value_name = "DIR")]
    input: Option<PathBuf>,
    /// Accept inputs that are links out of the folder of inputs, and use the files that they lead to.
    #[arg(long, requires = "input")]
    follow_links: bool,
    /// Steps at once.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    parallel: u32,
    /// What all of it may spend: `wall_seconds=600`, and likewise governed_calls, model_tokens, bytes_out,
    /// money_micros; several times.
    #[arg(long, value_name = "PART=AMOUNT")]
    budget: Vec<String>,
    /// A name for the run, other than `last`. The same name with the same content is the same run.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Take over what an earlier run made before `--step`, and do everything from there on anew.
    #[arg(long, value_name = "RUN", requires = "step")]
    from: Option<String>,
    /// The step to begin with.
    #[arg(long, value_name = "STEP", requires = "from")]
    step: Option<String>,
    /// Take over steps of earlier runs whose contract, code and inputs are unchanged.
    #[arg(long)]
    reuse: bool,
    /// Let requests out that no rule allows, and print the rules that would be needed. Private addresses stay closed.
    #[arg(long)]
    learn_egress: bool,
    /// Seconds that a question at a gate holds, ten years at most.
    #[arg(long, value_name = "SECONDS", default_value_t = 7 * 24 * 3600, value_parser = clap::value_parser!(u64).range(1..=LONGEST_GATE))]
    gate_seconds: u64,
    /// The pack whose approval gates hold too, before every step that reaches beyond the workspace: an exact
    /// published version, or a folder.
    #[arg(long, value_name = "REF|DIR")]
    pack: Option<String>,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    types: Types,
}

impl Run {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        let (catalog, remarks) = self.types.catalog(global)?;
        let document = document(&self.plan)?;
        if document.value().get("plan_hash").is_some() {
            let message = "this is a compiled plan, which names its code by hashes alone";
            let diagnostic = Diagnostic::error(NOT_A_PLAN, message).stage("run").at(document.place(""));
            return Err(Failure::refused(diagnostic.help("name the plan that it was compiled from")));
        }
        let gates = gates(self.pack.as_deref(), global)?;
        let lowered = lowered(&document, &self.plan, &catalog, gates);
        let mut report = lowered.report;
        report.merge(remarks);
        let Some(plan) = lowered.compiled else { return Err(report.into()) };
        let workshop = Workshop::open(global, catalog, &self.machine)?;
        let forked = match (&self.from, &self.step) {
            (Some(run), Some(step)) => {
                Some(ForkedFrom { run_id: self.earlier(global, run)?, step: step.clone(), first: None })
            }
            _ => None,
        };
        let actor = stamp(global)?.actor;
        let submission = Submission {
            plan: &plan,
            code: &lowered.code,
            input: self.input.as_deref(),
            links: if self.follow_links { Links::Follow } else { Links::Refuse },
            grant: Some(grant(&self.budget)?),
            options: RunOptions {
                parallel: self.parallel,
                reuse: self.reuse,
                learn_egress: self.learn_egress,
                gate_seconds: self.gate_seconds,
                resolve: self.machine.names(),
                extra_roots: self.machine.extra_roots(),
            },
            actor: &actor,
            run_id: self.id.as_deref(),
            forked,
        };
        if let (true, Some(folder)) = (self.follow_links, &self.input) {
            for (path, target) in linked_inputs(&plan, folder) {
                aside(&format!("{path} is taken from {}, where its link leads", target.display()));
            }
        }
        let request = prepare(workshop.engine.world(), &submission).map_err(engine_failure)?;
        accept(&workshop, &request.run_id, &self.machine)?;
        workshop.engine.submit(&request).map_err(engine_failure)?;
        if let Some(remark) = sent_before(&workshop, &plan, &request)? {
            aside(&remark);
        }
        let fork = Fork {
            plan: self.plan.display().to_string(),
            input: self.input.as_ref().map(|input| input.display().to_string()),
            pack: self.pack.clone(),
        };
        go(global, &workshop, &request.run_id, &plan, &fork, &self.machine, report)
    }

    fn earlier(&self, global: &Global, run: &str) -> Result<String, Failure> {
        match store(global)?.1 {
            Some(store) => resolve(&store, run),
            None => Ok(run.to_owned()),
        }
    }
}

/// Replaces what is noted of a journal that was rolled back, where the caller accepts it.
pub(crate) fn accept(workshop: &Workshop, run_id: &str, machine: &Machine) -> Result<(), Failure> {
    if machine.accepts_rollback() { workshop.engine.accept_rollback(run_id).map_err(engine_failure) } else { Ok(()) }
}

/// What steps that are done anew had sent already, in words.
fn sent_before(workshop: &Workshop, plan: &CompiledPlan, request: &RunRequest) -> Result<Option<String>, Failure> {
    let Some(fork) = &request.forked else { return Ok(None) };
    let again = deed_runtime::from_on(plan, &fork.step);
    let sent = workshop.engine.sent_before(request, &again).map_err(engine_failure)?;
    let runs: Vec<String> =
        sent.iter().map(|(run_id, sent)| format!("`{run_id}` made {}", shown::count(*sent, "call"))).collect();
    Ok((!runs.is_empty()).then(|| {
        format!(
            "{} with effects elsewhere: answers that are known are served again, and you are asked before anything is \
             sent again whose answer was lost",
            runs.join(", ")
        )
    }))
}

/// What a run is forked with, besides the run and the step.
pub(crate) struct Fork {
    /// The plan.
    pub(crate) plan: String,
    /// The folder with its inputs, if it has any.
    pub(crate) input: Option<String>,
    /// The pack whose gates hold.
    pub(crate) pack: Option<String>,
}

impl Fork {
    /// The command that forks a run at a step.
    fn command(&self, run_id: &str, step: &str, machine: &Machine) -> String {
        let mut command = format!("deed run --plan {}", self.plan);
        for (option, value) in [(" --input ", &self.input), (" --pack ", &self.pack)] {
            if let Some(value) = value {
                command.push_str(option);
                command.push_str(value);
            }
        }
        format!("{command} --from {run_id} --step {step}{}", machine.again())
    }
}

/// Drives a run and says how it went.
pub(crate) fn go(
    global: &Global,
    workshop: &Workshop,
    run_id: &str,
    plan: &CompiledPlan,
    fork: &Fork,
    machine: &Machine,
    report: Report,
) -> Result<Success, Failure> {
    let show = if global.json { Show::Nothing } else { Show::People };
    if show == Show::People {
        aside(&format!("{run_id}  {}  {}", plan.plan, plan.plan_hash));
    }
    let (_, before) = workshop.engine.load(run_id).map_err(engine_failure)?;
    let grant = before.request.as_ref().map(|request| request.grant).unwrap_or_default();
    let done = before.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
    let view = Arc::new(View::new(show, plan.steps.len(), done, before.total_spent(), grant));
    let on = format!("deed runs resume {run_id}{}", machine.again());
    let leaving = workshop.on_signal(leave(run_id.to_owned(), on.clone(), view.clone()));
    let standing = workshop.engine.drive(run_id, view.clone());
    leaving.abort();
    view.close();
    let standing = standing.map_err(engine_failure)?;
    let (entries, state) = workshop.engine.load(run_id).map_err(engine_failure)?;
    let shown = Shown::new(run_id, &state, &entries, Some(plan), Status::undriven(&state, &entries));
    let mut data = shown::run_json(&shown);
    let mut text = shown::run_text(&shown);
    if state.request.as_ref().is_some_and(|request| request.options.learn_egress) {
        let learned = Learned::of(&entries, plan);
        text.push_str(&learned.text());
        if let Value::Object(members) = &mut data {
            members.extend(learned.json().map(|(name, value)| (name.to_owned(), value)));
        }
    }
    let mut success = Success::new(data, text).report(report);
    match standing {
        Standing::Ended(outcome) => {
            success.found = outcome != deed_model::RunOutcome::Succeeded;
            let failed =
                |id: &&String| matches!(state.step(id).map(|step| &step.status), Some(StepStatus::Failed { .. }));
            if let Some(step) = plan.steps.iter().map(|step| &step.step_id).find(failed) {
                success = success.remark(format!(
                    "after the cause is fixed, `{}` continues from there",
                    fork.command(run_id, step, machine)
                ));
            }
        }
        Standing::Waiting(_) | Standing::Running => {
            success.waiting = true;
            success = success.remark(format!(
                "it waits for a person: `deed gate show {run_id}`, then `deed gate approve {run_id} --as ROLE` and \
                 `{on}`"
            ));
        }
    }
    Ok(success)
}

/// Ends this process between two instants of a run, as any crash would, and says how to go on. Code that is under way
/// ends with it.
fn leave(run_id: String, on: String, view: Arc<View>) -> impl FnOnce(i32) + Send + 'static {
    move |signal| {
        view.close();
        let on = format!("`{on}` goes on, `deed runs cancel {run_id}` ends it");
        aside(&format!("stopped; what is recorded is kept: {on}"));
        // What runs in a sandbox ends with this process anyway; its control groups would stay.
        deed_sandbox::abandon_all();
        std::process::exit(128 + signal);
    }
}

fn grant(parts: &[String]) -> Result<Budget, Failure> {
    let mut budget = Budget::default();
    for part in parts {
        let refuse = |message: String, help: String| {
            Failure::usage(Diagnostic::error(BAD_BUDGET, message).stage("run").help(help))
        };
        let no_part = |name: &str| {
            let names: Vec<&str> = Budget::default().parts().into_iter().map(|(name, _)| name).collect();
            let like = did_you_mean(name, names.iter().copied()).map_or_else(String::new, |like| format!("; {like}"));
            let help = format!("write `wall_seconds=600`; there are {}{like}", names.join(", "));
            refuse(format!("{} is no part of a budget", deed_diag::quote(part)), help)
        };
        let (name, amount) = part.split_once('=').ok_or_else(|| no_part(part))?;
        if !Budget::default().parts().iter().any(|(known, _)| *known == name) {
            return Err(no_part(name));
        }
        let amount = Some(amount.parse::<u64>().ok().filter(|amount| *amount < 1 << 53).ok_or_else(|| {
            let message = format!("{} is no amount of `{name}`", deed_diag::quote(amount));
            refuse(message, "amounts are whole numbers from 0 to 9007199254740991".to_owned())
        })?);
        match name {
            "tool_calls" => budget.tool_calls = amount,
            "governed_calls" => budget.governed_calls = amount,
            "model_tokens" => budget.model_tokens = amount,
            "wall_seconds" => budget.wall_seconds = amount,
            "bytes_out" => budget.bytes_out = amount,
            "money_micros" => budget.money_micros = amount,
            other => return Err(no_part(other)),
        }
    }
    Ok(budget)
}
