//! Why a plan is not made.

use crate::probe::Missing;
use deed_model::IsolationLevel;
use std::path::PathBuf;

/// Why a plan is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The machine offers less than is demanded.
    #[error("isolation {demanded} is demanded, and this machine offers {obtained}{}", listed(missing))]
    BelowMinimum {
        /// What is demanded.
        demanded: IsolationLevel,
        /// What there is.
        obtained: IsolationLevel,
        /// What stands in the way.
        missing: Vec<Missing>,
    },
    /// A path inside is not below the workspace, or is not plain.
    #[error("`{0}` is not a plain path below `/workspace`")]
    InsidePath(PathBuf),
    /// Two things are to be seen at one place.
    #[error("two things are to be seen as `{0}`")]
    Twice(PathBuf),
    /// A path of the host is not absolute, or is not text.
    #[error("`{0}` is not an absolute path in UTF-8")]
    HostPath(PathBuf),
    /// A variable that has a fixed value, or a name that is none.
    #[error("the variable `{0}` cannot be set by a job")]
    Variable(String),
    /// An argument or a value that no program can be given.
    #[error("an argument or a value holds a zero byte")]
    ZeroByte,
}

fn listed(missing: &[Missing]) -> String {
    missing.iter().map(|one| format!("; {}: {}", one.level, one.why)).collect()
}
