//! Stable codes and the page that explains each.

use serde::{Serialize, Serializer};
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The codes, one constant for each page under `codes/`.
pub mod codes {
    use super::Code;

    include!(concat!(env!("OUT_DIR"), "/codes.rs"));
}

/// A stable code such as `D0203`. Its values are the constants of [`codes`]; each has a page that explains it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    const fn new(code: &'static str) -> Self {
        Self(code)
    }

    /// Returns the code that is written so; letter case does not matter.
    pub fn parse(text: &str) -> Option<Self> {
        explain(text).map(|page| page.code)
    }

    /// The code as text.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0)
    }
}

/// The explanation of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Page {
    /// The code.
    pub code: Code,
    /// The name of the code's constant in [`codes`].
    #[serde(skip)]
    pub name: &'static str,
    /// One line.
    pub title: &'static str,
    /// The whole page in Markdown.
    pub text: &'static str,
}

fn page(&(code, name, text): &(Code, &'static str, &'static str)) -> Page {
    let heading = text.lines().next().unwrap_or_default();
    let title = heading.split_once(": ").map_or(heading, |(_, title)| title);
    Page { code, name, title, text }
}

/// Returns the page of a code; letter case does not matter.
pub fn explain(code: &str) -> Option<Page> {
    PAGES.iter().find(|(known, ..)| known.as_str().eq_ignore_ascii_case(code)).map(page)
}

/// Returns all pages, by code.
pub fn pages() -> impl Iterator<Item = Page> {
    PAGES.iter().map(page)
}
