//! A job: an interpreter, its arguments, and the files that it may see and write.

use crate::interpreter::Interpreter;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A host path and its path inside the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bind {
    /// The path on the host.
    pub host: PathBuf,
    /// The path inside; below `/workspace`.
    pub inside: PathBuf,
}

/// A program to run. Its limits are part of the demand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// The interpreter that runs it.
    pub interpreter: Interpreter,
    /// The arguments after the interpreter, with paths as they are inside.
    pub args: Vec<String>,
    /// The host folder in which it starts without a mount namespace.
    pub stage: PathBuf,
    /// The folder of this job alone that contains all its files. Without a mount namespace it is closed
    /// to every other user.
    pub own_folder: Option<PathBuf>,
    /// Files and folders that it may read.
    pub inputs: Vec<Bind>,
    /// Folders that it may write to.
    pub writable: Vec<Bind>,
    /// A folder that it may read, seen as `/workspace/meta`.
    pub meta: Option<PathBuf>,
    /// The socket of the bridge, seen as `/run/deed/bridge.sock`.
    pub bridge: Option<PathBuf>,
    /// The socket of the proxy, seen as port 3128 of the loopback.
    pub proxy: Option<PathBuf>,
    /// The certificates that the proxy's answers are checked against, seen as `/run/deed/ca.pem`.
    pub ca: Option<PathBuf>,
    /// Variables beyond the fixed environment; none of those may be replaced.
    pub env: BTreeMap<String, String>,
}
