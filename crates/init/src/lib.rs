//! The messages between the sandbox and its first process, and the names that both use.
//!
//! The binary of this crate has every role inside the sandbox; this library has only the values that are written
//! by `deed-sandbox` and read by the binary, so that the two can never disagree about their form.

mod access;
mod frame;
mod resource;
mod spec;
mod syscalls;

pub use access::Access;
pub use frame::{FrameError, read_frame, write_frame};
pub use resource::Resource;
pub use spec::{
    Ended, Exec, Forward, Guard, LandlockRules, Launch, PathRule, Put, Rlimit, Said, Sockets, Staged, Status,
};
pub use syscalls::{ALLOWED, CONDITIONAL, Conditional, UNKNOWN, number};
