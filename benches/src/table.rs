//! Measuring, and the table.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Rows of the table.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

struct Row {
    what: String,
    time: Duration,
    against: String,
    ratio: String,
    aim: &'static str,
    met: bool,
}

impl Table {
    /// Adds a row. `met` says whether the aim was reached in this run.
    pub(crate) fn row(
        &mut self,
        what: &str,
        time: Duration,
        against: &str,
        ratio: String,
        aim: &'static str,
        met: bool,
    ) {
        self.rows.push(Row { what: what.to_owned(), time, against: against.to_owned(), ratio, aim, met });
    }

    /// Prints the table.
    pub(crate) fn print(&self) {
        println!("{:<58} {:>10}  {:<46} {:>9}  {:<28} met", "what", "median", "against", "ratio", "aim");
        for row in &self.rows {
            let met = if row.met { "yes" } else { "NO" };
            println!(
                "{:<58} {:>10}  {:<46} {:>9}  {:<28} {met}",
                row.what,
                shown(row.time),
                row.against,
                row.ratio,
                row.aim
            );
        }
    }
}

/// The median time of one call, over rounds of `batch` calls.
pub(crate) fn median<T>(rounds: usize, batch: u32, mut call: impl FnMut() -> T) -> Duration {
    let mut times: Vec<Duration> = (0..rounds)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..batch {
                black_box(call());
            }
            start.elapsed() / batch
        })
        .collect();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// How many times longer `time` is than `floor`.
pub(crate) fn times(time: Duration, floor: Duration) -> f64 {
    time.as_secs_f64() / floor.as_secs_f64().max(f64::MIN_POSITIVE)
}

fn shown(time: Duration) -> String {
    let nanos = time.as_secs_f64() * 1e9;
    match nanos {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} us", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
