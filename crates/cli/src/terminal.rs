//! Properties of the terminal: colour, and the width of a line. Pipes and files get every character and no colour.

use clap::ValueEnum;
use console::Term;
use deed_canon::ContentHash;
use std::io::{self, IsTerminal};
use std::sync::OnceLock;

/// The use of colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A stream that is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// The answer of `--color`, set once before anything is printed.
static COLOUR: OnceLock<When> = OnceLock::new();
/// The beginning of a hash, and its digits.
const HASH: &str = "sha256:";
const WHOLE_HASH: usize = 64;
/// Characters of a hash that stand for it on a terminal.
const SHORT_HASH: usize = 12;
/// Lines are not broken below this width.
const LEAST_WIDTH: usize = 40;

/// Sets when colour is used.
pub(crate) fn set_colour(when: When) {
    // The first answer stands: the command line has one.
    let _ = COLOUR.set(when);
}

/// Returns whether a stream is shown in colour.
pub(crate) fn is_coloured(stream: Stream) -> bool {
    match COLOUR.get().copied().unwrap_or_default() {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            is_terminal(stream) && !is_dumb() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
        }
    }
}

/// Returns whether a person reads a stream.
pub(crate) fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Stdout => io::stdout().is_terminal(),
        Stream::Stderr => io::stderr().is_terminal(),
    }
}

/// Returns whether the terminal cannot move its cursor, so that lines are printed in place of bars.
pub(crate) fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty())
}

/// The colour of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    Good,
    Bad,
    Waiting,
    Active,
    Quiet,
}

/// Colours a word for a state, where the stream shows colour.
pub(crate) fn state(stream: Stream, word: &str) -> String {
    painted(is_coloured(stream), word)
}

/// Returns the change of colour that a text begins with, if [`state`] could have written it.
pub(crate) fn colour_at(text: &str) -> Option<&str> {
    let code = text.strip_prefix("\u{1b}[")?.split_once('m')?.0;
    let own = matches!(code, "0" | "2" | "31" | "32" | "33" | "36");
    if own { text.get(..code.len() + 3) } else { None }
}

fn painted(coloured: bool, word: &str) -> String {
    let tone = match word.trim() {
        "succeeded" | "done" | "approved" | "ok" => Tone::Good,
        "failed" | "rejected" | "interrupted" | "stopped" | "cancelled" | "missing" => Tone::Bad,
        "waiting" | "parked" | "asked" | "retry due" | "remark" | "warning" => Tone::Waiting,
        "running" | "began" | "retrying" | "retry" | "progress" => Tone::Active,
        _ => Tone::Quiet,
    };
    let code = match tone {
        Tone::Good => "32",
        Tone::Bad => "31",
        Tone::Waiting => "33",
        Tone::Active => "36",
        Tone::Quiet => "2",
    };
    if coloured { format!("\u{1b}[{code}m{word}\u{1b}[0m") } else { word.to_owned() }
}

/// Writes a hash: short on a terminal, whole elsewhere.
pub(crate) fn hash(stream: Stream, hash: &ContentHash) -> String {
    with_hashes(stream, &hash.to_string())
}

/// Writes a text with the hashes in it: short on a terminal, whole elsewhere.
pub(crate) fn with_hashes(stream: Stream, text: &str) -> String {
    if is_terminal(stream) { shortened(text) } else { text.to_owned() }
}

/// Shortens every hash in a text.
fn shortened(text: &str) -> String {
    let mut parts = text.split(HASH);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(HASH);
        let digits = part.chars().take_while(char::is_ascii_hexdigit).count();
        match part.get(..SHORT_HASH).zip(part.get(digits..)) {
            Some((short, rest)) if digits == WHOLE_HASH => out.extend([short, "…", rest]),
            Some(_) | None => out.push_str(part),
        }
    }
    out
}

/// Returns the columns of the terminal; none for pipes and files.
pub(crate) fn width(stream: Stream) -> Option<usize> {
    let term = match stream {
        Stream::Stdout => Term::stdout(),
        Stream::Stderr => Term::stderr(),
    };
    is_terminal(stream).then(|| usize::from(term.size().1))
}

/// Breaks lines that are too long for the terminal; text for pipes and files stays as it is.
pub(crate) fn fit(stream: Stream, text: &str) -> String {
    match width(stream) {
        Some(width) => fit_to(text, width),
        None => text.to_owned(),
    }
}

fn fit_to(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (line, ending) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        if shown_width(line) <= width || width < LEAST_WIDTH {
            out.push_str(line);
        } else {
            broken(&mut out, line, width);
        }
        out.push_str(ending);
    }
    out
}

/// Breaks one line between words, and within a word that is wider than a line. What follows is indented by two more
/// than the line.
fn broken(out: &mut String, line: &str, width: usize) {
    // A line that begins far to the right continues further left.
    let indent = line.chars().take_while(|c| *c == ' ').count();
    let hanging = (indent + 2).min(width / 2);
    let mut at = 0;
    for (index, word) in line.trim_start().split(' ').enumerate() {
        let length = shown_width(word);
        if index == 0 {
            out.extend(std::iter::repeat_n(' ', indent));
            at = indent;
        } else if at + 1 + length > width {
            // Blanks that align columns stay with the line that they end.
            let kept = out.trim_end_matches(' ').len();
            out.truncate(kept);
            if word.is_empty() {
                continue;
            }
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', hanging));
            at = hanging;
        } else {
            out.push(' ');
            at += 1;
        }
        if at + length <= width || word.contains('\u{1b}') {
            out.push_str(word);
            at += length;
            continue;
        }
        for c in word.chars() {
            let wide = shown_width(c.encode_utf8(&mut [0; 4]));
            if at + wide > width {
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', hanging));
                at = hanging;
            }
            out.push(c);
            at += wide;
        }
    }
}

/// Cuts a text to so many columns, with `…` in place of the rest.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// The columns that a line takes, colours aside.
fn shown_width(line: &str) -> usize {
    console::measure_text_width(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_break_between_words_and_short_ones_stay() {
        let text = "short\n  spent 1 of 3600 seconds, 0 of 500 governed calls, 0 of 12 bytes out\n";
        let fitted = fit_to(text, 40);
        assert_eq!(fitted, "short\n  spent 1 of 3600 seconds, 0 of 500\n    governed calls, 0 of 12 bytes out\n");
        assert!(fitted.lines().all(|line| line.chars().count() <= 40));
        assert_eq!(fit_to(text, 80), text);
    }

    #[test]
    fn only_whole_hashes_are_shortened() {
        let hash = "ab".repeat(32);
        let text = format!("head week@4:sha256:{hash} and sha256:{hash}, sha256:abc");
        assert_eq!(shortened(&text), "head week@4:sha256:abababababab… and sha256:abababababab…, sha256:abc");
    }

    #[test]
    fn words_wider_than_a_line_are_broken() {
        let fitted = fit_to(&format!("  file {}  from step\n", "x".repeat(60)), 40);
        assert!(fitted.lines().all(|line| line.chars().count() <= 40), "{fitted}");
        assert_eq!(fitted.matches('x').count(), 60);
        assert!(fitted.ends_with("from step\n"), "{fitted}");
    }

    #[test]
    fn colour_takes_no_columns() {
        let line = format!("  {} step", painted(true, "succeeded"));
        assert!(line.contains("\u{1b}[32m"));
        assert_eq!(shown_width(&line), "  succeeded step".len());
        assert_eq!(painted(false, "succeeded"), "succeeded");
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
