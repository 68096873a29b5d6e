//! Prints the events of a run as they are recorded, until the run ends or no process drives it.

use super::events::{Filter, line};
use crate::conceal;
use crate::output::{Success, versioned};
use crate::text;
use deed_app::AppError;
use deed_app::runs::{Followed, Follower, LoadedRun};
use deed_store::RunStore;
use std::io::{self, Write as _};

/// Prints each event as soon as it is recorded: a line of text, or of JSON.
pub(super) fn follow(store: &RunStore, loaded: LoadedRun, filter: &Filter, json: bool) -> Result<Success, AppError> {
    let run_id = loaded.run_id.clone();
    let mut follower = Follower::new(store, loaded);
    loop {
        let entries = match follower.next_part()? {
            Followed::Events(entries) => entries,
            Followed::Stopped(status) => return Ok(done().remark(format!("{run_id}  {}", status.as_str()))),
        };
        for entry in &entries {
            let Some((data, text)) = line(entry, filter)? else { continue };
            let shown = match json {
                true => {
                    let data = versioned(serde_json::to_value(data).map_err(AppError::internal)?);
                    format!("{}\n", conceal::value(data))
                }
                false => conceal::text(&text).into_owned(),
            };
            match print(&shown) {
                // The reader has closed the pipe.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(done()),
                printed => printed.map_err(|error| AppError::printing(&error))?,
            }
        }
    }
}

fn print(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text::lines(line).as_bytes())?;
    out.flush()
}

fn done() -> Success {
    Success { bulk: true, ..Success::default() }
}
