//! Default exports that cannot be called.

use super::compiler::Compiler;
use super::{MOST_PLACES, SourceFinding, SourceProblem, certain, line_of, places, replaced};

/// The default export, if it is certainly not a function: a class, or the literal of an object, a list, a text or a number.
pub(super) fn not_callable(compiler: &mut Compiler, source: &str) -> Result<Option<SourceFinding>, String> {
    for at in places(source, "default") {
        let (before, rest) = source.split_at(at);
        // As text or a comment it could be any word.
        if !before.trim_end().ends_with("export")
            || compiler.compiles(&replaced(source, at, "default".len(), "else"))?
        {
            continue;
        }
        let value = rest.split_at("default".len()).1.trim_start();
        let what = what(compiler, value)?;
        return Ok(what.map(|what| certain(SourceProblem::DefaultNotCallable { what }, Some(line_of(source, at)))));
    }
    Ok(None)
}

fn what(compiler: &mut Compiler, value: &str) -> Result<Option<&'static str>, String> {
    let (close, what) = match value.chars().next() {
        Some('{') => ('}', "an object"),
        Some('[') => (']', "a list"),
        Some('c') if value.strip_prefix("class").is_some_and(|rest| rest.starts_with([' ', '\n', '{'])) => {
            return Ok(Some("a class"));
        }
        Some('\'' | '"' | '0'..='9') => {
            let whole = value.split_once([';', '\n']).map_or(value, |(whole, _)| whole).trim();
            let text = whole.starts_with(['\'', '"']);
            let plain = match text {
                true => whole.len() > 1 && whole.matches(['\'', '"']).count() == 2 && whole.ends_with(['\'', '"']),
                false => whole.parse::<f64>().is_ok(),
            };
            return Ok(plain.then_some(if text { "a text" } else { "a number" }));
        }
        _ => return Ok(None),
    };
    // The shortest beginning that is an expression is the whole literal.
    for (end, _) in value.match_indices(close).take(MOST_PLACES) {
        let (literal, rest) = value.split_at(end + close.len_utf8());
        if compiler.compiles(&format!("({literal});"))? {
            let rest = rest.trim_start();
            let ends = rest.is_empty() || rest.starts_with(';') || rest.starts_with(char::is_alphabetic);
            return Ok(ends.then_some(what));
        }
    }
    Ok(None)
}
