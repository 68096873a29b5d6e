//! How far a long command has come, for whoever is watching; silent where nobody is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};

/// A bar over so many bytes, or a count if the size is not known.
pub(crate) fn bar(bytes: Option<u64>) -> ProgressBar {
    if !io::stderr().is_terminal() {
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
