//! The roles of the binary, one file each.

mod descriptors;
mod exec;
mod facts;
mod filter;
mod forward;
mod guard;
mod landlock;
mod launch;
mod limits;
mod noop;
mod search;
mod stage;
mod tree;

pub(crate) use facts::facts;
pub(crate) use guard::guard;
pub(crate) use launch::launch;
pub(crate) use noop::noop;

/// The result of a role: the exit code, or the reason it failed.
pub(crate) type Done = Result<std::process::ExitCode, String>;

/// Adds the failed operation to an error.
pub(crate) fn while_doing<E: std::fmt::Display>(what: &str) -> impl FnOnce(E) -> String + '_ {
    move |error| format!("cannot {what}: {error}")
}

/// The standard input without a buffer, so that no byte of the next message is consumed.
pub(crate) fn input() -> std::io::Result<std::os::unix::net::UnixStream> {
    use std::os::fd::AsFd;
    std::io::stdin().as_fd().try_clone_to_owned().map(Into::into)
}
