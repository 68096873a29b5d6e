//! The two words that a source must not have: `async` before a function, and `import` before a parenthesis.
//!
//! The engine turns anything thrown inside an async function, or while a dynamic import begins, into a promise. That
//! includes the error that ends a script, so a script could run forever with either. The search does not recognise
//! strings and comments, because a parser that differs from the engine could be tricked; it may therefore refuse a
//! harmless text, and never accepts a harmful one.

use crate::error::IsolateError;

/// Refuses a source with a forbidden word, at its first place.
pub(crate) fn check(source: &str) -> Result<(), IsolateError> {
    let found = [find(source, "async", may_begin_a_function), find(source, "import", may_begin_a_call)];
    match found.into_iter().flatten().min() {
        Some((at, word)) => Err(refusal(source, at, word)),
        None => Ok(()),
    }
}

/// The first place of `word`, not part of a longer one, whose next character makes it count.
fn find(source: &str, word: &'static str, counts: fn(char) -> bool) -> Option<(usize, &'static str)> {
    let stands = |at: usize| {
        let (before, rest) = source.split_at(at);
        let (_, after) = rest.split_at(word.len());
        let alone = !before.ends_with(part_of_a_name) && !after.starts_with(part_of_a_name);
        let next = after.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').chars().next()?;
        (alone && counts(next)).then_some((at, word))
    };
    source.match_indices(word).find_map(|(at, _)| stands(at))
}

/// Returns whether a character certainly belongs to a name for the engine too.
fn part_of_a_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// Returns whether a character after `async` may begin a function: any but the marks that make it a plain name.
fn may_begin_a_function(next: char) -> bool {
    !":,;)]}=.!&|?+-<>".contains(next)
}

/// Returns whether a character after `import` may begin a call, or a comment before it.
fn may_begin_a_call(next: char) -> bool {
    next == '(' || next == '/'
}

fn refusal(source: &str, at: usize, word: &'static str) -> IsolateError {
    let (before, _) = source.split_at(at);
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
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
