//! Names that a script uses and an isolate does not have.

use super::compiler::Compiler;
use super::{MOST_PLACES, SourceFinding, SourceProblem, line_of, places, replaced};

/// Globals of Node.js, browsers and the language that an isolate does not have.
pub(super) const MISSING: [&str; 33] = [
    "Atomics",
    "Buffer",
    "FinalizationRegistry",
    "Intl",
    "Promise",
    "Proxy",
    "SharedArrayBuffer",
    "TextDecoder",
    "TextEncoder",
    "URL",
    "URLSearchParams",
    "WeakRef",
    "WebAssembly",
    "XMLHttpRequest",
    "__dirname",
    "__filename",
    "atob",
    "btoa",
    "clearTimeout",
    "crypto",
    "document",
    "eval",
    "exports",
    "fetch",
    "module",
    "performance",
    "process",
    "queueMicrotask",
    "require",
    "setImmediate",
    "setInterval",
    "setTimeout",
    "structuredClone",
];

/// Expressions that throw because a step is given no clock and no randomness, with the name each begins with.
const NOT_GIVEN: [(&str, &str); 3] = [("Date.now()", "Date"), ("new Date()", "Date"), ("Math.random()", "Math")];

/// Words before a use on its own line that may keep it from being reached.
const CONDITIONS: [&str; 10] = ["?", "&&", "||", "if", "else", "for", "while", "case", "switch", "try"];

/// The maximum number of uses of one name that are checked for one that every run reaches.
const MOST_TRIED: usize = 10;

/// The first `await` that is an operator. As a property's name it could be any keyword; as an operator it could not.
pub(super) fn first_await(compiler: &mut Compiler, source: &str) -> Result<Option<usize>, String> {
    for at in places(source, "await") {
        if !compiler.compiles(&replaced(source, at, "await".len(), "else"))? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Finds the uses of missing globals, at most one for each name: one that every run reaches, or else the first.
pub(super) fn missing(compiler: &mut Compiler, source: &str, found: &mut Vec<SourceFinding>) -> Result<(), String> {
    for name in MISSING {
        let uses = uses(compiler, source, name)?;
        found.extend(report(compiler, source, &uses, name.len(), &SourceProblem::MissingGlobal { name })?);
    }
    for (what, name) in NOT_GIVEN {
        if !source.contains(what) || binds(compiler, source, name)? {
            continue;
        }
        let mut uses = Vec::new();
        for at in places(source, what) {
            if !compiler.compiles(&replaced(source, at, what.len(), "else"))? {
                uses.push(at);
            }
        }
        found.extend(report(compiler, source, &uses, what.len(), &SourceProblem::NotGiven { what })?);
    }
    Ok(())
}

fn report(
    compiler: &mut Compiler,
    source: &str,
    uses: &[usize],
    length: usize,
    problem: &SourceProblem,
) -> Result<Option<SourceFinding>, String> {
    let of = |at: usize, certain: bool| {
        Some(SourceFinding { problem: problem.clone(), line: Some(line_of(source, at)), certain })
    };
    for at in uses.iter().take(MOST_TRIED) {
        if is_always_reached(compiler, source, *at, length)? {
            return Ok(of(*at, true));
        }
    }
    Ok(uses.first().and_then(|at| of(*at, false)))
}

/// The places where a name is read as a global; none if the source may bind the name itself.
fn uses(compiler: &mut Compiler, source: &str, name: &str) -> Result<Vec<usize>, String> {
    let mut uses = Vec::new();
    if places(source, name).count() == MOST_PLACES {
        // One that is not checked could bind the name.
        return Ok(uses);
    }
    for at in places(source, name) {
        match role(compiler, source, at, name)? {
            Role::NotAName => {}
            Role::Read => uses.push(at),
            Role::MayBind => return Ok(Vec::new()),
        }
    }
    let asked = |at: &usize| source.split_at(*at).0.trim_end().ends_with("typeof");
    if uses.iter().any(asked) {
        // The script checks first whether the global exists.
        return Ok(Vec::new());
    }
    Ok(uses)
}

fn binds(compiler: &mut Compiler, source: &str, name: &str) -> Result<bool, String> {
    if places(source, name).count() == MOST_PLACES {
        return Ok(true);
    }
    for at in places(source, name) {
        if role(compiler, source, at, name)? == Role::MayBind {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The role of a word.
#[derive(Debug, PartialEq, Eq)]
enum Role {
    /// Text, a comment or the name of a property.
    NotAName,
    /// The value of a name is read.
    Read,
    /// A name is bound or assigned, or this cannot be ruled out.
    MayBind,
}

/// Determines the role of a word: a keyword compiles wherever a word is not a name, and `null` only where a value is read.
fn role(compiler: &mut Compiler, source: &str, at: usize, name: &str) -> Result<Role, String> {
    if compiler.compiles(&replaced(source, at, name.len(), "else"))? {
        return Ok(Role::NotAName);
    }
    let reads = compiler.compiles(&replaced(source, at, name.len(), "null"))?;
    Ok(if reads { Role::Read } else { Role::MayBind })
}

/// Returns whether evaluating the module always reaches a place: its line begins a statement of the module itself, the place is
/// in no function, and nothing before it on the line is a condition.
fn is_always_reached(compiler: &mut Compiler, source: &str, at: usize, length: usize) -> Result<bool, String> {
    let (before, _) = source.split_at(at);
    let line = before.rfind('\n').map_or(0, |end| end + 1);
    let (_, on_line) = before.split_at(line);
    if CONDITIONS.iter().any(|condition| on_line.contains(condition)) {
        return Ok(false);
    }
    // `export` stands between statements of a module only, `await` outside of functions only.
    Ok(compiler.compiles(&replaced(source, line, 0, "export {}; "))?
        && compiler.compiles(&replaced(source, at, length, "(await 0)"))?)
}
