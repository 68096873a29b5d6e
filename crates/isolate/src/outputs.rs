//! What the script returned, as it is handed over path by path, and the first reason to refuse it.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{IsolateError, cut};

/// How many undeclared paths an error names.
const MOST_NAMED: usize = 16;
/// How much of each it shows.
const LONGEST_NAME: usize = 200;

/// Outputs so far.
pub(crate) struct Outputs {
    declared: BTreeSet<String>,
    undeclared: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
    used: usize,
    limit: usize,
    refusal: Option<IsolateError>,
}

impl Outputs {
    /// Nothing yet; only `declared` may come.
    pub(crate) fn new(declared: &[String], limit: usize) -> Self {
        Self {
            declared: declared.iter().cloned().collect(),
            undeclared: Vec::new(),
            files: BTreeMap::new(),
            used: 0,
            limit,
            refusal: None,
        }
    }

    /// Returns whether `path` may be written. All paths are asked for before the first is handed over.
    pub(crate) fn declared(&mut self, path: &str) -> bool {
        let known = self.declared.contains(path);
        if !known && self.undeclared.len() < MOST_NAMED {
            self.undeclared.push(cut(path, LONGEST_NAME));
        }
        known
    }

    /// Returns whether `bytes` more would fit. If not, the run is refused.
    pub(crate) fn fits(&mut self, bytes: usize) -> bool {
        let fits = self.used.checked_add(bytes).is_some_and(|total| total <= self.limit);
        if !fits {
            self.refusal.get_or_insert(IsolateError::TooMuchOutput { limit: self.limit });
        }
        fits
    }

    /// Takes one file; `false` if it does not fit.
    pub(crate) fn put(&mut self, path: String, bytes: Vec<u8>) -> bool {
        if !self.fits(bytes.len()) {
            return false;
        }
        self.used += bytes.len();
        self.files.insert(path, bytes);
        true
    }

    /// Refuses the return value; the first reason stands.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.refusal.get_or_insert_with(|| IsolateError::BadReturn { why: cut(why, 2_000) });
    }

    /// Why the outputs are refused, if they are.
    pub(crate) fn refusal(&self) -> Option<IsolateError> {
        if !self.undeclared.is_empty() {
            return Some(IsolateError::Undeclared { paths: self.undeclared.clone() });
        }
        self.refusal.clone()
    }

    /// The files.
    pub(crate) fn take(&mut self) -> BTreeMap<String, Vec<u8>> {
        std::mem::take(&mut self.files)
    }
}
