//! Finds what runs a language, by asking it where it really lives: a shim or a virtual environment says so itself.

use super::roots::{above_bin, narrowed};
use super::{Interpreter, Language};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// What Python is asked.
const ASK_PYTHON: &str = "import sys, json, platform; print(json.dumps({'executable': sys.executable, \
     'folders': [sys.prefix, sys.base_prefix], 'version': platform.python_version()}))";

/// What Node is asked.
const ASK_NODE: &str = "console.log(JSON.stringify({executable: process.execPath, folders: [], \
     version: process.versions.node}))";

/// Why there is nothing to run a language with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InterpreterError {
    /// It is not where it should be.
    #[error("`{0}` is not installed, or not on the path")]
    NotFound(String),
    /// It could not say where it lives.
    #[error("`{program}` cannot be used: {why}")]
    Unusable {
        /// What was asked.
        program: PathBuf,
        /// What came of it.
        why: String,
    },
    /// To be seen, it would need a folder with much else in it.
    #[error("`{program}` lives in `{folder}`, which cannot be shown to a sandbox")]
    TooWide {
        /// The program.
        program: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
}

/// What was found before.
static FOUND: Mutex<BTreeMap<(Language, Option<PathBuf>), Interpreter>> = Mutex::new(BTreeMap::new());

/// Finds what runs a language: the preferred program, or else the first on the path. The answer is kept.
pub fn find_interpreter(language: Language, preferred: Option<&Path>) -> Result<Interpreter, InterpreterError> {
    let key = (language, preferred.map(Path::to_owned));
    if let Some(found) = FOUND.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(found.clone());
    }
    let program = match preferred {
        Some(program) => program.to_owned(),
        None => on_path(language.program())?,
    };
    let found = asked(language, &program)?;
    FOUND.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
    Ok(found)
}

fn on_path(name: &str) -> Result<PathBuf, InterpreterError> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    let found = std::env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file());
    found.ok_or_else(|| InterpreterError::NotFound(name.to_owned()))
}

/// What an interpreter says about itself.
#[derive(Deserialize)]
struct Said {
    executable: PathBuf,
    folders: Vec<PathBuf>,
    version: String,
}

fn asked(language: Language, program: &Path) -> Result<Interpreter, InterpreterError> {
    let unusable = |why: String| InterpreterError::Unusable { program: program.to_owned(), why };
    let said = match language {
        Language::Python => answer(program, &["-c", ASK_PYTHON]).map_err(unusable)?,
        Language::JavaScript => answer(program, &["-e", ASK_NODE]).map_err(unusable)?,
        Language::Shell => Said { executable: program.to_owned(), folders: Vec::new(), version: String::new() },
    };
    let real = fs::canonicalize(&said.executable).map_err(|error| unusable(error.to_string()))?;
    // A link in `/bin` leads to `/usr/bin` anyway; one in a virtual environment is what makes it one.
    let executable = if real.starts_with("/usr") && said.folders.iter().all(|folder| folder.starts_with("/usr")) {
        real.clone()
    } else {
        said.executable
    };
    let folders = said.folders.into_iter().chain(above_bin(&real)).chain(above_bin(&executable));
    let roots =
        narrowed(folders).map_err(|folder| InterpreterError::TooWide { program: program.to_owned(), folder })?;
    Ok(Interpreter { language, executable, roots, version: said.version })
}

fn answer(program: &Path, args: &[&str]) -> Result<Said, String> {
    let output = Command::new(program).args(args).stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(words.lines().last().unwrap_or("it failed without a word").chars().take(200).collect());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("its answer cannot be read: {error}"))
}
