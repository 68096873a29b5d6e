//! Stable codes and the page that explains each.

use serde::{Serialize, Serializer};
use std::fmt;

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// A stable code such as `D0203`. Each has a page under `codes/`; a test pairs the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// A code, declared where it is used.
    pub const fn new(code: &'static str) -> Self {
        Self(code)
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
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// The whole page in Markdown.
    pub text: &'static str,
}

fn page((code, text): &(&'static str, &'static str)) -> Page {
    let heading = text.lines().next().unwrap_or_default();
    let title = heading.split_once(": ").map_or(heading, |(_, title)| title);
    Page { code, title, text }
}

/// The page of a code; letter case does not matter.
pub fn explain(code: &str) -> Option<Page> {
    PAGES.iter().find(|(name, _)| name.eq_ignore_ascii_case(code)).map(page)
}

/// All pages, by code.
pub fn pages() -> impl Iterator<Item = Page> {
    PAGES.iter().map(page)
}
