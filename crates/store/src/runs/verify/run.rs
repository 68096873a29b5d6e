//! Verification of the chain of one run: its events, and its entry in the list of runs.

use super::list::Entry;
use super::{Halt, broken, chain};
use crate::runs::records::{self, Stage};
use deed_canon::ChainHead;
use deed_model::{RunEvent, RunRecord};
use rusqlite::Connection;
use std::cell::Cell;

/// Walks a run and returns the number of its events.
pub(super) fn walk(conn: &Connection, run_id: &str, listed: &Entry) -> Result<u64, Halt> {
    let stage = Cell::new(Stage::Open);
    let show = |head: ChainHead, body: &str| {
        if head.seq == 0 && head.hash != listed.first {
            return Err(broken(run_id, 0, "event 0 was edited: the list of runs names another first event"));
        }
        let record = records::read(run_id, head.seq, body)?;
        fits(run_id, head.seq, &record, stage.get())?;
        stage.set(Stage::after(&record.event));
        Ok(())
    };
    match chain::walk(conn, run_id, show, || stage.get())? {
        Some(end) => {
            sealed(run_id, end, stage.get(), listed.sealed.map(|seal| seal.head))?;
            Ok(end.seq + 1)
        }
        None => {
            let what = format!("the run was removed: link {} of the list of runs names it", listed.link);
            Err(broken(run_id, 0, what))
        }
    }
}

/// Checks that an event may be in this place.
fn fits(run_id: &str, seq: u64, record: &RunRecord, before: Stage) -> Result<(), Halt> {
    if before == Stage::Sealed {
        return Err(broken(run_id, seq, format!("event {seq} was inserted: the run was sealed before it")));
    }
    let what = match &record.event {
        RunEvent::Submitted { run } if seq == 0 && run.run_id == run_id => return Ok(()),
        RunEvent::Submitted { run } if seq == 0 => format!("event 0 is the request of another run, `{}`", run.run_id),
        RunEvent::Submitted { .. } => format!("event {seq} is a second request"),
        _ if seq == 0 => "event 0 is not the request".to_owned(),
        _ => return Ok(()),
    };
    Err(broken(run_id, seq, what))
}

/// Checks that the run ends where the list says that it was sealed.
fn sealed(run_id: &str, end: ChainHead, stage: Stage, listed: Option<ChainHead>) -> Result<(), Halt> {
    match (stage, listed) {
        (Stage::Sealed, Some(head)) if head == end => Ok(()),
        (Stage::Open | Stage::Ended, None) => Ok(()),
        (Stage::Sealed, None) => {
            Err(broken(run_id, end.seq, "the run is sealed, and the list of runs does not say so"))
        }
        (_, Some(head)) if head.seq > end.seq => Err(chain::cut(run_id, end.seq + 1)),
        (_, Some(head)) => {
            Err(broken(run_id, head.seq, format!("event {} is not the seal that the list of runs names", head.seq)))
        }
    }
}
