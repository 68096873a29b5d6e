//! Inspects a source without running it, for everything that is known beforehand to stop a run.
//!
//! The engine that would run the source also decides here. It compiles and links the module and never evaluates it.
//! The engine also decides whether a word is code, a name or a part of a text: another word is put in its
//! place, and the result is compiled. No second reader of JavaScript can disagree with it.

mod compiler;
mod default;
mod globals;
mod imports;

use crate::fault::missing_module;
use crate::limits::IsolateLimits;
use crate::words;
use compiler::{Compiler, LinkResult};

/// Bytes of stack that the compiler may use, as a step's script has by default.
const STACK: usize = 512 << 10;
/// Stack for the engine's C frames beyond that.
const SLACK: usize = 1 << 20;

/// A reason why a source fails, or may fail, when it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFinding {
    /// The problem.
    pub problem: SourceProblem,
    /// The line, from 1, where there is one.
    pub line: Option<usize>,
    /// True if every run fails; otherwise a run fails only if it reaches the line.
    pub certain: bool,
}

/// The kinds of problems that can be found without running a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SourceProblem {
    /// The source is longer than an isolate takes.
    TooLarge {
        /// Its length in bytes.
        bytes: usize,
        /// The limit in bytes.
        limit: usize,
    },
    /// The engine cannot compile the source.
    Syntax {
        /// The message of the engine.
        message: String,
    },
    /// The source has a word that an isolate refuses in code and text: `async`, or `import` before a parenthesis.
    Forbidden {
        /// The message of the refusal.
        message: String,
    },
    /// The source imports a module, and an isolate has none.
    Import {
        /// The name of the module, as the source writes it.
        module: String,
    },
    /// The source waits with `await`.
    Await,
    /// The module has no default export.
    NoDefaultExport,
    /// The default export is a value that cannot be called.
    DefaultNotCallable {
        /// The value, in words.
        what: &'static str,
    },
    /// The source uses a global that an isolate does not have.
    MissingGlobal {
        /// The name of the global.
        name: &'static str,
    },
    /// The source reads a clock or randomness, which a step is not given.
    NotGiven {
        /// The expression.
        what: &'static str,
    },
}

/// Finds everything that is known to stop a run of `source`, in the order of lines; nothing of the source is run.
///
/// # Errors
/// The engine cannot be started.
pub fn inspect(source: &str) -> Result<Vec<SourceFinding>, String> {
    let limit = IsolateLimits::default().source;
    if source.len() > limit {
        return Ok(vec![certain(SourceProblem::TooLarge { bytes: source.len(), limit }, None)]);
    }
    let source = source.to_owned();
    let builder = std::thread::Builder::new().name("deed-isolate-inspect".to_owned()).stack_size(STACK + SLACK);
    let thread = builder.spawn(move || of_source(&source)).map_err(|error| error.to_string())?;
    thread.join().unwrap_or_else(|_| Err("the engine stopped".to_owned()))
}

fn of_source(source: &str) -> Result<Vec<SourceFinding>, String> {
    let mut compiler = Compiler::new();
    if let Err((message, line)) = compiler.compile(source)? {
        // Nothing more can be found in a source that does not compile.
        let Some(module) = missing_module(&message) else {
            return Ok(vec![certain(SourceProblem::Syntax { message }, line)]);
        };
        let line = imports::line(&mut compiler, source, module)?;
        return Ok(vec![certain(SourceProblem::Import { module: module.to_owned() }, line)]);
    }
    let mut found = Vec::new();
    if let Err(crate::IsolateError::Forbidden { word, line, .. }) = words::check(source) {
        let message =
            format!("`{word}` must not stand here, not even in text: a step waits for nothing and loads nothing");
        found.push(certain(SourceProblem::Forbidden { message }, Some(line as usize)));
    }
    let inspected = inspect_compiled(&mut compiler, source, &mut found);
    // Findings stay valid if a hostile source spends the budget of the compiler; running it still checks the rest.
    inspected.or_else(|why| if compiler.is_spent() { Ok(()) } else { Err(why) })?;
    found.sort_by_key(|finding| finding.line);
    Ok(found)
}

/// Inspects a source that compiles.
fn inspect_compiled(compiler: &mut Compiler, source: &str, found: &mut Vec<SourceFinding>) -> Result<(), String> {
    match compiler.link(source)? {
        LinkResult::HasDefault => found.extend(default::not_callable(compiler, source)?),
        LinkResult::NoDefault => found.push(certain(SourceProblem::NoDefaultExport, None)),
    }
    if let Some(at) = globals::first_await(compiler, source)? {
        found.push(certain(SourceProblem::Await, Some(line_of(source, at))));
    }
    globals::missing(compiler, source, found)
}

fn certain(problem: SourceProblem, line: Option<usize>) -> SourceFinding {
    SourceFinding { problem, line, certain: true }
}

/// The line of a byte of the source, from one.
fn line_of(source: &str, at: usize) -> usize {
    source.split_at(at).0.matches('\n').count() + 1
}

/// The source with a range of bytes replaced.
fn replaced(source: &str, at: usize, length: usize, by: &str) -> String {
    let (before, rest) = source.split_at(at);
    let (_, after) = rest.split_at(length);
    format!("{before}{by}{after}")
}

/// The places of a word that is not part of a longer one, at most [`MOST_PLACES`].
fn places<'s>(source: &'s str, word: &'s str) -> impl Iterator<Item = usize> + 's {
    let part_of_a_name = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    source
        .match_indices(word)
        .filter(move |(at, _)| {
            let (before, rest) = source.split_at(*at);
            let (_, after) = rest.split_at(word.len());
            !before.ends_with(part_of_a_name) && !after.starts_with(part_of_a_name)
        })
        .map(|(at, _)| at)
        .take(MOST_PLACES)
}

/// The maximum number of places of one word that are checked. Each costs a few compilations of a small source.
const MOST_PLACES: usize = 100;
