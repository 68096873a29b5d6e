//! Calls of models beyond the wire: one that is recorded and journalled against the bare exchange with the same server,
//! many streams at once against a client that only reads them, and a call that is answered from a transcript.

mod client;
mod judged;
mod server;

use super::{Bench, Outcome, folder, middle, plans};
use crate::table::{Table, median, times};
use client::{Asker, call};
use deed_llm::{Recorder, Replayer, Transcript, call_key};
use deed_model::{RunEvent, RunRecord};
use deed_ports::{JournalWrite, Model, Wait};
use server::{PIECES, Server, WORD};
use std::fs::File;
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Streams at once.
const STREAMS: usize = 64;
/// Calls that are measured one by one.
const CALLS: usize = 400;
/// Calls of a transcript.
const RECORDED: u64 = 200;

/// Calls of models, alone, many at once, replayed, and from inside a run.
pub(crate) fn calls(table: &mut Table) -> Outcome {
    one(table)?;
    for (what, pieces) in [("64 streams of 120 KB at once", 1_000), ("64 streams of 1.4 MB at once", 12_000)] {
        many(table, what, pieces)?;
    }
    replayed(table)?;
    judged::judged(table)
}

/// One call after another, and between them the same exchange without a client.
fn one(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let bench = Bench::open(&folder.path().join("calls"))?;
    let run_id = bench.submit(&plans::adapters(1, 1), 1)?;
    let journal = Arc::new(client::Journal { store: bench.store.clone(), run_id });
    let server = Server::start(&vec![WORD; PIECES])?;
    let asker = Asker::new(&server, Some(journal.clone()))?;
    let recorder = Recorder::begin(asker.model(), File::create(folder.path().join("bench.transcript"))?)?;
    let asked = call(0)?;
    let body = asker.body(&asked)?;
    let (mut ours, mut bare, mut disk) = (Vec::new(), Vec::new(), Vec::new());
    for occurrence in 0..CALLS as u64 {
        let began = Instant::now();
        journal.event()?;
        black_box(recorder.ask(&asked, occurrence)?);
        journal.event()?;
        ours.push(began.elapsed());
        let began = Instant::now();
        black_box(server.exchange(&body)?);
        bare.push(began.elapsed());
        // What is on disk thrice for each call, alone.
        let began = Instant::now();
        (0..3).try_for_each(|_| journal.event())?;
        disk.push(began.elapsed());
    }
    let (ours, bare, disk) = (middle(ours), middle(bare), middle(disk));
    let more = ours.saturating_sub(bare);
    table.row(
        "a model call beyond the wire, recorded and journalled",
        more,
        &format!("the bare exchange {:.0} us", bare.as_secs_f64() * 1e6),
        format!("{:.2}x", times(ours, bare)),
        "p50 at most 1 ms",
        more <= Duration::from_millis(1),
    );
    table.row(
        "the same, beyond its three durable events",
        more.saturating_sub(disk),
        &format!("three durable events {:.0} us", disk.as_secs_f64() * 1e6),
        format!("{:.2}x", times(more, disk)),
        "-",
        true,
    );
    Ok(())
}

/// Many streams at once on two cores, against a client that only reads the same bytes.
fn many(table: &mut Table, what: &str, pieces: usize) -> Outcome {
    let server = Server::start(&vec![WORD; pieces])?;
    let asker = Asker::new(&server, None)?;
    let asked = call(0)?;
    let body = asker.body(&asked)?;
    let (mut ours, mut bare, mut lost) = (Vec::new(), Vec::new(), 0);
    for _ in 0..5 {
        let began = Instant::now();
        lost += asker.at_once(&asked, STREAMS, server.text())?;
        ours.push(began.elapsed());
        let began = Instant::now();
        lost += asker.bare_at_once(&server, &body, STREAMS)?;
        bare.push(began.elapsed());
    }
    let (ours, bare) = (middle(ours), middle(bare));
    let bytes = (server.length() * STREAMS) as f64 / 1e6;
    let rate = |time: Duration| bytes / time.as_secs_f64().max(f64::MIN_POSITIVE);
    table.row(
        what,
        ours,
        &format!("a client that only reads, {:.0} MB/s", rate(bare)),
        format!("{:.0} MB/s", rate(ours)),
        "none is lost",
        lost == 0,
    );
    Ok(())
}

/// A call that a transcript answers, against computing its key alone.
fn replayed(table: &mut Table) -> Outcome {
    let server = Server::start(&vec![WORD; PIECES])?;
    let asker = Asker::new(&server, None)?;
    let recorder = Recorder::begin(asker.model(), Vec::new())?;
    for number in 0..RECORDED {
        recorder.ask(&call(number)?, 0)?;
    }
    let transcript = Transcript::read(&recorder.finish()?)?;
    let replayer = Replayer::new(&transcript);
    let asked = (0..RECORDED).map(call).collect::<Result<Vec<_>, _>>()?;
    let mut next = asked.iter().cycle();
    let own = median(2_000, 1, || next.next().map(|call| replayer.ask(call, 0).is_ok()));
    let mut next = asked.iter().cycle();
    let floor = median(2_000, 1, || next.next().map(|call| call_key(call, 0).is_ok()));
    table.row(
        "a replayed call of 8 KB",
        own,
        &format!("the key of the call alone {:.1} us", floor.as_secs_f64() * 1e6),
        format!("{:.2}x", times(own, floor)),
        "at most 300 us",
        own <= Duration::from_micros(300),
    );
    Ok(())
}

impl client::Journal {
    /// Writes an event, durably.
    fn event(&self) -> Outcome {
        self.append(RunEvent::Progress { step: "bench".to_owned(), done: 1, total: None, note: None })
            .map_err(Into::into)
    }

    fn append(&self, event: RunEvent) -> Result<(), String> {
        let record = RunRecord { version: 1, at: "2026-11-15T00:00:00Z".to_owned(), event };
        self.store.append(&self.run_id, vec![record], Wait::Durable).map(|_| ()).map_err(|error| error.message)
    }
}
