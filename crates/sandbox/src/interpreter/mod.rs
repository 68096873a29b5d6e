//! What runs a language: the program, and the folders that it needs to see.

mod find;
mod roots;

pub use find::{InterpreterError, find_interpreter};

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
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::Shell => "shell",
        }
    }

    /// The program that is looked for.
    fn program(self) -> &'static str {
        match self {
            Self::Python => "python3",
            Self::JavaScript => "node",
            Self::Shell => "sh",
        }
    }
}

/// The name of no language.
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

/// What runs a language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interpreter {
    /// The language.
    pub language: Language,
    /// The program, as it is started.
    pub executable: PathBuf,
    /// The folders beyond `/usr` that it needs to see.
    pub roots: Vec<PathBuf>,
    /// What it calls itself.
    pub version: String,
}
