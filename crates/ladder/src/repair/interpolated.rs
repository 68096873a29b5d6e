//! Strings that another language reads otherwise than JSON does: PHP, Perl and PowerShell put the values of variables into
//! text in double quotes, and leave escapes in single quotes as they are.
//!
//! Their brackets and arrows look like slips of JSON, so a value that has them is read as JSON only where both agree.

use crate::excerpt::excerpt;
use std::ops::Range;

/// Returns whether a value is marked as one of another language and has a string that JSON would read otherwise.
pub(super) fn is_other(text: &str, span: Range<usize>) -> bool {
    let is_shell = excerpt(text, ..span.start).ends_with('@');
    let inner = excerpt(text, span);
    if !is_shell && !inner.contains("=>") {
        return false;
    }
    let (mut has_arrow, mut is_open) = (is_shell, false);
    let mut quote: Option<char> = None;
    let mut before = ' ';
    let mut rest = inner.chars().peekable();
    while let Some(c) = rest.next() {
        let next = rest.peek().copied().unwrap_or(' ');
        match quote {
            None if matches!(c, '"' | '\'')
                && matches!(before, '{' | '[' | '(' | ',' | '=' | '>' | ':' | ';' | '\n') =>
            {
                quote = Some(c);
            }
            None => has_arrow |= c == '=' && next == '>',
            Some(mark) if c == mark => quote = None,
            Some('"') if c == '\\' && !is_shell => {
                rest.next();
            }
            Some('"') => {
                let refers = c == '$' && (next.is_alphabetic() || matches!(next, '_' | '{' | '('));
                is_open |= refers || (is_shell && matches!(c, '`' | '\\'));
            }
            Some(_) if c == '\\' => {
                is_open |= is_shell || !matches!(next, '\\' | '\'');
                rest.next();
            }
            Some(_) => {}
        }
        if !c.is_whitespace() || c == '\n' {
            before = c;
        }
    }
    has_arrow && is_open
}

#[cfg(test)]
mod tests {
    use super::is_other;

    #[test]
    fn strings_of_other_languages_are_told() {
        for (text, start) in [
            (r#"{ title => "a $x" }"#, 0),
            (r"{ title => 'a\nb' }", 0),
            (r#"["title" => "a {$x}"]"#, 0),
            (r#"@{ title = "C:\new" }"#, 1),
            (r#"@{ title = "a`nb" }"#, 1),
        ] {
            assert!(is_other(text, start..text.len()), "{text}");
        }
        for (text, start) in [
            (r#"{ title => "cost $5" }"#, 0),
            (r#"{"title": "a $x"}"#, 0),
            (r#"{"title": "a => $x"}"#, 0),
            (r"{ title: 'a\nb' }", 0),
            (r"{ title => 'it\'s' }", 0),
            (r"@{ title = 'plain' }", 1),
        ] {
            assert!(!is_other(text, start..text.len()), "{text}");
        }
    }
}
