//! The progress of a fetch or a start: a bar on a terminal, a line for each stage elsewhere.

use crate::args::Global;
use crate::output::aside;
use crate::progress;
use crate::terminal::{self, Stream};
use deed_app::models::local::LocalProgress;
use indicatif::ProgressBar;
use std::cell::RefCell;

/// The stage that is shown.
#[derive(Default)]
struct Shown {
    stage: String,
    bar: Option<ProgressBar>,
}

/// Shows progress on standard error.
pub(super) struct Display {
    shown: RefCell<Shown>,
    lines: bool,
}

impl Display {
    /// With `--json` there are no lines; a terminal has its bar all the same.
    pub(super) fn new(global: &Global) -> Self {
        let lines = !global.json && !terminal::is_terminal(Stream::Stderr);
        Self { shown: RefCell::new(Shown::default()), lines }
    }

    /// Shows a stage.
    pub(super) fn show(&self, progress: &LocalProgress) {
        let (stage, done, of) = match progress {
            LocalProgress::Engine { package } => (format!("installing the engine {package}"), 0, None),
            LocalProgress::Parts { done, of, bytes } => {
                let size = bytes.div_ceil(1_000_000);
                let plural = if *of == 1 { "package" } else { "packages" };
                let stage = format!("downloading {size} MB in {of} {plural}");
                (stage, as_u64(*done), Some(as_u64(*of)))
            }
            LocalProgress::Joining { done, of } => ("joining".to_owned(), *done, Some(*of)),
            LocalProgress::Checking { done, of } => ("checking the hash".to_owned(), *done, Some(*of)),
            LocalProgress::Loading { model } => (format!("loading {model}"), 0, None),
        };
        let mut shown = self.shown.borrow_mut();
        if shown.stage != stage {
            if let Some(old) = shown.bar.take() {
                old.finish_and_clear();
            }
            if self.lines {
                aside(&stage);
            }
            let bar = progress::bar(of);
            bar.set_message(stage.clone());
            if of.is_none() {
                bar.enable_steady_tick(std::time::Duration::from_millis(100));
            }
            *shown = Shown { stage, bar: Some(bar) };
        }
        if let Some(bar) = &shown.bar {
            bar.set_position(done);
        }
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        if let Some(bar) = self.shown.borrow_mut().bar.take() {
            bar.finish_and_clear();
        }
    }
}

fn as_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}
