//! Measures what the sandbox costs: the same interpreter bare and sandboxed, in turns, and the medians of both.
//!
//! Wall-clock time is only meaningful on an idle machine; the CPU time of all processes is printed beside it.
//!
//! `cargo run -p deed-sandbox --release --example measure_sandbox [runs]`
#![allow(clippy::disallowed_methods, reason = "a bench reads the clock and starts processes")]

use deed_model::{IsolationLevel, SandboxDemand};
use deed_sandbox::{
    Bind, Control, Ended, Interpreter, Job, Language, PrivatePaths, Probe, ProbeOptions, Tools, find_interpreter, plan,
    probe, run,
};
use nix::sys::resource::{UsageWho, getrusage};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let runs = std::env::args().nth(1).and_then(|runs| runs.parse().ok()).unwrap_or(200);
    let folder = tempfile::tempdir()?;
    let tools = Tools::prepare(&folder.path().join("tools"))?;
    let strong = probe(&tools, &ProbeOptions::default());
    let ungrouped = probe(&tools, &ProbeOptions { without_cgroups: true, ..ProbeOptions::default() });
    print!("{strong}");
    let mut list = vec![
        (find_interpreter(Language::Python, None, &PrivatePaths::default())?, "pass"),
        (find_interpreter(Language::Shell, None, &PrivatePaths::default())?, "true"),
    ];
    list.extend(
        find_interpreter(Language::Python, Some(Path::new("/usr/bin/python3")), &PrivatePaths::default())
            .ok()
            .map(|python| (python, "pass")),
    );
    list.extend(find_interpreter(Language::JavaScript, None, &PrivatePaths::default()).ok().map(|node| (node, "0")));
    println!(
        "{:<40} {:>16} {:>16} {:>16} {:>16}",
        "medians in ms, wall and (cpu)", "bare", "sandbox", "more", "no cgroup"
    );
    for (interpreter, code) in &list {
        row(folder.path(), interpreter, code, [&strong, &ungrouped], runs)?;
    }
    Ok(())
}

fn row(
    folder: &Path,
    interpreter: &Interpreter,
    code: &str,
    probes: [&Probe; 2],
    runs: usize,
) -> Result<(), Box<dyn Error>> {
    let stage = tempfile::tempdir_in(folder)?;
    for name in ["input", "work", "output"] {
        fs::create_dir(stage.path().join(name))?;
    }
    let flag = if interpreter.language == Language::JavaScript { "-e" } else { "-c" };
    let bind = |name: &str| Bind { host: stage.path().join(name), inside: Path::new("/workspace").join(name) };
    let job = Job {
        interpreter: interpreter.clone(),
        args: vec![flag.to_owned(), code.to_owned()],
        stage: stage.path().to_owned(),
        own_folder: None,
        inputs: vec![bind("input")],
        writable: vec![bind("work"), bind("output")],
        meta: None,
        bridge: None,
        proxy: None,
        ca: None,
        env: BTreeMap::new(),
    };
    let demand = SandboxDemand { minimum: IsolationLevel::L1, ..SandboxDemand::default() };
    let [strong, ungrouped] = probes.map(|probe| plan(&job, &demand, probe));
    let (strong, ungrouped) = (strong?, ungrouped?);
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for _ in 0..runs {
        let [bare, full, less] = &mut times;
        bare.push(timed(|| bare_run(interpreter, flag, code))?);
        full.push(timed(|| Ok(run(&strong, &Control::new()).ended == Ended::Exited(0)))?);
        less.push(timed(|| Ok(run(&ungrouped, &Control::new()).ended == Ended::Exited(0)))?);
    }
    let [bare, full, less] = times.map(medians);
    let shown = |(wall, cpu): (f64, f64)| format!("{wall:.2} ({cpu:.2})");
    let more = (full.0 - bare.0, full.1 - bare.1);
    let name = interpreter.executable.display().to_string();
    println!("{name:<40} {:>16} {:>16} {:>16} {:>16}", shown(bare), shown(full), shown(more), shown(less));
    Ok(())
}

/// The same interpreter with the same few variables and pipes, and nothing around it.
fn bare_run(interpreter: &Interpreter, flag: &str, code: &str) -> Result<bool, Box<dyn Error>> {
    let mut command = Command::new(&interpreter.executable);
    command
        .args([flag, code])
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("PYTHONDONTWRITEBYTECODE", "1");
    Ok(command.stdin(Stdio::null()).output()?.status.success())
}

fn timed(what: impl FnOnce() -> Result<bool, Box<dyn Error>>) -> Result<[Duration; 2], Box<dyn Error>> {
    let (begun, before) = (Instant::now(), cpu()?);
    if what()? { Ok([begun.elapsed(), cpu()?.saturating_sub(before)]) } else { Err("a run failed".into()) }
}

/// The CPU of this process and of all that it has waited for.
fn cpu() -> Result<Duration, Box<dyn Error>> {
    let mut sum = Duration::ZERO;
    for who in [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN] {
        let usage = getrusage(who)?;
        for time in [usage.user_time(), usage.system_time()] {
            sum += Duration::from_micros(u64::try_from(time.tv_sec() * 1_000_000 + time.tv_usec())?);
        }
    }
    Ok(sum)
}

fn medians(times: Vec<[Duration; 2]>) -> (f64, f64) {
    (median(times.iter().map(|[wall, _]| *wall).collect()), median(times.iter().map(|[_, cpu]| *cpu).collect()))
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times.get(times.len() / 2).map_or(0.0, |middle| middle.as_secs_f64() * 1000.0)
}
