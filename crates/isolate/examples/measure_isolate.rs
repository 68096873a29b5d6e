//! Measures a run that does nothing: thread, engine, prelude and a trivial module.
#![allow(clippy::disallowed_methods, reason = "measures time")]

use std::time::Instant;

use deed_isolate::{Grants, IsolateFailure, IsolateLimits, run};

fn main() -> Result<(), IsolateFailure> {
    let (given, limits) = (Grants::default(), IsolateLimits::default());
    let mut micros = Vec::new();
    for _ in 0..2_000 {
        let start = Instant::now();
        run("export default () => ({})", &[], &[], &given, &limits)?;
        micros.push(start.elapsed().as_micros());
    }
    micros.sort_unstable();
    let at = |part: usize| micros.get(micros.len() * part / 100).copied().unwrap_or_default();
    println!("trivial module: median {} µs, 5th percentile {} µs, 95th {} µs", at(50), at(5), at(95));
    let start = Instant::now();
    let source = "export default () => { let s = 0; for (let i = 0; i < 40e6; i++) s += i; return {} }";
    let done = run(source, &[], &[], &given, &limits)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} operations in {seconds:.2} s: {:.0} a second",
        done.usage.operations,
        done.usage.operations as f64 / seconds
    );
    Ok(())
}
