//! Execution profiles and prompts: written, linted, shown, explained, compared, published, bound.

mod new;
mod pinned;
mod prompts;
mod publish;
mod resolve;
mod source;

pub use new::{NewProfile, new};
pub(crate) use pinned::usable;
pub use prompts::{PromptEntry, PromptOrigin, prompt, prompts};
pub use publish::{BindTo, BoundProfile, PublishedProfile, bind, publish, registered};
pub use resolve::{ExplainRequest, Explained, explain};
pub use source::{ProfileOrigin, ReadProfile, linted, priced_models, profile, shipped};

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
