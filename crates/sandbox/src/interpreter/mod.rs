//! Interpreters: the program that runs a language, and the host paths that it needs to see.

mod ask;
mod find;
mod paths;

pub use find::{InterpreterError, PrivatePaths, find_interpreter};

use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// A language that code can be written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Python 3.
    Python,
    /// JavaScript, run by Node.
    JavaScript,
    /// The shell.
    Shell,
}

impl Language {
    /// The name of the language.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::Shell => "shell",
        }
    }

    /// The program that is searched for.
    fn program(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::JavaScript => "node",
            Self::Shell => "sh",
        }
    }
}

/// The error for an unknown language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a language that the sandbox runs; there are `python`, `javascript` and `shell`")]
pub struct LanguageError(String);

impl FromStr for Language {
    type Err = LanguageError;

    fn from_str(name: &str) -> Result<Self, LanguageError> {
        [Self::Python, Self::JavaScript, Self::Shell]
            .into_iter()
            .find(|language| language.as_str() == name)
            .ok_or_else(|| LanguageError(name.chars().take(40).collect()))
    }
}

/// The program that runs a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpreter {
    /// The language.
    pub language: Language,
    /// The program, as it is started.
    pub executable: PathBuf,
    /// The files and folders beyond `/usr` that it needs to see.
    pub paths: Vec<InterpreterPath>,
    /// The version, as the program states it.
    pub version: String,
}

/// A file or folder of the host that an interpreter needs to see.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterpreterPath {
    /// Its path inside the sandbox, which is the one that the interpreter knows.
    pub inside: PathBuf,
    /// Its path on the host, with all links resolved.
    pub host: PathBuf,
}
