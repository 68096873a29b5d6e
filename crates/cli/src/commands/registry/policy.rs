//! `deed registry policy`: the reviews that the registry demands of every pack.

use crate::args::Global;
use crate::commands::keys::role;
use crate::commands::recorded::{Recorded, event};
use crate::output::Success;
use clap::{Args, Subcommand};
use deed_app::{AppError, packs};
use deed_model::{RegistryPolicy, ReviewRole, SelfReview};
use schemars::JsonSchema;
use serde::Serialize;

/// Commands about the policy.
#[derive(Debug, Subcommand)]
pub(crate) enum Policy {
    Show(Show),
    Set(Set),
}

/// Show the reviews that every pack needs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed registry policy show")]
pub(crate) struct Show {}

/// Set the reviews that every pack needs, on record; what is not named stays.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed registry policy set --allow-self-review --reason \"one person\"
  deed registry policy set --require security --require data \\
      --reason \"two reviewers\"")]
pub(crate) struct Set {
    /// Role that must review every pack; repeat for several.
    #[arg(long = "require", value_name = "ROLE", value_parser = role())]
    require: Vec<ReviewRole>,
    /// Let one person review in all roles and sign.
    #[arg(long, conflicts_with = "refuse_self_review")]
    allow_self_review: bool,
    /// Ask for a second person among reviewers and signer.
    #[arg(long)]
    refuse_self_review: bool,
    /// Reason, for the audit log.
    #[arg(long)]
    reason: String,
}

/// The policy of the registry.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownPolicy {
    /// The policy.
    policy: RegistryPolicy,
    /// The event in the log that set it now; null where nothing was set.
    event: Option<Recorded>,
}

impl Policy {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match self {
            Self::Show(_) => {
                let policy = packs::policy(&global.session())?;
                let text = text(&policy);
                Ok(Success::new(ShownPolicy { policy, event: None }, text))
            }
            Self::Set(c) => c.run(global),
        }
    }
}

impl Set {
    fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let mut policy = packs::policy(&session)?;
        if !self.require.is_empty() {
            policy.required_roles.clone_from(&self.require);
            policy.required_roles.sort_unstable();
            policy.required_roles.dedup();
        }
        if self.allow_self_review {
            policy.self_review = SelfReview::Allowed;
        }
        if self.refuse_self_review {
            policy.self_review = SelfReview::Refused;
        }
        let outcome = packs::set_policy(&session, &policy, &self.reason)?;
        let text = text(&policy);
        Ok(Success::new(ShownPolicy { policy, event: event(&outcome) }, text).remark(outcome.to_string()))
    }
}

fn text(policy: &RegistryPolicy) -> String {
    let roles: Vec<&str> = policy.required_roles.iter().map(|role| role.as_str()).collect();
    format!("reviews      {}\nself review  {}\n", roles.join(", "), policy.self_review.as_str())
}
