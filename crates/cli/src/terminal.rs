//! Properties of the terminal: colour, and the width of a line. Pipes and files get every character and no colour.

use clap::ValueEnum;
use console::Term;
use deed_canon::ContentHash;
use std::ffi::OsStr;
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
/// Help texts are no wider than this.
const MOST_HELP: usize = 100;

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

/// Returns the columns to print for: as `COLUMNS` says, or of the terminal; none for pipes and files without it.
pub(crate) fn width(stream: Stream) -> Option<usize> {
    let term = match stream {
        Stream::Stdout => Term::stdout(),
        Stream::Stderr => Term::stderr(),
    };
    let of_terminal = || is_terminal(stream).then(|| usize::from(term.size().1));
    asked_width(std::env::var_os("COLUMNS").as_deref()).or_else(of_terminal)
}

/// Returns the columns of help texts, which are broken for pipes too.
pub(crate) fn help_width() -> usize {
    width(Stream::Stdout).unwrap_or(MOST_HELP).clamp(LEAST_WIDTH, MOST_HELP)
}

/// The columns that a variable asks for; none if it is not a number that is more than zero.
fn asked_width(columns: Option<&OsStr>) -> Option<usize> {
    columns?.to_str()?.trim().parse().ok().filter(|columns| *columns > 0)
}

/// Breaks lines that are too long for the terminal; text for pipes and files stays as it is.
pub(crate) fn fit(stream: Stream, text: &str) -> String {
    match width(stream) {
        Some(width) => fit_to(text, width),
        None => text.to_owned(),
    }
}

/// Fills the paragraphs of a Markdown page again, where its lines are too long for the terminal.
pub(crate) fn filled(stream: Stream, page: &str) -> String {
    match width(stream) {
        Some(width) if page.lines().any(|line| shown_width(line) > width) => filled_to(page, width),
        Some(_) | None => page.to_owned(),
    }
}

fn filled_to(page: &str, width: usize) -> String {
    let mut paragraphs: Vec<(String, Keep)> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for line in page.lines() {
        let is_fence = line.starts_with("```");
        let begins = is_code || is_fence || begins_block(line);
        match paragraphs.last_mut() {
            Some((paragraph, _)) if is_open && !begins => paragraph.extend([" ", line.trim_start()]),
            Some(_) | None => {
                let is_kept = is_code || is_fence || line.starts_with(['|', ' ']);
                paragraphs.push((line.to_owned(), if is_kept { Keep::Line } else { Keep::Words }));
            }
        }
        is_code ^= is_fence;
        is_open = !is_code && !is_fence && !line.is_empty() && !line.starts_with(['#', '|']);
    }
    let mut out = String::new();
    for (paragraph, keep) in paragraphs {
        if shown_width(&paragraph) <= width || width < LEAST_WIDTH || keep == Keep::Line {
            out.push_str(&paragraph);
        } else {
            let hanging = if paragraph.starts_with("- ") { 2 } else { 0 };
            broken(&mut out, &paragraph, (0, hanging), width);
        }
        out.push('\n');
    }
    out
}

/// What stays of a part of a page where the terminal is narrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Keep {
    /// The line: it is code, or a row.
    Line,
    /// The words, in other lines.
    Words,
}

/// Returns whether a line of Markdown does not continue the paragraph before it.
fn begins_block(line: &str) -> bool {
    let numbered = line.split_once(". ").is_some_and(|(number, _)| number.chars().all(|c| c.is_ascii_digit()));
    line.is_empty() || line.starts_with(['#', '|']) || line.starts_with("- ") || numbered
}

/// Breaks the lines of a rendered report, but not those that show a source with its marks beneath.
pub(crate) fn fit_report(stream: Stream, text: &str) -> String {
    match width(stream) {
        Some(width) => text.split_inclusive('\n').map(|line| report_line(line, width)).collect(),
        None => text.to_owned(),
    }
}

fn report_line(line: &str, width: usize) -> String {
    let plain = console::strip_ansi_codes(line);
    let margin = plain.trim_start().trim_start_matches(|c: char| c.is_ascii_digit()).trim_start();
    if margin.starts_with('|') { line.to_owned() } else { fit_to(line, width) }
}

/// Breaks lines that are wider than so many columns.
fn fit_to(text: &str, width: usize) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (line, ending) = line.strip_suffix('\n').map_or((line, ""), |line| (line, "\n"));
        // A path or a hash that has a line for itself is copied whole.
        let is_word = !line.trim().contains(' ');
        if shown_width(line) <= width || width < LEAST_WIDTH || is_word {
            out.push_str(line);
        } else {
            let indent = line.chars().take_while(|c| *c == ' ').count();
            broken(&mut out, line, (indent, continuation(line, indent, width)), width);
        }
        out.push_str(ending);
    }
    out
}

/// The column in which a broken line continues: beneath the last of its cells that begins in the left half, or two to the
/// right of its beginning, where a word would not fit beneath the cell or there are no cells.
fn continuation(line: &str, indent: usize, width: usize) -> usize {
    let mut cell = None;
    let (mut at, mut blanks) = (0, 0);
    for word in line.split(' ') {
        if word.is_empty() {
            blanks += 1;
        } else {
            if blanks > 0 && at > indent && at <= width / 2 {
                cell = Some(at);
            }
            blanks = 0;
        }
        at += shown_width(word) + 1;
    }
    // A line that begins far to the right continues further left.
    let least = (indent + 2).min(width / 2);
    let widest = line.split(' ').map(shown_width).max().unwrap_or(0);
    cell.filter(|cell| cell + widest <= width).unwrap_or(least)
}

/// Breaks one line between words, and within a word that is wider than a line. The first line is indented by the first
/// number, the others by the second.
fn broken(out: &mut String, line: &str, (indent, hanging): (usize, usize), width: usize) {
    let words: Vec<(&str, usize)> = line.trim_start().split(' ').map(|word| (word, shown_width(word))).collect();
    let mut rest: usize = words.iter().map(|(_, length)| length + 1).sum();
    let (mut at, mut blanks) = (0, 0);
    for (index, &(word, length)) in words.iter().enumerate() {
        // Cells of the right half that do not fit begin a line of their own, where nothing is beneath them to align with.
        if blanks > 0 && !word.is_empty() && at >= width / 2 && at + rest > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            let cells = words.get(index..).unwrap_or(&[]).split(|(word, _)| word.is_empty());
            let cells = cells.map(|cell| cell.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(" "));
            let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
            return broken(out, &cells.join("  "), (hanging, hanging), width);
        }
        blanks = if word.is_empty() { blanks + 1 } else { 0 };
        rest -= length + 1;
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
    fn a_word_that_has_a_line_for_itself_stays_whole() {
        let hash = format!("sha256:{}\n", "ab".repeat(32));
        assert_eq!(fit_to(&hash, 40), hash);
    }

    #[test]
    fn paragraphs_are_filled_and_code_is_kept() {
        let page = "# A title\n\nOne paragraph that is written in lines which are\ntoo long here.\n\n- an item that is too long for a line\n  and goes on\n- another\n\n```console\ndeed run plan.yaml --with a-long-option and more\n```\n";
        let filled = "# A title\n\nOne paragraph that is written in lines\nwhich are too long here.\n\n- an item that is too long for a line\n  and goes on\n- another\n\n```console\ndeed run plan.yaml --with a-long-option and more\n```\n";
        assert_eq!(filled_to(page, 40), filled);
    }

    #[test]
    fn cells_continue_beneath_themselves() {
        let row = "support    refunds of customers that were asked for within thirty days\n";
        let expected =
            "support    refunds of customers that\n           were asked for within thirty\n           days\n";
        assert_eq!(fit_to(row, 40), expected);
        // A word that does not fit beneath its cell begins further left.
        let row = format!("copy       of  {}  sha256:{}\n", "x".repeat(20), "0".repeat(36));
        let expected = format!("copy       of  {}\n  sha256:{}\n", "x".repeat(20), "0".repeat(36));
        assert_eq!(fit_to(&row, 46), expected);
    }

    #[test]
    fn a_last_cell_that_does_not_fit_begins_a_line() {
        let row = "a-name-that-is-long@v1           Says what is meant by it\n";
        assert_eq!(fit_to(row, 50), "a-name-that-is-long@v1\n  Says what is meant by it\n");
        let row = "  done  adapt:input/expenses.csv:to_rows.v1  1 file\n";
        assert_eq!(fit_to(row, 46), "  done  adapt:input/expenses.csv:to_rows.v1\n        1 file\n");
        let row = "operator_auditor/max_tokens    8192               profile     shipped.yaml:37\n";
        assert_eq!(fit_to(row, 50), "operator_auditor/max_tokens\n  8192  profile  shipped.yaml:37\n");
    }

    #[test]
    fn marks_stay_beneath_their_source() {
        let source = format!("12 | {}\n   | {}^^^\n", "x ".repeat(40), " ".repeat(60));
        let shown: String = source.split_inclusive('\n').map(|line| report_line(line, 40)).collect();
        assert_eq!(shown, source);
        let help = report_line("  = help: write a number in each row of the table\n", 40);
        assert_eq!(help, "  = help: write a number in each row of\n    the table\n");
    }

    #[test]
    fn only_a_number_asks_for_columns() {
        let asked = |text: &str| asked_width(Some(OsStr::new(text)));
        assert_eq!(
            [asked("80"), asked(" 60 "), asked("0"), asked("-1"), asked("wide")],
            [Some(80), Some(60), None, None, None]
        );
        assert_eq!(asked_width(None), None);
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
