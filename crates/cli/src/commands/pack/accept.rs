//! Options to accept regressions on the record, of the commands that ask the release gates.

use crate::commands::keys::role;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use deed_app::packs::Acceptance;
use deed_model::{RegressionMetric, ReviewRole};

/// Regressions that are accepted.
#[derive(Debug, Args)]
pub(super) struct Accept {
    /// Accept the regressions of this metric, on the record; repeat for several.
    #[arg(long = "accept", value_name = "METRIC", value_parser = metric(), requires_all = ["accept_role", "accept_reason"])]
    accept: Vec<RegressionMetric>,
    /// Role that accepts them.
    #[arg(long = "as", value_name = "ROLE", value_parser = role(), requires = "accept", id = "accept_role")]
    accept_role: Option<ReviewRole>,
    /// Reason to accept them, for the audit log.
    #[arg(long = "reason", value_name = "TEXT", requires = "accept", id = "accept_reason")]
    accept_reason: Option<String>,
}

fn metric() -> impl TypedValueParser<Value = RegressionMetric> {
    let names = RegressionMetric::ALL.map(RegressionMetric::as_str);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<RegressionMetric>())
}

impl Accept {
    /// Returns what is accepted.
    pub(super) fn acceptance(&self) -> Acceptance {
        Acceptance {
            metrics: self.accept.clone(),
            role: self.accept_role,
            reason: self.accept_reason.clone().unwrap_or_default(),
        }
    }
}
