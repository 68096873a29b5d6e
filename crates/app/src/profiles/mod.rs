//! Execution profiles and prompts: written, linted, shown, explained, compared, published, bound, ended.

mod ended;
mod new;
mod pinned;
mod prices;
mod prompts;
mod publish;
mod resolve;
mod source;

pub(crate) use ended::may_govern;
pub use ended::{EndedProfile, UnboundProfile, end, endings, unbind};
pub use new::{NewProfile, new};
pub(crate) use pinned::usable;
pub use prices::priced_models;
pub use prompts::{LintedPrompt, PromptEntry, PromptOrigin, lint_prompt, prompt, prompts, publish_prompt};
pub use publish::{BindTo, BoundProfile, PublishedProfile, bind, publish, registered};
pub use resolve::{ExplainRequest, Explained, explain};
pub use source::{ProfileOrigin, ReadProfile, linted, profile, shipped};

use crate::error::AppError;
use crate::session::Session;
use deed_profile::ProfileDiff;

/// Compares two versions of a profile.
///
/// # Errors
/// One of them cannot be read as a profile.
pub fn compare(session: &Session, before: &str, after: &str) -> Result<ProfileDiff, AppError> {
    let (before, after) = (profile(session, before)?, profile(session, after)?);
    Ok(deed_profile::diff(&before.file, &after.file)?)
}
