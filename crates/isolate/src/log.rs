//! The output of `console`, up to a limit.

use crate::error::cut;

/// The lines so far.
pub(crate) struct Log {
    lines: Vec<String>,
    left: usize,
    limit: usize,
    full: bool,
}

impl Log {
    /// An empty log of at most `limit` bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { lines: Vec::new(), left: limit, limit, full: false }
    }

    /// Adds a line. Each costs one byte more than it has, so that empty lines reach the limit too.
    pub(crate) fn push(&mut self, line: &str) {
        if self.full {
            return;
        }
        match self.left.checked_sub(line.len() + 1) {
            Some(left) => {
                self.left = left;
                self.lines.push(line.to_owned());
            }
            None => {
                self.full = true;
                self.lines.push(cut(line, self.left));
                self.lines.push(format!("the log was cut after {} bytes", self.limit));
            }
        }
    }

    /// The lines, with a note at the end if some were cut.
    pub(crate) fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.lines)
    }
}
