//! The limit of the size of files (`ulimit -f`): a write beyond it is an error that is reported, and not the end of this
//! process without a word.

use tokio::signal::unix::{SignalKind, signal};

/// The signal of a write beyond the limit, which ends a process that does not listen to it.
const SIGXFSZ: i32 = 25;

/// Listens to the signal of a write beyond the limit of file sizes, if there is a limit; the write then fails with an error.
/// Programs that this process starts are not affected.
pub fn report_large_writes() {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max file size"));
    if limit.is_none_or(|limit| limit.trim_start().starts_with("unlimited")) {
        return;
    }
    // The handler stays when the reactor that installed it is gone. Without one, the signal ends the process as always.
    if let Ok(reactor) = tokio::runtime::Builder::new_current_thread().enable_io().build() {
        let _entered = reactor.enter();
        let _ = signal(SignalKind::from_raw(SIGXFSZ));
    }
}
