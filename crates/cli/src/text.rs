//! Text for people, in which data cannot pass for anything else: no data moves the cursor, turns the direction of what
//! is read, hides characters, or writes a line of its own.

use crate::terminal;
use deed_detect::CharClass;
use std::borrow::Cow;
use std::fmt::{self, Write as _};

/// Writes one line as the macro of the standard library does, with line breaks in its arguments escaped, as is
/// everything else that is not read as it stands. It has the same name so that a command which imports it cannot write
/// a line the other way.
macro_rules! writeln {
    ($out:expr) => {
        $out.write_str("\n")
    };
    ($out:expr, $($args:tt)*) => {
        $out.write_str(&$crate::text::line(format_args!($($args)*)))
    };
}

pub(crate) use writeln;

/// So many of something, in words.
pub(crate) fn count<N: PartialEq + From<u8> + fmt::Display>(number: N, one: &str) -> String {
    match number == N::from(1) {
        true => format!("1 {one}"),
        false => format!("{number} {one}s"),
    }
}

/// One line with its end.
pub(crate) fn line(args: fmt::Arguments<'_>) -> String {
    let text = args.as_str().map_or_else(|| Cow::Owned(args.to_string()), Cow::Borrowed);
    let mut out = match hidden(&text, LineBreaks::Escaped) {
        false => text.into_owned(),
        true => escaped(&text, LineBreaks::Escaped),
    };
    out.push('\n');
    out
}

/// A text of several lines, without anything hidden in it.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    match hidden(text, LineBreaks::Kept) {
        false => Cow::Borrowed(text),
        true => Cow::Owned(escaped(text, LineBreaks::Kept)),
    }
}

/// The meaning of a line break: data, or the end of a printed line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineBreaks {
    Kept,
    Escaped,
}

fn hides(c: char, breaks: LineBreaks) -> bool {
    match CharClass::of(c) {
        CharClass::Bidi | CharClass::Control | CharClass::Invisible => true,
        CharClass::Plain => c == '\n' && breaks == LineBreaks::Escaped,
        // Emoji and many scripts need them.
        CharClass::Joiner | CharClass::Selector => false,
    }
}

fn hidden(text: &str, breaks: LineBreaks) -> bool {
    text.chars().any(|c| hides(c, breaks))
}

/// Escapes as JSON does, so that a document stays one.
fn escaped(text: &str, breaks: LineBreaks) -> String {
    let coloured = terminal::is_coloured(terminal::Stream::Stdout);
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let own = if coloured { terminal::colour_at(rest) } else { None };
        let (taken, after) = rest.split_at_checked(own.map_or(c.len_utf8(), str::len)).unwrap_or((rest, ""));
        rest = after;
        match c {
            _ if own.is_some() || !hides(c, breaks) => out.push_str(taken),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(out, "\\u{unit:04x}");
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_writes_no_line_of_its_own() {
        let mut out = String::new();
        let _ = writeln!(out, "by {}", "eve\n    9  revoked");
        let _ = writeln!(out);
        assert_eq!(out, "by eve\\n    9  revoked\n\n");
    }

    #[test]
    fn one_is_not_many() {
        let counted = [count(0_usize, "row"), count(1_u64, "row"), count(2_i64, "row")];
        assert_eq!(counted, ["0 rows", "1 row", "2 rows"]);
    }

    #[test]
    fn nothing_is_hidden_and_words_stay() {
        assert_eq!(lines("a\u{1b}[31mb\u{202e}c\u{200b}d\r\n"), "a\\u001b[31mb\\u202ec\\u200bd\\r\n");
        assert_eq!(lines("tag \u{e0041}"), "tag \\udb40\\udc41");
        for plain in ["two\nlines\tand a tab", "naïve 日本語 👩\u{200d}🚀 ❤\u{fe0f}", "{\"a\": 1}"] {
            assert_eq!(lines(plain), plain);
        }
    }

    #[test]
    fn json_stays_json() {
        let text = serde_json::to_string(&serde_json::json!({ "k": "a\u{202e}\u{e0041}\u{7f}" })).unwrap();
        let safe = lines(&text);
        assert!(safe.is_ascii());
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&safe).unwrap(),
            serde_json::from_str::<serde_json::Value>(&text).unwrap()
        );
    }
}
