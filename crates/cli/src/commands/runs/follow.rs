//! Prints the events of a run as they are recorded, until the run ends or no process drives it.

use super::events::{Filter, line};
use crate::conceal;
use crate::output::Success;
use deed_app::AppError;
use deed_app::runs::{LoadedRun, Status, store_error};
use deed_ports::JournalRead as _;
use deed_runtime::RunState;
use deed_store::RunStore;
use std::io::{self, Write as _};
use std::time::Duration;

/// How often the journal is read while nothing new is in it.
const EVERY: Duration = Duration::from_millis(100);

/// Prints each event as soon as it is there: a line of text, or of JSON.
pub(super) fn follow(store: &RunStore, loaded: LoadedRun, filter: &Filter, json: bool) -> Result<Success, AppError> {
    let LoadedRun { run_id, mut entries, mut state } = loaded;
    let mut all = entries.clone();
    loop {
        for entry in &entries {
            if let Some((data, text)) = line(entry, filter)? {
                let shown = match json {
                    true => format!("{}\n", conceal::value(serde_json::to_value(data).map_err(AppError::internal)?)),
                    false => conceal::text(&text).into_owned(),
                };
                match print(&shown) {
                    // The reader has gone away.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(done()),
                    printed => printed.map_err(|error| AppError::printing(&error))?,
                }
            }
        }
        let status = Status::of(store, &run_id, &state, &all).map_err(|error| store_error(&error))?;
        let from = all.last().map_or(0, |last| last.seq + 1);
        entries = store.events(&run_id, from).map_err(|error| store_error(&error))?;
        if entries.is_empty() {
            if !matches!(status, Status::Running(_)) {
                return Ok(done().remark(format!("{run_id}  {}", status.as_str())));
            }
            std::thread::sleep(EVERY);
        }
        all.extend(entries.iter().cloned());
        state = RunState::of(all.iter().map(|entry| &entry.record.event));
    }
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn done() -> Success {
    Success { bulk: true, ..Success::default() }
}
