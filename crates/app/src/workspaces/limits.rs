//! The limits of a workspace on its runs: they narrow what a plan may do, and grant nothing.

use super::member::Member;
use crate::error::AppError;
use deed_diag::{Diagnostic, Report, codes, quote};
use deed_model::{Budget, CompiledPlan, ModelSettings, RunOptions};
use deed_reach::covers;

impl Member {
    fn model_settings(&self) -> Option<&ModelSettings> {
        self.settings.as_ref().map(|file| &file.settings)
    }

    /// Refuses a plan that goes beyond the limits of the workspace, and requests that no rule covers.
    ///
    /// # Errors
    /// Everything that goes beyond them.
    pub(crate) fn held(&self, plan: &CompiledPlan, options: &RunOptions) -> Result<(), AppError> {
        let Some(limits) = self.model_settings().map(|settings| &settings.limits) else { return Ok(()) };
        let mut report = Report::default();
        let mut refuse = |message: String, help: &str| {
            report.push(Diagnostic::error(codes::PLAN_BEYOND_WORKSPACE, message).stage("workspace").help(help));
        };
        let (name, steps) = (self.name(), plan.steps.len() as u64);
        if let Some(most) = limits.max_steps.filter(|most| steps > *most) {
            let message = format!("the plan has {steps} steps, and the workspace `{name}` allows {most}");
            refuse(message, "split the plan, or raise `max_steps` in the settings of the workspace");
        }
        if let Some(rules) = &limits.egress {
            for step in &plan.steps {
                let beyond = step.execution_contract.egress.iter();
                for rule in beyond.filter(|rule| !rules.iter().any(|wide| covers(wide, rule))) {
                    let place = quote(rule.endpoint.as_deref().unwrap_or(&rule.host));
                    let message =
                        format!("step `{}` reaches {place}, which the workspace `{name}` does not allow", step.step_id);
                    refuse(message, "a step may only narrow the `egress` of its workspace");
                }
            }
            if options.learn_egress {
                let message =
                    format!("the workspace `{name}` limits egress, and `--learn-egress` lets everything through");
                refuse(message, "learn outside of it, with `--no-workspace`");
            }
        }
        if report.has_errors() { Err(report.into()) } else { Ok(()) }
    }

    /// Narrows a grant to the limits of the workspace. Where the grant is tighter it stays.
    pub(crate) fn narrowed(&self, grant: Budget) -> Budget {
        let Some(settings) = self.model_settings() else { return grant };
        let least = |own: Option<u64>, limit: Option<u64>| match (own, limit) {
            (Some(own), Some(limit)) => Some(own.min(limit)),
            (own, limit) => own.or(limit),
        };
        let limits = &settings.limits;
        Budget {
            tool_calls: least(grant.tool_calls, limits.tool_calls),
            governed_calls: least(grant.governed_calls, limits.tool_calls),
            model_tokens: least(grant.model_tokens, limits.model_tokens),
            money_micros: least(grant.money_micros, limits.money_micros),
            ..grant
        }
    }

    /// Narrows the grant and the options of a run without a profile to the time limits of the workspace. With a profile they
    /// are a level of its chain.
    pub(crate) fn timed(&self, grant: Budget, options: RunOptions) -> (Budget, RunOptions) {
        let Some(settings) = self.model_settings() else { return (grant, options) };
        let seconds = |ms: u64| ms.div_ceil(1000);
        let wall = settings.timeouts.run_wall_ms.map(seconds);
        let wall = grant.wall_seconds.map_or(wall, |own| Some(wall.map_or(own, |wall| own.min(wall))));
        let window = settings.window_size.and_then(|size| u32::try_from(size).ok()).unwrap_or(u32::MAX);
        let approval = settings.timeouts.approval_ms.map_or(u64::MAX, seconds);
        let options = RunOptions {
            parallel: options.parallel.min(window),
            gate_seconds: options.gate_seconds.min(approval),
            ..options
        };
        (Budget { wall_seconds: wall, ..grant }, options)
    }
}
