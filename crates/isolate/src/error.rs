//! Why a run has no outputs.

/// Which net ended a script that went on for too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// The budget of operations is spent; the same on every machine.
    Operations,
    /// The wall limit passed first.
    Wall,
    /// The engine did not answer even then; its thread was given up and still runs.
    Abandoned,
}

impl Timeout {
    /// The words for a message.
    fn why(self) -> &'static str {
        match self {
            Self::Operations => "its budget of operations is spent",
            Self::Wall => "its time is up",
            Self::Abandoned => "it does not stop, and was given up with its thread",
        }
    }
}

/// Why a run has no outputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IsolateError {
    /// The source is longer than the limit.
    #[error("the source has {bytes} bytes, more than {limit}")]
    SourceTooLarge {
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        limit: usize,
    },
    /// The call itself cannot be served: a path stands twice, or a limit is out of range.
    #[error("{why}")]
    BadCall {
        /// What is wrong with it.
        why: String,
    },
    /// The source is no JavaScript module.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// What the engine says.
        message: String,
        /// The line, from 1; 0 if unknown.
        line: u32,
        /// The column, from 1; 0 if unknown.
        column: u32,
    },
    /// The module has no default export, or it is no function.
    #[error("the module exports no default function")]
    NoDefaultExport,
    /// The script threw.
    #[error("{message}")]
    Threw {
        /// Name and message of what was thrown, cut to 2,000 bytes.
        message: String,
        /// The line of the source, if known.
        line: Option<u32>,
        /// The innermost calls, one a line, at most ten.
        stack: String,
    },
    /// The heap is full. A script that throws `null` is reported in the same way, as the engine does so when full.
    #[error("the script ran out of memory, or threw `null`, which the engine tells in the same way")]
    OutOfMemory,
    /// The calls are nested too deeply.
    #[error("the script's calls are nested too deeply")]
    StackOverflow,
    /// The script went on for too long.
    #[error("the script was stopped: {}", .0.why())]
    OutOfTime(Timeout),
    /// The outputs are larger than the limit.
    #[error("the outputs have more than {limit} bytes")]
    TooMuchOutput {
        /// How many bytes they may have.
        limit: usize,
    },
    /// What the function returned cannot be written.
    #[error("{why}")]
    BadReturn {
        /// What is wrong with it.
        why: String,
    },
    /// The function returned paths that the contract does not let it write.
    #[error("the contract does not let this step write {}", quoted(.paths))]
    Undeclared {
        /// The paths, in the order returned, at most sixteen, each cut to 200 bytes.
        paths: Vec<String>,
    },
    /// Too many given-up scripts still run in this process.
    #[error("{threads} scripts that were given up still run in this process")]
    Crowded {
        /// How many.
        threads: usize,
    },
    /// The engine itself failed.
    #[error("the engine failed: {why}")]
    Engine {
        /// What it says.
        why: String,
    },
}

/// The paths in backticks, with commas.
fn quoted(paths: &[String]) -> String {
    paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
}

/// Cuts at a character boundary, so that a message never carries a whole input.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= longest).last().unwrap_or(0);
    format!("{}…", text.get(..end).unwrap_or_default())
}
