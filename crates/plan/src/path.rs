//! Paths of the workspace: relative, plain, and the same however they are spelled.

use std::borrow::Cow;
use unicode_normalization::UnicodeNormalization as _;

/// A path of the workspace.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WorkPath {
    /// As it is in contracts.
    pub(crate) text: String,
    /// The form that is equal for paths that a file system may take for the same.
    pub(crate) folded: String,
}

/// The reason why a text is not a path of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PathFault {
    /// It leads out of the workspace.
    Escapes,
    /// It is not written as paths are.
    Form(&'static str),
}

const LONGEST: usize = 1024;
const LONGEST_PART: usize = 200;
/// A character of private use that no spelling changes.
const STAND_IN: &str = "\u{e000}";

impl WorkPath {
    pub(crate) fn read(text: &str) -> Result<Self, PathFault> {
        if text.trim().is_empty() {
            return Err(PathFault::Form("it is empty"));
        }
        let drive = text.as_bytes().get(1) == Some(&b':') && text.starts_with(|c: char| c.is_ascii_alphabetic());
        if text.starts_with(['/', '\\', '~']) || drive {
            return Err(PathFault::Escapes);
        }
        if text.contains('\\') {
            return Err(PathFault::Form("parts are separated by `/`"));
        }
        if text.chars().any(|c| c.is_control() || is_hidden(c)) {
            return Err(PathFault::Form("it has characters that cannot be seen"));
        }
        if text.len() > LONGEST {
            return Err(PathFault::Form("it is too long"));
        }
        let text = composed(text);
        let mut parts: Vec<&str> = Vec::new();
        for part in text.split('/') {
            match part {
                "" | "." => {}
                ".." => return Err(PathFault::Escapes),
                _ if part.len() > LONGEST_PART => return Err(PathFault::Form("a part of it is too long")),
                _ if part.ends_with(['.', ' ']) || part.starts_with(' ') => {
                    return Err(PathFault::Form("a part of it begins or ends with a space or a dot"));
                }
                _ if part.contains([':', '*', '?', '"', '<', '>', '|']) || is_device(part) => {
                    return Err(PathFault::Form("a part of it means something else on some systems"));
                }
                _ => parts.push(part),
            }
        }
        if parts.is_empty() || text.ends_with('/') {
            return Err(PathFault::Form("it names no file"));
        }
        let text = parts.join("/");
        let folded = match text.is_ascii() {
            true => text.to_ascii_lowercase(),
            // A sigma is written in two ways, by where it stands in a word.
            false => text.nfkc().flat_map(char::to_lowercase).map(|c| if c == 'ς' { 'σ' } else { c }).nfc().collect(),
        };
        Ok(Self { text, folded })
    }

    /// Reads a plain path, or one that names a set by a `*` in its last part.
    pub(crate) fn read_any(text: &str) -> Result<Self, PathFault> {
        if !deed_model::is_set(text) {
            return Self::read(text);
        }
        let (folder, last) = text.rsplit_once('/').unwrap_or(("", text));
        if folder.contains('*') {
            return Err(PathFault::Form("`*` stands in its last part only: sets are not nested"));
        }
        if last.contains("**") || last.matches('*').count() != 1 {
            return Err(PathFault::Form("its last part has one `*`, and no more"));
        }
        if last.contains(STAND_IN) {
            return Err(PathFault::Form("it has characters that cannot be seen"));
        }
        // All else that holds of a path holds of this one.
        let read = Self::read(&text.replace('*', STAND_IN))?;
        Ok(Self { text: read.text.replace(STAND_IN, "*"), folded: read.folded.replace(STAND_IN, "*") })
    }

    /// The folder of the workspace that it lies in.
    pub(crate) fn folder(&self) -> &str {
        self.text.split_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns whether the system keeps it for itself.
    pub(crate) fn is_reserved(&self) -> bool {
        self.folded == "work/adapted" || self.folded.starts_with("work/adapted/")
    }
}

/// Returns what a path has in common with all that a file system may take for the same; none if it is not spelled as paths
/// of contracts are.
pub fn folded_path(path: &str) -> Option<String> {
    WorkPath::read(path).ok().filter(|read| read.text == path).map(|read| read.folded)
}

/// A path that is relative, plain and spelled as contracts spell paths.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NormalPath {
    /// The path.
    pub text: String,
    /// The form that it has in common with all paths that a file system may take for the same.
    pub folded: String,
}

/// Reads a path as plans are read, and spells it as contracts do.
///
/// # Errors
/// The reason why it is not a plain relative path, to follow a subject.
pub fn normal_path(text: &str) -> Result<NormalPath, &'static str> {
    match WorkPath::read(text) {
        Ok(WorkPath { text, folded }) => Ok(NormalPath { text, folded }),
        Err(PathFault::Escapes) => Err("it leads out of its folder"),
        Err(PathFault::Form(why)) => Err(why),
    }
}

/// A path with its letters composed (NFC), as contracts have it.
pub fn composed(path: &str) -> Cow<'_, str> {
    if path.is_ascii() { Cow::Borrowed(path) } else { Cow::Owned(path.nfc().collect()) }
}

/// Names of devices, with or without an ending.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let numbered =
        |name: &str| stem.strip_prefix(name).is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit()));
    matches!(stem.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Marks of direction, joiners, fillers and breaks, which change how a path looks.
fn is_hidden(c: char) -> bool {
    matches!(c, '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2028}' | '\u{2029}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::{PathFault, WorkPath};

    #[test]
    fn spellings_of_one_path_are_one() {
        let path = WorkPath::read("./output//R\u{65}\u{301}sum\u{e9}.HTML").unwrap();
        assert_eq!(path.text, "output/R\u{e9}sum\u{e9}.HTML");
        assert_eq!(path.folded, WorkPath::read("output/r\u{e9}sume\u{301}.html").unwrap().folded);
        assert_eq!(path.folder(), "output");
    }

    #[test]
    fn a_set_has_one_star_in_its_last_part() {
        let set = WorkPath::read_any("./output//Pages/*.HTML").unwrap();
        assert_eq!((set.text.as_str(), set.folded.as_str()), ("output/Pages/*.HTML", "output/pages/*.html"));
        for text in ["output/*/x.html", "output/*/*.html", "output/**", "output/a*b*.html", "output/*.", "*"] {
            assert!(WorkPath::read_any(text).is_err() || text == "*", "{text}");
        }
        assert_eq!(WorkPath::read_any("../*.html"), Err(PathFault::Escapes));
        assert!(WorkPath::read("output/*.html").is_err());
    }

    #[test]
    fn paths_that_escape_are_distinguished_from_malformed_ones() {
        for text in ["/etc/passwd", "../x", "output/../../x", "C:/x", "\\\\host\\share", "~/x"] {
            assert_eq!(WorkPath::read(text), Err(PathFault::Escapes), "{text}");
        }
        for text in ["", "  ", "output/", "output\\x", "output/a\u{202e}b", "output/a.", "output/a\0b", "."] {
            assert!(matches!(WorkPath::read(text), Err(PathFault::Form(_))), "{text:?}");
        }
    }
}
