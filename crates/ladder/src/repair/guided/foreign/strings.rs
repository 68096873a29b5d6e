//! Strings of programming languages.

use super::cursor::Cursor;
use std::borrow::Cow;

/// What a quote of a notation stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quote {
    /// Nothing that is read.
    None,
    /// A text with escapes behind backslashes.
    Escaped,
    /// A text with escapes, in which a dollar sign may begin a reference.
    Dollar,
    /// A text with escapes, in which `#{` or `${` begins a reference.
    Braces,
    /// A text in which a backslash escapes a quote or a backslash alone.
    Plain,
    /// The same, where another backslash leaves no reading: other languages write such texts too, and escape more.
    Strict,
    /// A text without escapes, in which a doubled quote is one.
    Doubled,
    /// A text with escapes behind backticks, in which a dollar sign may begin a reference.
    Backtick,
}

/// Reads a string in the given quote, which begins here.
pub(super) fn string<'t>(cursor: &mut Cursor<'t>, quote: Quote) -> Option<Cow<'t, str>> {
    let mark = cursor.bump()?;
    // Three quotes have rules of their own for the lines between them.
    let is_triple =
        cursor.rest().starts_with(mark) && cursor.rest().get(1..).is_some_and(|rest| rest.starts_with(mark));
    if quote == Quote::None || (is_triple && quote != Quote::Doubled) {
        return None;
    }
    let start = cursor.pos;
    let is_plain = |c: char| c != mark && c != '\\' && c != '`' && c != '$' && c != '#' && c != '%' && !c.is_control();
    let plain = cursor.run(is_plain);
    if cursor.peek() == Some(mark) && !cursor.rest().get(mark.len_utf8()..).is_some_and(|rest| rest.starts_with(mark)) {
        cursor.bump();
        return Some(Cow::Borrowed(plain));
    }
    cursor.pos = start;
    let mut out = String::new();
    loop {
        let c = cursor.bump()?;
        match c {
            c if c == mark => {
                let is_doubled = matches!(quote, Quote::Doubled | Quote::Backtick) && cursor.peek() == Some(mark);
                if !is_doubled {
                    return Some(Cow::Owned(out));
                }
                cursor.bump();
                out.push(mark);
            }
            '\n' | '\r' => return None,
            '\\' => match quote {
                Quote::Escaped | Quote::Dollar | Quote::Braces => escape(cursor, &mut out)?,
                Quote::Plain => match cursor.peek() {
                    Some(escaped) if escaped == mark || escaped == '\\' => out.extend(cursor.bump()),
                    _ => out.push('\\'),
                },
                Quote::Strict => out.push(cursor.bump().filter(|escaped| *escaped == mark || *escaped == '\\')?),
                Quote::None | Quote::Doubled | Quote::Backtick => out.push('\\'),
            },
            '`' if quote == Quote::Backtick => out.push(backtick(cursor.bump()?)?),
            '$' if matches!(quote, Quote::Dollar | Quote::Backtick) && refers(cursor.peek(), quote) => return None,
            '$' | '#' | '%' if quote == Quote::Braces && cursor.peek() == Some('{') => return None,
            c => out.push(c),
        }
    }
}

/// Returns whether a reference begins behind a dollar sign.
fn refers(next: Option<char>, quote: Quote) -> bool {
    next.is_some_and(|c| {
        c.is_alphabetic()
            || matches!(c, '_' | '{' | '(')
            || (quote == Quote::Backtick && !c.is_whitespace() && c != '"')
    })
}

/// The character that a backtick of PowerShell escapes.
fn backtick(c: char) -> Option<char> {
    match c {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '`' | '$' | '"' | '\'' => Some(c),
        _ => None,
    }
}

/// An escape behind a backslash that all of these languages write alike.
fn escape(cursor: &mut Cursor<'_>, out: &mut String) -> Option<()> {
    match cursor.bump()? {
        'n' => out.push('\n'),
        't' => out.push('\t'),
        'r' => out.push('\r'),
        c @ ('\\' | '"' | '\'' | '/' | '$') => out.push(c),
        'u' if cursor.take("{") => {
            let digits = cursor.run(|c| c.is_ascii_hexdigit());
            out.push(code(digits)?);
            cursor.take("}").then_some(())?;
        }
        'u' => {
            let first = hex(cursor, 4)?;
            let is_high = (0xd800..0xdc00).contains(&first);
            let whole = if is_high && cursor.take("\\u") {
                let second = hex(cursor, 4)?.checked_sub(0xdc00).filter(|low| *low < 0x400)?;
                0x10000 + ((first - 0xd800) << 10) + second
            } else {
                first
            };
            out.push(char::from_u32(whole)?);
        }
        'U' => out.push(char::from_u32(hex(cursor, 8)?)?),
        // Above ASCII some languages mean a byte, and others a character.
        'x' => out.push(char::from_u32(hex(cursor, 2)?).filter(char::is_ascii)?),
        _ => return None,
    }
    Some(())
}

fn hex(cursor: &mut Cursor<'_>, width: usize) -> Option<u32> {
    let digits = cursor.rest().get(..width)?;
    cursor.pos += width;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
}

fn code(digits: &str) -> Option<char> {
    u32::from_str_radix(digits, 16).ok().and_then(char::from_u32)
}

/// Reads a text between marks that has no escapes, as in `r"…"`, `[[…]]` and Go's backticks.
pub(super) fn raw<'t>(cursor: &mut Cursor<'t>, open: &str, close: &str) -> Option<Cow<'t, str>> {
    cursor.take(open).then_some(())?;
    let rest = cursor.rest();
    let end = rest.find(close)?;
    cursor.pos += end + close.len();
    // A line break, or the indentation behind it, is a matter of the language.
    rest.get(..end).filter(|text| !text.contains(['\n', '\r'])).map(Cow::Borrowed)
}
