//! Measures the inspection of a CSV against its hash and the `csv` crate alone: `measure PATH MEGABYTES`.
//!
//! The file is made if it is not there. Times are the best of three, and the memory is the peak of the process after
//! the looks, which come first.
#![allow(clippy::disallowed_methods, clippy::print_stdout, missing_docs, reason = "a measurement has effects")]

use deed_receipts::{InspectLimits, inspect};
use sha2::{Digest, Sha256};
use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const WORDS: [&str; 12] = [
    "ship", "harbour", "ledger", "north", "copper", "signal", "morning", "river", "account", "letter", "window",
    "stone",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(path), Some(megabytes)) = (arguments.next(), arguments.next()) else {
        return Err("usage: measure PATH MEGABYTES".into());
    };
    let path = Path::new(&path);
    if !path.exists() {
        generate(path, megabytes.parse::<u64>()? << 20)?;
    }
    let bytes = std::fs::metadata(path)?.len();
    let look = best(|| {
        let found = inspect(&mut File::open(path)?, None, &InspectLimits::default())?;
        assert_eq!(found.bytes, bytes);
        Ok(())
    })?;
    let memory = std::fs::read_to_string("/proc/self/status")?;
    let memory = memory.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("VmHWM unknown");
    let hash = best(|| {
        let mut state = Sha256::new();
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 256 << 10];
        while let read @ 1.. = file.read(&mut buffer)? {
            state.update(buffer.get(..read).unwrap_or_default());
        }
        assert_ne!(state.finalize().first(), None);
        Ok(())
    })?;
    let parse = best(|| {
        let mut reader = csv::ReaderBuilder::new().buffer_capacity(256 << 10).from_reader(File::open(path)?);
        let mut record = csv::ByteRecord::new();
        while reader.read_byte_record(&mut record)? {}
        Ok(())
    })?;
    let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!("{} MB, by the clock and by the processor", bytes / 1_000_000);
    for (name, cost) in [("hash", hash), ("csv", parse), ("look", look)] {
        println!("{name:<6} {:>7.0} MB/s {:>7.0} MB/s", speed(cost.wall), speed(cost.processor));
    }
    let ratio = |of: fn(&Cost) -> Duration| (of(&hash) + of(&parse)).as_secs_f64() / of(&look).as_secs_f64();
    println!(
        "ratio  {:>7.2}      {:>7.2}      (0.50 is the aim)",
        ratio(|cost| cost.wall),
        ratio(|cost| cost.processor)
    );
    println!("{memory}");
    Ok(())
}

/// The time of a run: wall-clock, and of all processors together.
#[derive(Clone, Copy)]
struct Cost {
    wall: Duration,
    processor: Duration,
}

/// Time of all threads so far, in steps of ten milliseconds.
fn processor() -> Result<Duration, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let after = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Ok(Duration::from_millis(ticks * 10))
}

fn best(mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Cost, Box<dyn Error>> {
    let mut best = Cost { wall: Duration::MAX, processor: Duration::MAX };
    for _ in 0..3 {
        let (start, before) = (Instant::now(), processor()?);
        run()?;
        best.wall = best.wall.min(start.elapsed());
        best.processor = best.processor.min(processor()?.saturating_sub(before));
    }
    Ok(best)
}

fn generate(path: &Path, bytes: u64) -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut state = 1_u64;
    let mut next = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut written = out.write(b"id,customer,email,amount,quantity,day,at,state,paid,remark\n")? as u64;
    let mut row = String::new();
    for id in 1_u64.. {
        if written >= bytes {
            break;
        }
        let word = |at: u64| WORDS.get(at as usize).copied().unwrap_or_default();
        let (customer, day, month) = (next(500_000), next(28) + 1, next(12) + 1);
        row.clear();
        row.push_str(&format!(
            "{id},customer {customer},c{customer}@mail.test,{}.{:02},{},2024-{month:02}-{day:02},2024-{month:02}-{day:02}T{:02}:{:02}:00Z,{},{},",
            next(9_000), next(100), next(50), next(24), next(60), word(next(4)), next(2) == 0
        ));
        if next(4) == 0 {
            row.push_str(&format!("\"{}, {} and \"\"{}\"\"\"\n", word(next(12)), word(next(12)), word(next(12))));
        } else {
            row.push_str(&format!("{} {} {}\n", word(next(12)), word(next(12)), word(next(12))));
        }
        out.write_all(row.as_bytes())?;
        written += row.len() as u64;
    }
    Ok(out.flush()?)
}
