//! `deed run`: a plan is compiled and run, step by step, under its contracts.

use super::execution::machine::MachineArgs;
use super::execution::shown::Shown;
use super::execution::view::{Show, View};
use super::execution::{learned, membership, shown};
use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::{Success, aside};
use crate::terminal::{self, Stream};
use clap::Args;
use deed_app::AppError;
use deed_app::packs::PackChoice;
use deed_app::plans::PlanSource;
use deed_app::runs::{
    Driven, LearnedEgress, RunEnvironment, RunSource, Status, Submitted, drive, engine_error, parse_budget, shell_word,
    submit,
};
use deed_app::workspaces::{KeptOutputs, RunOutputs, WorkspaceChoice};
use deed_diag::{Invariant as _, Report, codes, quote};
use deed_model::{CompiledPlan, FailureCode, RunOptions};
use deed_ports::Standing;
use deed_runtime::{GateState, LONGEST_GATE, RunState, StepState, StepStatus};
use std::path::PathBuf;
use std::sync::Arc;

/// Run a plan: compile it, then execute its steps until it ends or waits at a gate.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed run plan.yaml
  deed run weekly.plan.yaml --input input --id week-46
  deed run weekly.plan.yaml --from week-46 --step report")]
pub(crate) struct Run {
    /// Plan (YAML or JSON); its code is in it or in files beside it.
    #[arg(value_name = "PLAN", required = true, conflicts_with = "plan_option")]
    plan: Option<PathBuf>,
    /// The plan, written as an option.
    #[arg(long = "plan", id = "plan_option", value_name = "PLAN", hide = true)]
    plan_option: Option<PathBuf>,
    /// Folder with the inputs: `input/a.csv` of the plan is `a.csv` in it [default: `input` beside the plan].
    #[arg(long, value_name = "DIR")]
    input: Option<PathBuf>,
    /// Workspace of the run: it supplies the inputs and keeps the outputs [default: the one in use, if any].
    #[arg(long, value_name = "NAME", conflicts_with = "no_workspace")]
    workspace: Option<String>,
    /// Run outside of the workspace in use.
    #[arg(long)]
    no_workspace: bool,
    /// File of the workspace for an input, such as hours.csv=people/2026/hours.csv@2. Repeatable.
    #[arg(long = "file", value_name = "INPUT=PATH[@VERSION]", value_parser = named_file)]
    files: Vec<(String, String)>,
    /// Follow links that lead out of the input folder.
    #[arg(long, requires = "input")]
    follow_links: bool,
    /// Largest number of steps that run at the same time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=256))]
    parallel: u32,
    /// Budget of the whole run: `wall_seconds=600`, or governed_calls, model_tokens, bytes_out, money_micros.
    /// Repeatable.
    #[arg(long, value_name = "PART=AMOUNT")]
    budget: Vec<String>,
    /// Execution profile that governs the run: a shipped one, a published version, or a file such as ./team.yaml
    /// [default: the one of the run, of its workspace or of the tenant, if any].
    #[arg(long, value_name = "REF|FILE")]
    profile: Option<String>,
    /// Name of the run [default: generated]. The same plan, code, inputs and actor under it are the same run.
    #[arg(long, value_name = "NAME")]
    id: Option<String>,
    /// Fork an earlier run: reuse what it did before `--step`, and run everything from there again.
    #[arg(long, value_name = "RUN", requires = "step")]
    from: Option<String>,
    /// First step that a fork runs again.
    #[arg(long, value_name = "STEP", requires = "from")]
    step: Option<String>,
    /// Reuse steps of earlier runs whose contract, code and inputs are unchanged.
    #[arg(long)]
    reuse: bool,
    /// Allow requests that no egress rule covers, and print the rules they would need. Private addresses stay denied.
    #[arg(long)]
    learn_egress: bool,
    /// How long an approval request stays open, in seconds (at most ten years).
    #[arg(long, value_name = "SECONDS", default_value_t = 7 * 24 * 3600, value_parser = clap::value_parser!(u64).range(1..=LONGEST_GATE))]
    gate_seconds: u64,
    /// Pack whose approval gates also hold, before every step with effects: a published version, a folder
    /// such as ./support, or with --env an id.
    #[arg(long, value_name = "REF|DIR|ID")]
    pack: Option<String>,
    /// Use the version and the overlays of the pack that this environment has pinned.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    #[command(flatten)]
    machine: MachineArgs,
    #[command(flatten)]
    types: TypeArgs,
}

impl Run {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let path = self.plan.as_ref().or(self.plan_option.as_ref()).cloned();
        let path = path.invariant("the command line names a plan");
        let source = RunSource {
            plan: PlanSource {
                path: path.clone(),
                pack: self.pack.clone().map(|pack| PackChoice { pack, environment: self.environment.clone() }),
                catalog_folders: self.types.folders.clone(),
            },
            input: self.input.clone(),
            follow_links: self.follow_links,
            workspace: self.choice(),
            files: self.files.clone(),
            profile: self.profile.clone(),
            grant: parse_budget(&self.budget)?,
            run_id: self.id.clone(),
            fork: self.from.clone().zip(self.step.clone()),
            options: RunOptions {
                parallel: self.parallel,
                reuse: self.reuse,
                learn_egress: self.learn_egress,
                gate_seconds: self.gate_seconds,
                ..RunOptions::default()
            },
            machine: self.machine.options(),
        };
        let submitted = submit(&global.session(), &source)?;
        submitted.governed.iter().for_each(|line| aside(line));
        for (path, target) in &submitted.links {
            aside(&format!("{path} is taken from {}, where its link leads", target.display()));
        }
        if let Some(remark) = sent_before(&submitted.sent_before) {
            aside(&remark);
        }
        let fork = Fork {
            plan: path.display().to_string(),
            input: self.input.as_ref().map(|input| input.display().to_string()),
            pack: self.pack.clone(),
            reads: !submitted.request.inputs.is_empty(),
            environment: self.environment.clone(),
            profile: self.profile.clone(),
            workspace: self.workspace_option(),
            machine: source.machine.repeated(),
        };
        let Submitted { environment, request, plan, warnings, .. } = submitted;
        go(global, &environment, &request.run_id, &plan, &fork, warnings)
    }
}

impl Run {
    fn choice(&self) -> WorkspaceChoice {
        match (&self.workspace, self.no_workspace) {
            (Some(name), _) => WorkspaceChoice::Named(name.clone()),
            (None, true) => WorkspaceChoice::Outside,
            (None, false) => WorkspaceChoice::InUse,
        }
    }

    /// The options about the workspace, as they are written.
    fn workspace_option(&self) -> String {
        let named = self.workspace.as_ref().map(|name| format!(" --workspace {}", shell_word(name)));
        let outside = self.no_workspace.then(|| " --no-workspace".to_owned());
        let file = |(input, path): &(String, String)| format!(" --file {}", shell_word(&format!("{input}={path}")));
        named.into_iter().chain(outside).chain(self.files.iter().map(file)).collect()
    }
}

fn named_file(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(input, path)| !input.is_empty() && !path.is_empty());
    let pair = pair.ok_or_else(|| "write an input and a file, such as `hours.csv=people/hours.csv@2`".to_owned())?;
    Ok((pair.0.to_owned(), pair.1.to_owned()))
}

/// Describes the calls that steps of a fork had made before.
fn sent_before(sent: &[(String, usize)]) -> Option<String> {
    let runs: Vec<String> =
        sent.iter().map(|(run_id, sent)| format!("`{run_id}` made {}", shown::count(*sent, "call"))).collect();
    (!runs.is_empty()).then(|| {
        format!(
            "{} with effects elsewhere: answers that are known are served again, and you are asked before anything is \
             sent again whose answer was lost",
            runs.join(", ")
        )
    })
}

/// The options of a fork, besides the run and the step.
pub(crate) struct Fork {
    /// The plan.
    pub(crate) plan: String,
    /// The folder with its inputs, if it has any.
    pub(crate) input: Option<String>,
    /// The pack whose gates hold.
    pub(crate) pack: Option<String>,
    /// True where the plan reads inputs.
    pub(crate) reads: bool,
    /// The environment that has it pinned.
    pub(crate) environment: Option<String>,
    /// The profile that was named.
    pub(crate) profile: Option<String>,
    /// Options about the workspace, as they are written.
    pub(crate) workspace: String,
    /// Options of the machine, as they are written.
    pub(crate) machine: String,
}

impl Fork {
    /// The commands after a step has failed: a fork reads the same inputs, so that other inputs need a new run.
    fn after_failure(&self, run_id: &str, step: &str) -> String {
        let again = self.command();
        let fork = format!("{again} --from {run_id} --step {step}{}", self.machine);
        match self.reads {
            true => format!(
                "if the code was wrong, fix it and fork the run: `{fork}`\nif an input was wrong, fix it and start a new \
                 run: `{again}{}`",
                self.machine
            ),
            false => format!("after the cause is fixed, fork the run: `{fork}`"),
        }
    }

    /// The command that runs the plan, without the options of the machine.
    fn command(&self) -> String {
        let mut command = format!("deed run {}", shell_word(&self.plan));
        for (option, value) in [
            (" --input ", &self.input),
            (" --pack ", &self.pack),
            (" --env ", &self.environment),
            (" --profile ", &self.profile),
        ] {
            if let Some(value) = value {
                command.push_str(option);
                command.push_str(&shell_word(value));
            }
        }
        command.push_str(&self.workspace);
        command
    }
}

/// Drives a run and renders its result.
pub(crate) fn go(
    global: &Global,
    environment: &RunEnvironment,
    run_id: &str,
    plan: &CompiledPlan,
    fork: &Fork,
    mut report: Report,
) -> Result<Success, AppError> {
    report.merge(environment.warnings.clone());
    let show = if global.json { Show::Nothing } else { Show::People };
    if show == Show::People {
        aside(&format!("{run_id}  {}  {}", plan.plan, terminal::hash(Stream::Stderr, &plan.plan_hash)));
    }
    let (_, before) = environment.engine.load(run_id).map_err(engine_error)?;
    let grant = before.request.as_ref().map(|request| request.grant).unwrap_or_default();
    let done = before.steps.values().filter(|step| step.status == StepStatus::Succeeded).count();
    let view = Arc::new(View::new(show, plan.steps.len(), done, before.total_spent(), grant));
    let on = format!("deed runs resume {run_id}{}", fork.machine);
    let leaving = environment.on_signal(leave(run_id.to_owned(), on.clone(), view.clone()));
    let driven = drive(environment, run_id, view.clone());
    leaving.abort();
    view.close();
    let Driven { standing, entries, state, outputs } = driven?;
    if let Some(RunOutputs::Kept(kept)) = &outputs
        && kept.is_new
        && show == Show::People
    {
        aside(&kept_text(kept));
    }
    let mut shown = Shown::new(run_id, &state, &entries, Some(plan), Status::undriven(&state, &entries));
    shown.printed = view.printed();
    if !shown.printed.is_empty() {
        // They were shown when they were done, by an earlier command.
        let done = |id: &&String| before.step(id).is_some_and(|step| step.status == StepStatus::Succeeded);
        shown.printed.extend(before.steps.keys().filter(done).cloned());
    }
    // In the text, the files were said above, and an error is part of the report.
    let mut data = shown::run_json(&shown).outputs(outputs.as_ref());
    let mut text = shown::run_text(&shown);
    if state.request.as_ref().is_some_and(|request| request.options.learn_egress) {
        let rules = LearnedEgress::of(&entries, plan);
        text.push_str(&learned::text(&rules));
        data = data.learned(&rules);
    }
    let found = matches!(outputs, Some(RunOutputs::NotKept(_)));
    if let Some(RunOutputs::NotKept(error)) = outputs {
        report.merge(error.report);
    }
    let mut success = Success::new(data, text).report(report);
    match standing {
        Standing::Ended(outcome) => {
            success.found = found || outcome != deed_model::RunOutcome::Succeeded;
            let failed =
                |id: &&String| matches!(state.step(id).map(|step| &step.status), Some(StepStatus::Failed { .. }));
            if let Some(remark) = rejection(&state) {
                success = success.remark(remark);
            } else if let Some(step) = plan.steps.iter().map(|step| &step.step_id).find(failed) {
                success = success.remark(fork.after_failure(run_id, step));
            }
        }
        Standing::Waiting(_) | Standing::Running => {
            success.waiting = true;
            success = success.remark(decisions(run_id, &state, fork));
        }
    }
    Ok(success)
}

/// Describes the files that a run wrote to its workspace.
fn kept_text(kept: &KeptOutputs) -> String {
    let files: Vec<String> = kept.files.iter().map(|file| format!("\n  {}", membership::kept_line(file))).collect();
    format!("kept {} in workspace {}{}", shown::count(kept.files.len(), "file"), kept.workspace, files.concat())
}

/// Describes the rejection that ended a run; none where a step failed for another reason.
fn rejection(state: &RunState) -> Option<String> {
    let rejected = |step: &StepState| match &step.status {
        StepStatus::Failed { failure } => failure.code == FailureCode::Known(codes::GATE_REJECTED),
        _ => false,
    };
    let mut failed = state.steps.values().filter(|step| matches!(step.status, StepStatus::Failed { .. })).peekable();
    if failed.peek().is_none() || !failed.all(rejected) {
        return None;
    }
    let approval = state.gates.values().filter(|gate| gate.is_rejected()).find_map(|gate| gate.decided.as_ref());
    let approval = &approval?.approval;
    let reason = approval.note.as_ref().map_or_else(String::new, |note| format!(": {}", shown::in_a_line(note)));
    Some(format!(
        "gate {} was rejected by {} as {}{reason}; start a new run after the change",
        quote(&approval.gate_id),
        approval.approver,
        approval.role
    ))
}

/// The commands that show and approve what a run waits for, a line for each gate where several wait.
fn decisions(run_id: &str, state: &RunState, fork: &Fork) -> String {
    let approve = |gate: &str, role: &str| {
        format!("`deed gate approve {run_id}{gate} --as {} --resume{}`", shell_word(role), fork.machine)
    };
    let open: Vec<&GateState> = state.open_gates().collect();
    match open.as_slice() {
        [only] => {
            let approve = approve("", &only.subject.approver_role);
            format!("it waits for a person: `deed gate show {run_id}`, then {approve}")
        }
        several => {
            let mut out = format!("it waits for {} decisions: `deed gate show {run_id}`, then", several.len());
            for gate in several {
                let name = format!(" {}", shell_word(&gate.subject.gate_id));
                out.push_str("\n  ");
                out.push_str(&approve(&name, &gate.subject.approver_role));
            }
            out
        }
    }
}

/// Ends this process as a crash would, and prints how to resume the run. Code that runs in a sandbox ends with it.
fn leave(run_id: String, on: String, view: Arc<View>) -> impl FnOnce(i32) + Send + 'static {
    move |signal| {
        view.close();
        let on = format!("`{on}` resumes the run, `deed runs cancel {run_id}` ends it");
        aside(&format!("stopped; what is recorded is kept: {on}"));
        // What runs in a sandbox ends with this process anyway; its control groups would stay.
        deed_sandbox::abandon_all();
        std::process::exit(128 + signal);
    }
}
