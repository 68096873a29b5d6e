//! Finds the interpreter of a language: the preferred program, or the first one on the caller's `PATH` that works.

use super::ask::{self, AskError};
use super::paths::{self, PathError};
use super::{Interpreter, Language};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// An error of finding an interpreter.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InterpreterError {
    /// No program of this name is on the path.
    #[error("`{0}` is not installed, or not on the path")]
    NotFound(String),
    /// The system is out of descriptors, processes or memory, so that no program can be started now.
    #[error("`{program}` cannot be started now: {why}")]
    Busy {
        /// The program.
        program: PathBuf,
        /// The message of the system.
        why: String,
    },
    /// The program could not be queried for its paths.
    #[error("`{program}` cannot be used: {why}")]
    Unusable {
        /// The program.
        program: PathBuf,
        /// Its message, or that of the system.
        why: String,
    },
    /// The program needs a folder that contains private files too.
    #[error("`{program}` needs `{folder}`, which a sandbox may not see: it contains more than the interpreter")]
    TooWide {
        /// The program.
        program: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The program needs a path that leads out of its virtual environment and its installation.
    #[error(
        "`{program}` needs `{path}`, which leads to `{target}`: that is neither in its virtual environment nor in its \
         installation"
    )]
    Outside {
        /// The program.
        program: PathBuf,
        /// The path, such as a link in a virtual environment.
        path: PathBuf,
        /// The path that it leads to.
        target: PathBuf,
    },
}

/// The host paths that an interpreter must not expose.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivatePaths {
    /// Paths that no shown folder may contain, such as the caller's home and working folder.
    pub contained: Vec<PathBuf>,
    /// Folders of which nothing is ever shown, such as the folder with keys and secrets.
    pub closed: Vec<PathBuf>,
}

impl PrivatePaths {
    /// The caller's home folder and working folder, and the given folders with keys and secrets.
    pub fn of_caller(closed: &[PathBuf]) -> Self {
        let contained = [std::env::home_dir(), std::env::current_dir().ok()].into_iter().flatten();
        // A path that cannot be resolved is compared as it is written.
        let resolved = |path: PathBuf| std::fs::canonicalize(&path).unwrap_or(path);
        Self { contained: contained.map(resolved).collect(), closed: closed.iter().cloned().map(resolved).collect() }
    }
}

/// The key of a search for an interpreter.
type SearchKey = (Language, Option<PathBuf>, PrivatePaths);

/// Interpreters that were found before.
static FOUND: Mutex<BTreeMap<SearchKey, Interpreter>> = Mutex::new(BTreeMap::new());

/// Finds the interpreter of a language: the preferred program, or the first one on the path that works. The answer is
/// kept for the life of the process.
///
/// # Errors
/// No such program is installed, it does not answer, or running it would expose private paths.
pub fn find_interpreter(
    language: Language,
    preferred: Option<&Path>,
    private: &PrivatePaths,
) -> Result<Interpreter, InterpreterError> {
    let key = (language, preferred.map(Path::to_owned), private.clone());
    if let Some(found) = FOUND.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Ok(found.clone());
    }
    let candidates = match preferred {
        Some(program) => vec![program.to_owned()],
        None => on_path(language.program()),
    };
    let found = first_usable(language, &candidates, private)?;
    FOUND.lock().unwrap_or_else(PoisonError::into_inner).insert(key, found.clone());
    Ok(found)
}

/// The first candidate that works. A version manager's shim may not work outside of the caller's environment; the next
/// program on the path is tried then. If none works, the error of the first one is returned. A program that works and may
/// not be shown is refused: another one in its place would run the code with other packages, without a word.
fn first_usable(
    language: Language,
    candidates: &[PathBuf],
    private: &PrivatePaths,
) -> Result<Interpreter, InterpreterError> {
    let mut first = None;
    for program in candidates {
        match inspect_program(language, program, private) {
            Ok(found) => return Ok(found),
            // The same program may work in a moment; another one must not be used in its place.
            Err(
                error @ (InterpreterError::Busy { .. }
                | InterpreterError::TooWide { .. }
                | InterpreterError::Outside { .. }),
            ) => return Err(error),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| InterpreterError::NotFound(language.program().to_owned())))
}

/// The programs of this name on the path. Relative entries, which follow the working folder, are left out.
fn on_path(name: &str) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).filter(|program| program.is_file()).collect()
}

fn inspect_program(
    language: Language,
    program: &Path,
    private: &PrivatePaths,
) -> Result<Interpreter, InterpreterError> {
    let unusable = |why: String| InterpreterError::Unusable { program: program.to_owned(), why };
    let facts = ask::facts(language, program).map_err(|error| match error {
        AskError::Busy(why) => InterpreterError::Busy { program: program.to_owned(), why },
        AskError::Failed(why) => unusable(why),
    })?;
    let shown = paths::select(&facts, &private.contained, &private.closed).map_err(|error| match error {
        PathError::Unreadable(why) => unusable(why),
        PathError::TooWide(folder) => InterpreterError::TooWide { program: program.to_owned(), folder },
        PathError::Outside { path, target } => InterpreterError::Outside { program: program.to_owned(), path, target },
    })?;
    Ok(Interpreter { language, executable: shown.executable, paths: shown.paths, version: facts.version })
}
