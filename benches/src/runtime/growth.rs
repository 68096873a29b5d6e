//! Looking at one run among few and among many: neither listing, showing nor verifying may grow with the others.

use super::{Bench, Outcome, folder, plans};
use crate::table::{Table, median, times};
use deed_model::{RunEvent, RunRecord};
use deed_ports::{JournalRead, JournalWrite, StoreError};
use deed_runtime::RunState;
use deed_store::RunStore;
use std::error::Error;
use std::path::Path;
use std::time::Duration;

const FEW: u64 = 10;
const MANY: u64 = 2_000;
/// As many as a listing shows.
const LISTED: usize = 20;

/// The times of the three among so many runs.
struct Times {
    list: Duration,
    show: Duration,
    verify: Duration,
}

/// Lists, shows and verifies among 10 and among 2,000 runs.
pub(crate) fn growth(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let few = among(FEW, &folder.path().join("few"))?;
    let many = among(MANY, &folder.path().join("many"))?;
    for (what, few, many) in [
        ("list the newest of 2,000 runs", few.list, many.list),
        ("find and load one of 2,000 runs", few.show, many.show),
        ("find and verify the journal of one of 2,000 runs", few.verify, many.verify),
    ] {
        let ratio = times(many, few);
        let against = format!("among 10 runs {:.0} us", few.as_secs_f64() * 1e6);
        table.row(what, many, &against, format!("{ratio:.2}x the time"), "at most 2x", ratio <= 2.0);
    }
    Ok(())
}

fn among(runs: u64, folder: &Path) -> Result<Times, Box<dyn Error>> {
    let bench = Bench::open(folder)?;
    let run_id = bench.submit(&plans::adapters(1, 1), 1)?;
    let Some(first) = bench.store.events(&run_id, 0)?.into_iter().next() else { return Err("no run".into()) };
    bench.drive(&run_id)?;
    for number in 1..runs {
        let name = format!("run-{number:05}");
        bench.store.create(&name, renamed(&first.record, &name)?)?;
    }
    let list = median(15, 4, || listed(&bench.store));
    let show = median(15, 4, || {
        let found = bench.store.beginning(&run_id, 2)?;
        bench.store.events(&run_id, 0).map(|events| (found.len(), events.len()))
    });
    let verify = median(15, 4, || bench.store.verify_run(&run_id));
    Ok(Times { list, show, verify })
}

/// What `deed runs list` reads, with as many lines in either case.
fn listed(store: &RunStore) -> Result<usize, StoreError> {
    let total = store.count()?;
    let mut steps = usize::try_from(total).unwrap_or(usize::MAX);
    // Among few there are fewer lines: each is read as often as fills the page.
    let newest = store.newest(LISTED)?;
    for listing in newest.iter().cycle().take(LISTED) {
        let entries = store.events(&listing.run_id, 0)?;
        steps = steps.saturating_add(RunState::of(entries.iter().map(|entry| &entry.record.event)).steps.len());
    }
    Ok(steps)
}

fn renamed(record: &RunRecord, name: &str) -> Result<RunRecord, Box<dyn Error>> {
    let RunEvent::Submitted { run } = &record.event else { return Err("the first event is another".into()) };
    let mut run = run.clone();
    run.run_id = name.to_owned();
    Ok(RunRecord { event: RunEvent::Submitted { run }, ..record.clone() })
}
