//! What a text has between quotes and between brackets, found in one pass: a text may hold a hundred thousand of either, and is
//! not searched again for each.

use std::cell::LazyCell;
use std::collections::HashSet;

/// Longer texts are none of those that are looked for.
const LONGEST: usize = 400;

/// The quoted and the bracketed parts of a text.
pub(super) struct Written<'t> {
    quoted: LazyCell<HashSet<&'t str>, Box<dyn FnOnce() -> HashSet<&'t str> + 't>>,
    bracketed: LazyCell<HashSet<&'t str>, Box<dyn FnOnce() -> HashSet<&'t str> + 't>>,
}

impl<'t> Written<'t> {
    /// Prepares to look for texts that may be of interest.
    pub(super) fn of(text: &'t str, may_be: fn(&str) -> bool) -> Self {
        let fits = move |part: &&str| !part.is_empty() && part.len() <= LONGEST && may_be(part);
        let quoted = move || {
            let plain = ['"', '\'', '`'].into_iter().flat_map(|quote| text.split(quote));
            plain.chain(between(text, '“', '”')).filter(fits).collect()
        };
        let bracketed = move || between(text, '[', ']').filter(fits).collect();
        Self { quoted: LazyCell::new(Box::new(quoted)), bracketed: LazyCell::new(Box::new(bracketed)) }
    }

    /// Returns whether a text stands between quotes.
    pub(super) fn has_quoted(&self, part: &str) -> bool {
        self.quoted.contains(part)
    }

    /// Returns whether a text stands between brackets, and is all that does.
    pub(super) fn has_bracketed(&self, part: &str) -> bool {
        self.bracketed.contains(part)
    }
}

fn between(text: &str, open: char, close: char) -> impl Iterator<Item = &str> {
    text.split(open).skip(1).filter_map(move |part| Some(part.split_once(close)?.0))
}
