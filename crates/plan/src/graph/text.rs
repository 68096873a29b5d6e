//! Texts of users, prepared for display: without control characters, shortened to the room there is, and escaped.

use unicode_normalization::char::is_combining_mark;

/// One line without anything that would break out of it: control characters and line ends become spaces, and
/// characters that turn the direction of what follows are left out.
pub(super) fn clean(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {}
            '\u{fffe}' | '\u{ffff}' => line.push('\u{fffd}'),
            c if c.is_control() || c.is_whitespace() => {
                if !line.ends_with(' ') && !line.is_empty() {
                    line.push(' ');
                }
            }
            c => line.push(c),
        }
    }
    line.truncate(line.trim_end().len());
    line
}

/// The width of a character in hundredths of the font size; an estimate that errs on the wide side.
fn advance(c: char) -> u32 {
    match c {
        '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe00}'..='\u{fe0f}' => 0,
        c if is_combining_mark(c) => 0,
        'i' | 'j' | 'l' | 't' | 'f' | 'r' | 'I' | ' ' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | '(' | ')' => 36,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 92,
        'A'..='Z' | '—' | '…' => 70,
        '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{a4cf}' | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' => 104,
        '\u{fe30}'..='\u{fe6f}' | '\u{ff00}'..='\u{ff60}' | '\u{1f000}'..='\u{3ffff}' => 110,
        _ => 58,
    }
}

/// The width of a text at a font size.
pub(super) fn width(text: &str, size: f64) -> f64 {
    f64::from(text.chars().map(advance).sum::<u32>()) * size / 100.0
}

/// As much of a text as there is room for, with an ellipsis if that is not all.
pub(super) fn fit(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - width("…", size);
    let mut kept = String::new();
    let mut used = 0.0;
    for c in text.chars() {
        used += f64::from(advance(c)) * size / 100.0;
        if used > room {
            break;
        }
        kept.push(c);
    }
    // A joiner or a mark has lost what it belongs to.
    let end = kept.trim_end_matches(|c: char| c.is_whitespace() || advance(c) == 0).len();
    kept.truncate(end);
    kept.push('…');
    kept
}

/// A text on at most two lines, broken at a space where there is one.
pub(super) fn lines(text: &str, size: f64, room: f64) -> Vec<String> {
    if width(text, size) <= room {
        return vec![text.to_owned()];
    }
    let (mut used, mut cut, mut space) = (0.0, 0, None);
    for (at, c) in text.char_indices() {
        used += f64::from(advance(c)) * size / 100.0;
        if used > room {
            cut = at;
            break;
        }
        if c == ' ' {
            space = Some((at, used));
        }
    }
    let cut = space.filter(|(_, used)| *used > room * 0.4).map_or(cut, |(at, _)| at);
    let (first, rest) = text.split_at_checked(cut).unwrap_or((text, ""));
    vec![first.trim_end().to_owned(), fit(rest.trim_start(), size, room)]
}

/// Text inside XML, in elements and attributes alike.
pub(super) fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::{clean, fit, lines, width, xml};

    #[test]
    fn lines_hold_no_controls_and_no_turned_text() {
        assert_eq!(clean("  a\r\n\tb\u{0}c\u{202e}d \n"), "a b cd");
        assert_eq!(clean("שלום"), "שלום");
    }

    #[test]
    fn what_is_too_long_ends_in_an_ellipsis_and_fits() {
        for text in [
            "a quite long label for a step",
            "請求書の明細を契約条件と照合する",
            "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}",
        ] {
            let short = fit(text, 10.0, 26.0);
            assert!(short.ends_with('…') && width(&short, 10.0) <= 26.0, "{short}");
        }
        assert_eq!(fit("short", 10.0, 90.0), "short");
        assert_eq!(lines("two words", 10.0, 34.0), ["two", "words"]);
        assert_eq!(lines("", 10.0, 30.0), [""]);
    }

    #[test]
    fn xml_has_no_markup_and_no_forbidden_characters() {
        assert_eq!(xml("<script>&\"'\u{1}"), "&lt;script&gt;&amp;&quot;&#39;\u{fffd}");
    }
}
