//! Contracts at work: a sandbox around Python, the harness around a step, steps with a durable journal, calls through
//! the bridge, receipts of a large table, and a run taken up again.

mod calls;
mod growth;
mod plans;
mod world;

pub(crate) use calls::calls;
pub(crate) use growth::growth;

use crate::table::{Table, median, times};
use deed_canon::ContentHash;
use deed_model::{RunEvent, RunOptions, RunRecord, SandboxDemand};
use deed_ports::{Engine, JournalWrite, Observer, Standing, Wait};
use deed_receipts::{InspectLimits, inspect};
use deed_runtime::{LocalEngine, Submission, prepare};
use deed_sandbox::{Bind, Control, Ended, Job, Language, ProbeOptions, Tools, find_interpreter, probe};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use world::Bench;

type Outcome = Result<(), Box<dyn Error>>;

/// A folder on the disk that is measured.
fn folder() -> std::io::Result<tempfile::TempDir> {
    tempfile::tempdir_in("target")
}

/// Python in the sandbox, and in the whole harness.
pub(crate) fn sandbox(table: &mut Table) -> Outcome {
    let folder = folder()?;
    sandboxed(table, folder.path())?;
    harness(table, folder.path())
}

/// Python that does nothing, as anyone would start it.
fn bare(python: &Path, script: &Path) -> Result<Duration, Box<dyn Error>> {
    let began = Instant::now();
    let mut command = Command::new(python);
    command.args(["-B", "-s"]).arg(script).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.output()?;
    Ok(began.elapsed())
}

/// Python that does nothing, in the sandbox and bare, one after the other.
fn sandboxed(table: &mut Table, folder: &Path) -> Outcome {
    let python = find_interpreter(Language::Python, None, &deed_sandbox::PrivatePaths::default())?;
    let tools = Tools::prepare(&folder.join("tools"))?;
    let probe = probe(&tools, &ProbeOptions::default());
    let stage = folder.canonicalize()?.join("stage");
    for part in ["work", "output", "meta"] {
        fs::create_dir_all(stage.join(part))?;
    }
    fs::write(stage.join("meta/main.py"), "pass\n")?;
    let bind = |part: &str| Bind { host: stage.join(part), inside: Path::new("/workspace").join(part) };
    let job = Job {
        interpreter: python.clone(),
        args: vec!["-B".into(), "-s".into(), "/workspace/meta/main.py".into()],
        stage: stage.clone(),
        own_folder: None,
        inputs: Vec::new(),
        writable: vec![bind("work"), bind("output")],
        meta: Some(stage.join("meta")),
        bridge: None,
        proxy: None,
        ca: None,
        env: BTreeMap::new(),
    };
    let plan = deed_sandbox::plan(&job, &SandboxDemand::default(), &probe).map_err(|refusal| refusal.to_string())?;
    let (mut inside, mut outside) = (Vec::new(), Vec::new());
    for _ in 0..60 {
        let began = Instant::now();
        let outcome = deed_sandbox::run(&plan, &Control::new());
        inside.push(began.elapsed());
        if outcome.ended != Ended::Exited(0) {
            return Err(format!("the sandbox ended otherwise: {:?}", outcome.ended).into());
        }
        outside.push(bare(&python.executable, &stage.join("meta/main.py"))?);
    }
    let (ours, bare) = (middle(inside), middle(outside));
    let more = ours.saturating_sub(bare);
    table.row(
        &format!("python in the sandbox ({})", probe.level),
        ours,
        &format!("bare python {:.1} ms", bare.as_secs_f64() * 1e3),
        format!("{:.1} ms more", more.as_secs_f64() * 1e3),
        "at most 8 ms more",
        more <= Duration::from_millis(8),
    );
    Ok(())
}

fn middle(mut all: Vec<Duration>) -> Duration {
    all.sort_unstable();
    all.get(all.len() / 2).copied().unwrap_or_default()
}

/// Everything around a step that does nothing but write its output. Runs of a few steps stand between as many bare
/// Pythons, since the machine is faster at one time than at another.
fn harness(table: &mut Table, folder: &Path) -> Outcome {
    const STEPS: usize = 10;
    let bench = Bench::open(&folder.join("harness"))?;
    let python = find_interpreter(Language::Python, None, &deed_sandbox::PrivatePaths::default())?;
    let script = folder.join("bare.py");
    fs::write(&script, "pass\n")?;
    let plan = plans::python(STEPS);
    bench.run(&plan, 1)?;
    let (mut steps, mut outside) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        steps.push(bench.run(&plan, 1)? / STEPS as u32);
        let alone = (0..STEPS).map(|_| bare(&python.executable, &script)).sum::<Result<Duration, _>>()?;
        outside.push(alone / STEPS as u32);
    }
    let (each, bare) = (middle(steps), middle(outside));
    let more = each.saturating_sub(bare);
    table.row(
        "a no-op Python step, whole harness",
        each,
        &format!("bare python {:.1} ms", bare.as_secs_f64() * 1e3),
        format!("{:.1} ms more", more.as_secs_f64() * 1e3),
        "at most 15 ms more",
        more <= Duration::from_millis(15),
    );
    Ok(())
}

/// Native steps with a durable journal, one after another and sixteen at a time.
pub(crate) fn steps(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let folder = folder.path();
    let floor = synchronous(folder)?;
    for (lanes, parallel, least, aim) in [(1, 1, 800.0, "at least 800/s"), (16, 16, 1600.0, "at least 1,600/s")] {
        let bench = Bench::open(&folder.join(format!("native{lanes}")))?;
        let steps = 480;
        let took = bench.run(&plans::adapters(lanes, steps / lanes), parallel)?;
        let rate = steps as f64 / took.as_secs_f64();
        table.row(
            &format!("native steps, {parallel} at a time"),
            took / steps as u32,
            &format!("a synchronous write {:.0} us", floor.as_secs_f64() * 1e6),
            format!("{rate:.0}/s"),
            aim,
            rate >= least,
        );
    }
    Ok(())
}

/// Four KiB written and synced, on the disk that the journal is on.
fn synchronous(folder: &Path) -> Result<Duration, Box<dyn Error>> {
    let file = File::create(folder.join("floor"))?;
    let block = vec![7; 4096];
    file.write_all_at(&vec![0; 4096 * 64], 0)?;
    file.sync_all()?;
    let mut at = 0;
    Ok(median(200, 1, || {
        at = (at + 1) % 64;
        file.write_all_at(&block, at * 4096).and_then(|()| file.sync_data())
    }))
}

/// Calls from inside the sandbox, each judged by a rule, proved and written down; as Python sees them.
pub(crate) fn bridge(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let bench = Bench::open(&folder.path().join("bridge"))?;
    bench.run(&plans::calls(2_000), 1)?;
    let told = bench.output("output/times.json")?;
    let microseconds = |name: &str| told.get(name).and_then(serde_json::Value::as_f64).unwrap_or(f64::MAX);
    let p50 = Duration::from_secs_f64(microseconds("p50_us") / 1e6);
    table.row(
        "a bridge call with journalled proof",
        p50,
        &format!("an empty question {:.0} us", microseconds("floor_us")),
        format!("p99 {:.0} us", microseconds("p99_us")),
        "p50 at most 300 us",
        p50 <= Duration::from_micros(300),
    );
    Ok(())
}

/// A run whose journal has ten thousand events is taken up, and its last step done.
pub(crate) fn resume(table: &mut Table) -> Outcome {
    let folder = folder()?;
    let bench = Bench::open(&folder.path().join("resume"))?;
    let run_id = bench.submit(&plans::adapters(1, 1), 1)?;
    let record = |done: u64| RunRecord {
        version: 1,
        at: "2026-11-15T00:00:00Z".to_owned(),
        event: RunEvent::Progress { step: "lane-00-000".to_owned(), done, total: Some(10_000), note: None },
    };
    bench.store.append(&run_id, (0..10_000).map(record).collect(), Wait::Durable)?;
    let began = Instant::now();
    bench.drive(&run_id)?;
    let took = began.elapsed();
    table.row(
        "take up a run of 10,000 events",
        took,
        "nothing to compare",
        format!("{:.1} us an event", took.as_secs_f64() * 1e2),
        "below 200 ms",
        took < Duration::from_millis(200),
    );
    Ok(())
}

/// A large table, looked into and hashed in one go, against hashing and reading it one after the other.
pub(crate) fn receipts(table: &mut Table) -> Outcome {
    let folder = folder()?;
    const BYTES: u64 = 1 << 30;
    let path = folder.path().join("large.csv");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&path)?);
    writeln!(out, "entry_id,person,client,worked_on,hours,rate,note")?;
    let (mut written, mut row) = (0u64, 0u64);
    while written < BYTES {
        let line = format!(
            "TE-{row:09},person-{},client-{},2026-0{}-1{},{}.5,{}.25,\"some, words about {}\"\n",
            row % 977,
            row % 53,
            1 + row % 9,
            row % 10,
            row % 9,
            80 + row % 120,
            row % 1009
        );
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        row += 1;
    }
    out.flush()?;
    let began = Instant::now();
    let found = inspect(&mut File::open(&path)?, None, &InspectLimits::default())?;
    let ours = began.elapsed();
    let began = Instant::now();
    let hash = hash(&path)?;
    let mut reader = csv::Reader::from_path(&path)?;
    let mut record = csv::ByteRecord::new();
    let mut rows = 0u64;
    while reader.read_byte_record(&mut record)? {
        rows += 1;
    }
    let floor = began.elapsed();
    if hash != found.sha256 || rows != row {
        return Err("the receipt is not right".into());
    }
    table.row(
        "receipt of a CSV of 1 GiB",
        ours,
        &format!("hash it, then read it {:.1} s", floor.as_secs_f64()),
        format!("{:.2}x the speed", times(floor, ours)),
        "at least half the speed",
        times(floor, ours) >= 0.5,
    );
    fs::remove_file(path)?;
    Ok(())
}

fn hash(path: &Path) -> Result<ContentHash, Box<dyn Error>> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer)?;
        match buffer.get(..count) {
            Some(part) if !part.is_empty() => hasher.update(part),
            _ => break,
        }
    }
    Ok(ContentHash::of_digest(hasher.finalize().into()))
}

/// Nobody watches.
struct Nobody;

impl Observer for Nobody {
    fn happened(&self, _: &RunEvent) {}
}

impl Bench {
    /// Submits a plan and gives the name of its run.
    fn submit(&self, plan: &str, parallel: u32) -> Result<String, Box<dyn Error>> {
        let (compiled, code) = plans::compile(plan)?;
        let submission = Submission {
            plan: &compiled,
            code: &code,
            code_places: Default::default(),
            input: Some(&self.input),
            links: deed_runtime::Links::Refuse,
            private: &[],
            grant: None,
            options: RunOptions { parallel, ..RunOptions::default() },
            actor: "bench",
            run_id: None,
            profile: self.judge.as_ref().map(|(profile, _)| profile),
            candidate: None,
            models: self.judge.as_ref().map(|(_, models)| models),
            workspace: None,
            forked: None,
        };
        let request = prepare(self.engine.world(), &submission)?;
        self.engine.submit(&request)?;
        Ok(request.run_id)
    }

    /// Drives a run to its end.
    fn drive(&self, run_id: &str) -> Outcome {
        match self.engine.drive(run_id, Arc::new(Nobody))? {
            Standing::Ended(deed_model::RunOutcome::Succeeded) => Ok(()),
            other => {
                let (_, state) = self.engine.load(run_id)?;
                Err(format!("the run did not succeed: {other:?} {:?}", state.why).into())
            }
        }
    }

    /// Runs a plan, and says how long that took.
    fn run(&self, plan: &str, parallel: u32) -> Result<Duration, Box<dyn Error>> {
        let run_id = self.submit(plan, parallel)?;
        let began = Instant::now();
        self.drive(&run_id)?;
        Ok(began.elapsed())
    }

    /// An output of the last run.
    fn output(&self, path: &str) -> Result<serde_json::Value, Box<dyn Error>> {
        use deed_ports::{BlobRead, JournalRead};
        let run_id = self.store.runs()?.pop().ok_or("nothing has run")?.run_id;
        let (_, state): (_, deed_runtime::RunState) = LocalEngine::load(&self.engine, &run_id)?;
        let (artifact, _) = state.artifact(path).ok_or("the output is not there")?;
        Ok(serde_json::from_reader(self.store.open(&artifact.sha256)?)?)
    }
}
