//! The outputs of a script, taken path by path, and the first reason to refuse them.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::{IsolateError, cut};

/// The maximum number of undeclared paths that an error names.
const MOST_NAMED: usize = 16;
/// The maximum length of each.
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
    /// Creates empty outputs; only `declared` paths may be added.
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

    /// Returns whether `path` may be written. All paths are checked before the first is added.
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

    /// Adds one file; returns `false` if it does not fit.
    pub(crate) fn put(&mut self, path: String, bytes: Vec<u8>) -> bool {
        if !self.fits(bytes.len()) {
            return false;
        }
        self.used += bytes.len();
        self.files.insert(path, bytes);
        true
    }

    /// Refuses the return value; the first reason counts.
    pub(crate) fn refuse(&mut self, why: &str) {
        self.refusal.get_or_insert_with(|| IsolateError::BadReturn { why: cut(why, 2_000) });
    }

    /// The reason the outputs are refused, if they are.
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
