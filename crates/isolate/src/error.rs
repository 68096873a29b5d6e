//! Errors of a run.

/// The limit that ended a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Timeout {
    /// The budget of operations is spent; the same on every machine.
    Operations,
    /// The wall-clock timeout passed first.
    Wall,
    /// The engine did not answer even then; its thread was abandoned and still runs.
    Abandoned,
}

impl Timeout {
    /// The reason, for a message.
    fn why(self) -> &'static str {
        match self {
            Self::Operations => "its budget of operations is spent",
            Self::Wall => "it reached its timeout",
            Self::Abandoned => "it does not stop, and was abandoned with its thread",
        }
    }
}

/// The way a script waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Waiting {
    /// The default function returned a promise.
    Promise,
    /// The module waits at its top level.
    TopLevelAwait,
}

impl Waiting {
    fn why(self) -> &'static str {
        match self {
            Self::Promise => {
                "the default function returned a promise; it must not be `async`, as nothing here can be waited for"
            }
            Self::TopLevelAwait => "the module waits with `await` at its top level, and nothing here can be waited for",
        }
    }
}

/// A reference of a script that an isolate does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MissingReference {
    /// A module.
    Module(String),
    /// A global name.
    Name(String),
}

/// The reason a run has no outputs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IsolateError {
    /// The source is longer than the limit.
    #[error("the source has {bytes} bytes, more than {limit}")]
    SourceTooLarge {
        /// The length in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The call itself is invalid: a duplicate path, or a limit out of range.
    #[error("{why}")]
    BadCall {
        /// The reason.
        why: String,
    },
    /// The source is not a JavaScript module.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The message of the engine.
        message: String,
        /// The line, from 1; 0 if unknown.
        line: u32,
        /// The column, from 1; 0 if unknown.
        column: u32,
    },
    /// The source has a word that a step may not use, in code or text.
    #[error(
        "line {line}, column {column}: `{word}` must not stand here, not even in text: a step waits for nothing and loads \
         nothing"
    )]
    Forbidden {
        /// The word: `async` or `import`.
        word: &'static str,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// The script waits for something.
    #[error("{}", .0.why())]
    Waits(Waiting),
    /// The module has no default export, or it is not a function.
    #[error("the module exports no default function")]
    NoDefaultExport,
    /// The script threw.
    #[error("{message}")]
    Threw {
        /// The name and message of the thrown error, cut to 2,000 bytes.
        message: String,
        /// The line of the source, if known.
        line: Option<u32>,
        /// The innermost calls, one a line, at most ten.
        stack: String,
        /// The missing reference, if the error is about one.
        missing: Option<MissingReference>,
    },
    /// The heap is full. A script that throws `null` is reported in the same way, because the engine does so when full.
    #[error("the script ran out of memory, or threw `null`, which the engine tells in the same way")]
    OutOfMemory,
    /// The calls are nested too deeply.
    #[error("the script's calls are nested too deeply")]
    StackOverflow,
    /// The script ran for too long.
    #[error("the script was stopped: {}", .0.why())]
    OutOfTime(Timeout),
    /// The outputs are larger than the limit.
    #[error("the outputs have more than {limit} bytes")]
    TooMuchOutput {
        /// The limit in bytes.
        limit: usize,
    },
    /// The function's return value cannot be written.
    #[error("{why}")]
    BadReturn {
        /// The reason.
        why: String,
    },
    /// The function returned paths that the contract does not let it write.
    #[error("the contract does not let this step write {}", quoted(.paths))]
    Undeclared {
        /// The paths, in the order returned, at most sixteen, each cut to 200 bytes.
        paths: Vec<String>,
    },
    /// Too many abandoned scripts still run in this process.
    #[error("{threads} abandoned scripts still run in this process")]
    Crowded {
        /// The number of scripts.
        threads: usize,
    },
    /// The engine itself failed.
    #[error("the engine failed: {why}")]
    Engine {
        /// The message.
        why: String,
    },
}

/// The paths in backticks, with commas.
fn quoted(paths: &[String]) -> String {
    paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ")
}

/// Cuts at a character boundary, so that a message never contains a whole input.
pub(crate) fn cut(text: &str, longest: usize) -> String {
    if text.len() <= longest {
        return text.to_owned();
    }
    let (start, _) = text.split_at(text.floor_char_boundary(longest));
    format!("{start}…")
}
