//! The code of a step as its interpreter gets it: under the name of the author's file and with its line numbers, so that
//! tracebacks name what the author wrote.

use super::project::WORKSPACE;
use crate::bridge::{NODE_HOOK, PYTHON_RUNNER};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use deed_model::CodePlace;
use serde_json::json;
use std::path::{Component, Path};

/// The longest name of a file that is used.
const LONGEST_NAME: usize = 200;

/// The code of a step as it is staged.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct StagedCode {
    /// The file in `meta`.
    pub(crate) file: String,
    pub(crate) text: String,
    /// The arguments of the interpreter.
    pub(crate) args: Vec<String>,
}

/// Stages the code of a step for the interpreter of its language.
pub(crate) fn staged(language: &str, source: &str, place: Option<&CodePlace>) -> StagedCode {
    let place = place.filter(|place| is_usable(place));
    match language {
        "python" => python(source, place),
        "javascript" => javascript(source, place),
        _ => shell(source, place),
    }
}

/// Returns whether a place can be the name of a file inside: a path beneath the plan, without characters that would not be shown.
fn is_usable(place: &CodePlace) -> bool {
    let beneath = Path::new(&place.file).components().all(|part| matches!(part, Component::Normal(_)));
    let shown = !place.file.chars().any(char::is_control) && !place.file.starts_with('-');
    beneath && shown && !place.file.is_empty() && place.file.len() <= LONGEST_NAME && place.line > 0
}

fn meta(file: &str) -> String {
    format!("{WORKSPACE}/meta/{file}")
}

/// Empty lines up to the one on which the code begins.
fn lines_before(place: &CodePlace) -> String {
    "\n".repeat(usize::try_from(place.line.saturating_sub(1)).unwrap_or(0))
}

/// Python compiles the code under the author's name.
fn python(source: &str, place: Option<&CodePlace>) -> StagedCode {
    let mut args = vec!["-B".to_owned(), "-s".to_owned()];
    match place {
        Some(place) => args.extend([meta(PYTHON_RUNNER), place.file.clone(), place.line.to_string()]),
        None => args.push(meta("main.py")),
    }
    StagedCode { file: "main.py".to_owned(), text: source.to_owned(), args }
}

/// Node.js reads from a source map which file and which line a line of the program was.
fn javascript(source: &str, place: Option<&CodePlace>) -> StagedCode {
    let mut args = vec!["--require".to_owned(), meta(NODE_HOOK)];
    let mut text = source.to_owned();
    if let Some(place) = place {
        args.insert(0, "--enable-source-maps".to_owned());
        text.push_str("\n//# sourceMappingURL=data:application/json;base64,");
        text.push_str(&BASE64.encode(source_map(source, place)));
        text.push('\n');
    }
    args.push(meta("main.mjs"));
    StagedCode { file: "main.mjs".to_owned(), text, args }
}

/// A shell names the file that it reads.
fn shell(source: &str, place: Option<&CodePlace>) -> StagedCode {
    let (file, text) = match place {
        Some(place) => (format!("code/{}", place.file), lines_before(place) + source),
        None => ("main.sh".to_owned(), source.to_owned()),
    };
    StagedCode { args: vec![meta(&file)], file, text }
}

/// A source map (version 3) that maps each line of the code to its line of the author's file, which lies beside `meta`.
fn source_map(source: &str, place: &CodePlace) -> String {
    let lines = source.lines().count().max(1);
    // A segment has four numbers, each the difference to the one before: column, file, line and column of the author.
    let first = format!("AA{}A", variable_length(place.line.saturating_sub(1)));
    let mappings = first + &";AACA".repeat(lines - 1);
    json!({
        "version": 3, "sources": [format!("../{}", place.file)], "sourcesContent": [lines_before(place) + source],
        "names": [], "mappings": mappings,
    })
    .to_string()
}

/// A number that is not negative in the form of source maps: six bits a letter, the lowest first, the sign in the last bit
/// of the first.
fn variable_length(number: u32) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut left = u64::from(number) << 1;
    let mut text = String::new();
    loop {
        let digit = left & 31;
        left >>= 5;
        let place = usize::try_from(if left > 0 { digit | 32 } else { digit }).unwrap_or(0);
        text.extend(LETTERS.get(place).map(|letter| char::from(*letter)));
        if left == 0 {
            return text;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_source_maps() {
        for (number, text) in [(0, "A"), (1, "C"), (15, "e"), (16, "gB"), (500, "of"), (1000, "w+B")] {
            assert_eq!(variable_length(number), text, "{number}");
        }
    }

    #[test]
    fn a_place_outside_the_plan_is_not_used() {
        for file in ["../a.py", "/etc/passwd", "", "a\n.py", "-c", "./../b.py"] {
            let place = CodePlace { file: file.to_owned(), line: 1 };
            assert_eq!(staged("shell", "true", Some(&place)).file, "main.sh", "{file:?}");
        }
        let place = CodePlace { file: "steps/a.sh".to_owned(), line: 3 };
        let staged = staged("shell", "true", Some(&place));
        assert_eq!((staged.file.as_str(), staged.text.as_str()), ("code/steps/a.sh", "\n\ntrue"));
    }
}
