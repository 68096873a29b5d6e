//! The two words that must not stand in a source: `async` before a function, and `import` before a parenthesis.
//!
//! The engine turns whatever is thrown inside an async function, or while a dynamic import begins, into a promise.
//! That includes the error which ends a script, so a script could go on for ever with either. The search knows no
//! strings and no comments, because whoever reads these differently from the engine can be tricked; it may therefore
//! refuse a harmless text, never let a harmful one through.

use crate::error::IsolateError;

/// Where a word stands that must not, if anywhere.
pub(crate) fn check(source: &str) -> Result<(), IsolateError> {
    let found = [find(source, "async", may_begin_a_function), find(source, "import", may_begin_a_call)];
    match found.into_iter().flatten().min() {
        Some((at, word)) => Err(refusal(source, at, word)),
        None => Ok(()),
    }
}

/// The first place where `word` stands by itself and what follows makes it count.
fn find(source: &str, word: &'static str, counts: fn(char) -> bool) -> Option<(usize, &'static str)> {
    let stands = |at: usize| {
        let (before, after) = source.split_at_checked(at)?;
        let after = after.strip_prefix(word)?;
        let alone = !before.ends_with(part_of_a_name) && !after.starts_with(part_of_a_name);
        let next = after.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').chars().next()?;
        (alone && counts(next)).then_some((at, word))
    };
    source.match_indices(word).find_map(|(at, _)| stands(at))
}

/// Only what surely belongs to a name in the engine's eyes too.
fn part_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// After `async`, everything but the marks that make it a plain name.
fn may_begin_a_function(next: char) -> bool {
    !":,;)]}=.!&|?+-<>".contains(next)
}

/// After `import`, a call, or a comment before it.
fn may_begin_a_call(next: char) -> bool {
    next == '(' || next == '/'
}

fn refusal(source: &str, at: usize, word: &'static str) -> IsolateError {
    let before = source.get(..at).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    IsolateError::Forbidden { word, line: number(line), column: number(column) }
}

#[cfg(test)]
mod tests {
    use super::{IsolateError, check};

    #[test]
    fn words_that_could_wait_or_load_are_found() {
        for source in [
            "async function f() {}",
            "x = async\u{a0}() => 1",
            "({ async *f() {} })",
            "({ async 'f'() {} })",
            "({ async [1]() {} })",
            "class A { async #f() {} }",
            "async/**/function f() {}",
            "async // c\n",
            "é async x => 1",
            "import('x')",
            "import /* c */ ('x')",
            "import\n\u{feff}(",
            "\\async (x)",
        ] {
            assert!(check(source).is_err(), "{source}");
        }
    }

    #[test]
    fn other_uses_are_let_through() {
        for source in ["{ async: 1 }", "asynchronous (x)", "x_async (y)", "imports (x)", "the import of goods", "async"]
        {
            assert_eq!(check(source), Ok(()), "{source}");
        }
    }

    #[test]
    fn the_first_place_is_named() {
        let Err(IsolateError::Forbidden { word, line, column }) = check("a\n é import('x'); async () => 1") else {
            panic!("not found");
        };
        assert_eq!((line, column), (2, 4));
        assert_eq!(word, "import");
    }
}
