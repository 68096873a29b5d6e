//! The profile of a run: found before anything starts, held against the plan, and frozen.

use crate::error::AppError;
use crate::profiles::{self, ExplainRequest};
use crate::session::Session;
use crate::workspaces::Member;
use deed_diag::{Diagnostic, Report, codes, quote};
use deed_model::{Budget, CompiledPlan, ProfileScope, ProfileSnapshot, RunOptions};
use deed_reach::covers;

/// Resolves the profile that the caller names, or else the one of the run, of its workspace or of the tenant; none if there
/// is none of them.
pub(super) fn resolved(
    session: &Session,
    named: Option<&str>,
    run_id: Option<&str>,
    member: Option<&Member>,
    warnings: &mut Report,
) -> Result<Option<ProfileSnapshot>, AppError> {
    let name = match named {
        Some(name) => Some(name.to_owned()),
        None => bound(session, run_id, member)?,
    };
    let Some(profile) = name else { return Ok(None) };
    profiles::may_govern(session, &profile)?;
    let run_workspace = member.and_then(Member::settings).cloned();
    let request = ExplainRequest { profile, run_workspace, ..ExplainRequest::default() };
    let explained = profiles::explain(session, &request)?;
    let snapshot = explained.resolved.snapshot;
    profiles::usable(session, &snapshot.profile_ref.to_string(), snapshot.context_pack_ref.as_deref())?;
    warnings.merge(explained.resolved.report);
    Ok(Some(snapshot))
}

/// The profile that is bound to the run, or else the one of its workspace, or else the one that is bound to the tenant.
fn bound(session: &Session, run_id: Option<&str>, member: Option<&Member>) -> Result<Option<String>, AppError> {
    let state = profiles::registered(session)?;
    let named = |scope: ProfileScope| state.bound(&scope).map(|record| record.profile_ref.to_string());
    let run = run_id.and_then(|run_id| named(ProfileScope::Run { run_id: run_id.to_owned() }));
    if run.is_some() {
        return Ok(run);
    }
    if let Some((profile, _)) = member.and_then(Member::profile) {
        return Ok(Some(profile.to_owned()));
    }
    let tenant = session.maybe_home()?.map(|home| ProfileScope::Tenant { tenant_id: home.config.tenant });
    Ok(tenant.and_then(named))
}

/// Refuses a plan that goes beyond what its profile grants.
pub(super) fn held(plan: &CompiledPlan, snapshot: &ProfileSnapshot) -> Result<(), AppError> {
    let mut report = Report::default();
    let mut refuse = |message: String, help: &str| {
        report.push(Diagnostic::error(codes::PLAN_BEYOND_PROFILE, message).stage("profile").help(help));
    };
    let name = &snapshot.profile_ref;
    let steps = plan.steps.len() as u64;
    if let Some(most) = snapshot.power.max_steps.filter(|most| steps > *most) {
        let message = format!("the plan has {steps} steps, and `{name}` allows {most}");
        refuse(message, "split the plan, or raise `max_steps` in a new version of the profile");
    }
    for step in &plan.steps {
        let beyond = step.execution_contract.egress.iter();
        for rule in beyond.filter(|rule| !snapshot.power.egress.iter().any(|wide| covers(wide, rule))) {
            let place = quote(rule.endpoint.as_deref().unwrap_or(&rule.host));
            let message = format!("step `{}` reaches {place}, which `{name}` does not allow", step.step_id);
            refuse(message, "a step may only narrow the `egress` of its profile");
        }
    }
    if report.has_errors() { Err(report.into()) } else { Ok(()) }
}

/// Narrows a grant to the budgets of the profile. Where the grant is tighter it stays.
pub(super) fn narrowed(grant: Budget, snapshot: &ProfileSnapshot) -> Budget {
    let least = |own: Option<u64>, limit: Option<u64>| match (own, limit) {
        (Some(own), Some(limit)) => Some(own.min(limit)),
        (own, limit) => own.or(limit),
    };
    let power = &snapshot.power;
    Budget {
        tool_calls: least(grant.tool_calls, power.tool_calls),
        governed_calls: least(grant.governed_calls, power.tool_calls),
        model_tokens: least(grant.model_tokens, power.model_tokens),
        wall_seconds: least(grant.wall_seconds, snapshot.timeouts.run_wall_ms.map(|ms| ms.div_ceil(1000))),
        bytes_out: grant.bytes_out,
        money_micros: least(grant.money_micros, power.money_micros),
    }
}

/// Narrows the options of a run to the profile: steps in flight, and the time of an approval.
pub(super) fn options(options: RunOptions, snapshot: &ProfileSnapshot) -> RunOptions {
    let window = u32::try_from(snapshot.window_size).unwrap_or(u32::MAX);
    let approval = snapshot.timeouts.approval_ms.map_or(u64::MAX, |ms| ms.div_ceil(1000));
    RunOptions { parallel: options.parallel.min(window), gate_seconds: options.gate_seconds.min(approval), ..options }
}
