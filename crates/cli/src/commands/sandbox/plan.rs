//! `deed sandbox plan`: what a step of a plan would be started with, down to the last mount.

use super::tools;
use crate::args::Global;
use crate::commands::catalog::types::TypeArgs;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, plans};
use deed_diag::{Code, Diagnostic, codes, did_you_mean};
use deed_model::{StepContract, folder_of_set, is_set};
use deed_sandbox::{Bind, Job, Language, PrivatePaths, ProbeOptions, SandboxPlan, find_interpreter, plan, probe};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Print the sandbox that a step would get: mounts, limits, rules, system calls.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed sandbox plan plan.yaml fetch")]
pub(crate) struct Plan {
    /// Plan (YAML or JSON).
    #[arg(value_name = "PLAN")]
    plan: PathBuf,
    /// Step of the plan.
    #[arg(value_name = "STEP")]
    step: String,
    #[command(flatten)]
    types: TypeArgs,
}

/// The sandbox of a step. Its form is the one that is handed to the first process inside.
#[derive(Debug, Serialize)]
pub(crate) struct PlannedSandbox(SandboxPlan);

impl JsonSchema for PlannedSandbox {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "SandboxPlan".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "required": ["version", "level", "program", "args", "cwd", "env", "mounts", "rlimits", "limits", "report"],
            "properties": {
                "version": { "type": "integer", "description": "Version of this form." },
                "level": { "type": "string", "description": "Isolation level, L3 (best) to L0." },
                "bwrap": { "type": ["string", "null"], "description": "Path of bubblewrap." },
                "namespaces": { "type": "array", "items": { "type": "string" } },
                "program": { "type": "string" },
                "args": { "type": "array", "items": { "type": "string" } },
                "cwd": { "type": "string" },
                "env": { "type": "object", "additionalProperties": { "type": "string" } },
                "mounts": { "type": "array", "items": { "type": "object" } },
                "writable": { "type": "array", "items": { "type": "string" } },
                "sockets": { "type": "array", "items": { "type": "string" } },
                "rlimits": { "type": "array", "items": { "type": "object" } },
                "groups": { "type": "array", "items": { "type": "object" } },
                "limits": { "type": "object", "description": "What the code may use." },
                "notes": { "type": "array", "items": { "type": "string" } },
                "report": { "type": "object", "description": "What the receipt will state." },
            },
        })
    }
}

impl Plan {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, _) = self.types.catalog(global)?;
        let document = plans::document(&self.plan)?;
        let lowered = plans::lowered(&document, &self.plan, &catalog, Vec::new());
        let Some(compiled) = lowered.compiled else { return Err(lowered.report.into()) };
        let refuse = |code: Code, message: String, help: Option<String>| {
            AppError::refused(Diagnostic::error(code, message).stage("sandbox").help_opt(help))
        };
        let contract = compiled.steps.iter().find(|step| step.step_id == self.step).ok_or_else(|| {
            let like = did_you_mean(&self.step, compiled.steps.iter().map(|step| step.step_id.as_str()));
            let all = || {
                let ids: Vec<&str> = compiled.steps.iter().map(|step| step.step_id.as_str()).collect();
                format!("it has {}", ids.join(", "))
            };
            let message = format!("the plan has no step {}", deed_diag::quote(&self.step));
            refuse(codes::UNKNOWN_RUN_STEP, message, Some(like.unwrap_or_else(all)))
        })?;
        let demand = contract.execution_contract.sandbox.ok_or_else(|| {
            let backend = contract.execution_contract.routing.backend.as_str();
            refuse(
                codes::STEP_WITHOUT_SANDBOX,
                format!("step `{}` runs on `{backend}`, in no sandbox", self.step),
                None,
            )
        })?;
        let (tools, _folder) = tools(global)?;
        let home = global.session().maybe_home()?;
        let private = home.map_or_else(|| PrivatePaths::of_caller(&[]), |home| home.private());
        let job = job(contract, &private).map_err(|why| refuse(codes::NO_INTERPRETER, why, None))?;
        let planned = plan(&job, &demand, &probe(&tools, &ProbeOptions::default())).map_err(|refusal| {
            refuse(codes::ISOLATION_TOO_WEAK, refusal.to_string(), Some("see `deed sandbox probe`".to_owned()))
        })?;
        let text = planned.to_string();
        Ok(Success::new(PlannedSandbox(planned), text))
    }
}

/// The job as the harness would make it, with names in place of folders that are made at run time.
fn job(contract: &StepContract, private: &PrivatePaths) -> Result<Job, String> {
    let execution = &contract.execution_contract;
    let language = execution.language.as_deref().unwrap_or("python");
    let parsed: Language = language.parse().map_err(|_| format!("nothing here runs `{language}`"))?;
    let stage = Path::new("/STAGE");
    let inside = |path: &str| Path::new("/workspace").join(path);
    let script = match language {
        "python" => "main.py",
        "javascript" => "main.mjs",
        _ => "main.sh",
    };
    let mut args: Vec<String> = match language {
        "python" => vec!["-B".into(), "-s".into()],
        "javascript" => vec!["--require".into(), "/workspace/meta/ended.cjs".into()],
        _ => Vec::new(),
    };
    args.push(format!("/workspace/meta/{script}"));
    // A set is seen as its folder.
    let seen = |path: &String| if is_set(path) { folder_of_set(path).to_owned() } else { path.clone() };
    let bind = |path: String| Bind { host: stage.join("in").join(&path), inside: inside(&path) };
    let outward = !execution.egress.is_empty();
    Ok(Job {
        interpreter: find_interpreter(parsed, None, private).map_err(|error| error.to_string())?,
        args,
        stage: stage.join("out"),
        own_folder: Some(stage.to_owned()),
        inputs: contract
            .io_contract
            .read_paths
            .iter()
            .map(seen)
            .collect::<BTreeSet<_>>()
            .into_iter()
            .map(bind)
            .collect(),
        writable: ["work", "output"]
            .map(|folder| Bind { host: stage.join("out").join(folder), inside: inside(folder) })
            .into(),
        meta: Some(stage.join("meta")),
        bridge: Some(stage.join("b")),
        proxy: outward.then(|| stage.join("p")),
        ca: outward.then(|| stage.join("ca.pem")),
        env: BTreeMap::from([("PYTHONPATH".to_owned(), "/workspace/meta".to_owned())]),
    })
}
