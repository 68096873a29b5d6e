//! The parts that the binary plays, one file each.

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

/// What a part leaves: the exit code, or why it could not do its work.
pub(crate) type Done = Result<std::process::ExitCode, String>;

/// Says what was tried when an error came.
pub(crate) fn while_doing<E: std::fmt::Display>(what: &str) -> impl FnOnce(E) -> String + '_ {
    move |error| format!("cannot {what}: {error}")
}

/// The standard input without a buffer, so that no byte of the next message is taken.
pub(crate) fn input() -> std::io::Result<std::os::unix::net::UnixStream> {
    use std::os::fd::AsFd;
    std::io::stdin().as_fd().try_clone_to_owned().map(Into::into)
}
