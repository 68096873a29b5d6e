//! `deed pack pin`: an environment uses this version, with these overlays, from now on.

use super::accept::Accept;
use crate::args::Global;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::packs::{self, PinRequest};
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write as _;

/// Pin a published version in an environment, after its golden cases and release gates pass.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack pin ctxpack.support@1.0.0 --env prod
  deed pack pin ctxpack.support@1.0.0 --env prod --overlay high_risk")]
pub(crate) struct Pin {
    /// Published version, such as ctxpack.support@1.0.0.
    pack: String,
    /// Environment, such as prod.
    #[arg(long = "env", value_name = "NAME")]
    environment: String,
    /// Overlay that the environment applies from now on; repeat for several.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
    /// Tenant of the environment [default: the registry's tenant].
    #[arg(long)]
    tenant: Option<String>,
    #[command(flatten)]
    accept: Accept,
}

/// A version that is pinned.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct PinnedPack {
    /// The version.
    pack_ref: String,
    /// The environment.
    environment: String,
    /// The tenant of the environment.
    tenant_id: String,
    /// The version that the environment used before; null where it used none.
    replaces: Option<String>,
    /// True where the environment went back to an earlier version.
    rollback: bool,
    /// The overlays that the environment applies.
    overlays: Vec<String>,
    /// The golden cases of the version that were run before.
    golden_cases: usize,
    /// The time that they took, in milliseconds.
    golden_ms: u64,
    /// The time that the whole operation took, in milliseconds.
    took_ms: u64,
    /// The requests that were compared with the version before.
    compared: usize,
    /// The regressions that are accepted on the record.
    accepted: Vec<String>,
    /// The event in the log; null where it was pinned before.
    event: Option<Recorded>,
}

impl Pin {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let request = PinRequest {
            reference: self.pack.clone(),
            environment: self.environment.clone(),
            tenant: self.tenant.clone(),
            overlays: self.overlays.clone(),
            accept: self.accept.acceptance(),
        };
        let pinned = packs::pin(&global.session(), &request)?;
        let rollback = pinned.is_rollback();
        Ok(shown(&pinned, &self.environment, rollback))
    }
}

/// Shows a pin: the version and the environment, its overlays, and the version that it replaced.
pub(super) fn shown(pinned: &packs::PinnedPack, environment: &str, rollback: bool) -> Success {
    let reference = &pinned.pack_ref;
    let mut text = format!("{reference} {environment}");
    for overlay in &pinned.overlays {
        let _ = write!(text, " +{overlay}");
    }
    if let (true, Some(before)) = (rollback, &pinned.before) {
        let _ = write!(text, "  rollback from {before}");
    }
    text.push('\n');
    let (cases, took) = (pinned.replayed.cases, pinned.replayed.took);
    let remark = match cases {
        0 => format!("{}; the version has no golden cases", pinned.outcome),
        1 => format!("{}; 1 golden case passed in {} ms", pinned.outcome, took.as_millis()),
        _ => format!("{}; {cases} golden cases passed in {} ms", pinned.outcome, took.as_millis()),
    };
    let remark = match (rollback, pinned.gated.requests) {
        (true, _) => format!("{remark}; rolled back in {} ms", pinned.took.as_millis()),
        (false, 0) => remark,
        (false, compared) => format!("{remark}; {compared} requests compared"),
    };
    let data = PinnedPack {
        pack_ref: reference.to_string(),
        environment: environment.to_owned(),
        tenant_id: pinned.tenant.clone(),
        replaces: pinned.before.as_ref().map(ToString::to_string),
        rollback,
        overlays: pinned.overlays.clone(),
        golden_cases: cases,
        golden_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        took_ms: u64::try_from(pinned.took.as_millis()).unwrap_or(u64::MAX),
        compared: pinned.gated.requests,
        accepted: pinned.gated.accepted.clone(),
        event: event(&pinned.outcome),
    };
    Success::new(data, text).remark(remark)
}
