//! The progress of a long command, on a terminal alone.

use crate::terminal::{self, Stream};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar over so many bytes, or a count if the size is not known.
pub(crate) fn bar(bytes: Option<u64>) -> ProgressBar {
    if !terminal::is_terminal(Stream::Stderr) || terminal::is_dumb() {
        return ProgressBar::hidden();
    }
    let (bar, template) = match bytes {
        Some(bytes) => (ProgressBar::new(bytes), "{wide_bar} {percent}% {msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}"),
    };
    bar.set_draw_target(ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
