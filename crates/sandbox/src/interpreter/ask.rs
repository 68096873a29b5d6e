//! Queries an interpreter for its paths. It is started isolated from the caller: no environment, no working folder of the
//! caller, no user or site packages, no preloaded script.

use super::Language;
use crate::helper::isolated;
use nix::errno::Errno;
use serde::Deserialize;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Output;

/// The query for Python. `-I` and `-S` keep the working folder, `PYTHON*`, user packages and `.pth` files out.
const PYTHON: &[&str] = &[
    "-I",
    "-S",
    "-B",
    "-c",
    "import sys, sysconfig, json; print(json.dumps({'executable': sys.executable, 'prefix': sys.base_prefix, \
     'libraries': [sysconfig.get_path('stdlib'), sysconfig.get_path('platstdlib')], \
     'lib_folders': ['lib', sys.platlibdir], 'version': sys.version.split()[0], \
     'series': 'python%d.%d' % sys.version_info[:2]}))",
];

/// The query for Node.
const NODE: &[&str] = &[
    "-e",
    "console.log(JSON.stringify({executable: process.execPath, prefix: '', libraries: [], lib_folders: [], \
     version: process.versions.node, series: ''}))",
];

/// The facts an interpreter states about itself.
#[derive(Debug, Deserialize)]
pub(super) struct Facts {
    /// The program, with links unresolved, so that a virtual environment stays one.
    pub(super) executable: PathBuf,
    /// The folder of the installation; empty if the language has none.
    pub(super) prefix: PathBuf,
    /// The folders of the standard library.
    pub(super) libraries: Vec<PathBuf>,
    /// The names of the folders below a prefix that contain libraries.
    pub(super) lib_folders: Vec<String>,
    /// The version.
    pub(super) version: String,
    /// The folder name of this series of versions, such as `python3.11`.
    pub(super) series: String,
}

/// An error of querying a program.
#[derive(Debug)]
pub(super) enum AskError {
    /// Nothing can be started at the moment.
    Busy(String),
    /// The program does not work.
    Failed(String),
}

/// Queries `program` for its facts.
pub(super) fn facts(language: Language, program: &Path) -> Result<Facts, AskError> {
    let args = match language {
        Language::Python => PYTHON,
        Language::JavaScript => NODE,
        Language::Shell => {
            let none = PathBuf::new();
            let (version, series) = (String::new(), String::new());
            return Ok(Facts {
                executable: program.to_owned(),
                prefix: none,
                libraries: Vec::new(),
                lib_folders: Vec::new(),
                version,
                series,
            });
        }
    };
    let output = isolated(program).args(args).output().map_err(|error| {
        let why = error.to_string();
        if is_shortage(&error) { AskError::Busy(why) } else { AskError::Failed(why) }
    })?;
    parsed(&output).map_err(AskError::Failed)
}

/// Returns whether an error is a shortage of the system, which may be temporary.
fn is_shortage(error: &io::Error) -> bool {
    let errno = error.raw_os_error().map(Errno::from_raw);
    matches!(errno, Some(Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM))
}

fn parsed(output: &Output) -> Result<Facts, String> {
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        let last = words.lines().last().unwrap_or("it failed without a message");
        return Err(last.chars().take(200).collect());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("it gave an unknown answer: {error}"))
}
