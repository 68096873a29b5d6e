//! The refusal of a plan.

use crate::probe::Missing;
use deed_model::IsolationLevel;
use std::path::PathBuf;

/// The reason a plan is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The machine offers less than is demanded.
    #[error("isolation {demanded} is demanded, and this machine offers {obtained}{}", listed(missing))]
    BelowMinimum {
        /// The demanded level.
        demanded: IsolationLevel,
        /// The level of this machine.
        obtained: IsolationLevel,
        /// The obstacles.
        missing: Vec<Missing>,
    },
    /// A path inside is not below the workspace, or is not plain.
    #[error("`{0}` is not a plain path below `/workspace`")]
    InsidePath(PathBuf),
    /// Two mounts have the same path inside.
    #[error("two files or folders have the path `{0}` inside the sandbox")]
    Twice(PathBuf),
    /// A path of the host is not absolute, or is not text.
    #[error("`{0}` is not an absolute path in UTF-8")]
    HostPath(PathBuf),
    /// A variable that has a fixed value, or an invalid name.
    #[error("the variable `{0}` cannot be set by a job")]
    Variable(String),
    /// An argument or a value that cannot be passed to a program.
    #[error("an argument or a value contains a zero byte")]
    ZeroByte,
}

fn listed(missing: &[Missing]) -> String {
    missing.iter().map(|one| format!("; {}: {}", one.level, one.why)).collect()
}
