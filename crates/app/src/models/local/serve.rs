//! Starts the server of a model, and waits until it answers.
//!
//! The process is noted before it loads anything, so that `stop` finds it whatever happens to the caller. It lives in a
//! session of its own and ends only by `stop`, or with the machine.

use super::catalog::{LocalCatalog, LocalModel};
use super::fetch::{environment, obtain};
use super::process::ProcessIdentity;
use super::progress::{LocalProgress, ProgressSink};
use super::python::{Environment, without_ours};
use super::server::{LocalServer, LocalServerStatus, ServerNote, log, noted};
use super::store::LocalStore;
use super::{engine, weights};
use crate::conceal;
use crate::error::AppError;
use deed_diag::{Diagnostic, Place, codes, quote};
use serde_json::json;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The program that the engine's Python runs.
const PROGRAM: &str = include_str!("server.py");
/// The interval at which a server that starts is asked.
const INTERVAL: Duration = Duration::from_millis(50);
/// The lines of the log that a failure shows.
const SHOWN_LINES: usize = 3;

/// The handling of an engine or a model that is not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// Fetch it.
    Fetch,
    /// Refuse.
    Refuse,
}

/// A server that is to be started.
#[derive(Debug, Clone)]
pub struct LocalServe {
    /// The name of the model.
    pub model: String,
    /// A catalogue in place of the one that ships.
    pub catalog: Option<PathBuf>,
    /// The Python that installs the engine; `python3` if it is left out.
    pub python: Option<PathBuf>,
    /// The port; a free one if it is left out.
    pub port: Option<u16>,
    /// The number of threads; half of the processors if it is left out.
    pub threads: Option<u16>,
    /// The handling of what is not fetched.
    pub missing: Missing,
    /// The seconds that loading the model may take.
    pub timeout_seconds: u64,
}

/// Starts the server of a model. What is missing is fetched first.
///
/// # Errors
/// The model cannot be had, a server of it runs already, the port is taken, or the server does not answer.
pub fn serve(wanted: &LocalServe, progress: ProgressSink<'_>) -> Result<LocalServer, AppError> {
    let catalog = LocalCatalog::load(wanted.catalog.as_deref())?;
    let model = catalog.model(&wanted.model)?;
    let store = LocalStore::of_user()?;
    let _lock = store.lock("lock")?;
    refuse_second(&store, model)?;
    if let Some(port) = wanted.port {
        is_free(port)?;
    }
    let (environment, weights) = match wanted.missing {
        Missing::Refuse => fetched(&store, &catalog, model)?,
        Missing::Fetch => complete(&store, &catalog, model, (wanted, progress))?,
    };
    progress(LocalProgress::Loading { model: model.name.clone() });
    start(&store, model, Start { environment, module: &catalog.engine.module, weights, wanted })
}

/// The parts of a start.
struct Start<'a> {
    environment: Environment,
    module: &'a str,
    weights: PathBuf,
    wanted: &'a LocalServe,
}

fn refuse_second(store: &LocalStore, model: &LocalModel) -> Result<(), AppError> {
    let Some(note) = noted(store, &model.name)? else { return Ok(()) };
    let server = note.server(store);
    if server.status == LocalServerStatus::Ended {
        return note.forget(store);
    }
    let at = server.url.unwrap_or_else(|| "an address that is not known yet".to_owned());
    let message = format!("{} is served already, at {at}", quote(&model.name));
    let help = format!("use it as it is, or stop it: `deed models local stop --model {}`", model.name);
    Err(AppError::refused(Diagnostic::error(codes::LOCAL_SERVER_RUNS, message).stage("model").help(help)))
}

fn is_free(port: u16) -> Result<(), AppError> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).map(drop).map_err(|error| {
        let message = format!("the port {port} of this machine cannot be used: {error}");
        let help = "name another one by `--port N`, or leave the option out for a free one";
        AppError::environment(Diagnostic::error(codes::LOCAL_PORT_TAKEN, message).stage("model").help(help))
    })
}

/// Returns the engine and the weights, or refuses where either is missing.
fn fetched(store: &LocalStore, catalog: &LocalCatalog, model: &LocalModel) -> Result<(Environment, PathBuf), AppError> {
    let both = engine::installed(store, &catalog.engine).zip(weights::checked(store, model));
    both.ok_or_else(|| {
        let message = format!("{} is not fetched, or has changed since its hash was checked", quote(&model.name));
        let help = format!("`deed models local fetch --model {}` fetches and checks it", model.name);
        AppError::refused(Diagnostic::error(codes::LOCAL_MODEL_NOT_FETCHED, message).stage("model").help(help))
    })
}

/// Returns the engine and the weights, fetched where they are missing.
fn complete(
    store: &LocalStore,
    catalog: &LocalCatalog,
    model: &LocalModel,
    (wanted, progress): (&LocalServe, ProgressSink<'_>),
) -> Result<(Environment, PathBuf), AppError> {
    let (environment, _) = environment(store, catalog, wanted.python.as_deref(), progress)?;
    let weights = match weights::checked(store, model) {
        Some(path) => path,
        None if weights::recheck(store, model, progress)? => store.weights(model),
        None => obtain(store, model, &environment, progress)?,
    };
    Ok((environment, weights))
}

fn start(store: &LocalStore, model: &LocalModel, start: Start<'_>) -> Result<LocalServer, AppError> {
    let log = log(store, &model.name);
    let mut child = spawn(store, model, &start, &log)?;
    let identity = i32::try_from(child.id()).ok().and_then(ProcessIdentity::of);
    let Some(identity) = identity else {
        // Without a line on standard input it ends by itself.
        drop(child.stdin.take());
        let _ = child.wait();
        return Err(failed(model, "its process cannot be identified by `/proc`", &log));
    };
    let mut note = ServerNote::new(&model.name, &model.sha256, identity);
    let ready = note.keep(store).and_then(|()| {
        tell(&mut child, model, &start)
            .and_then(|()| answers(&mut child, start.wanted.timeout_seconds))
            .map_err(|why| failed(model, &why, &log))
    });
    let kept = ready.and_then(|port| {
        note.port = Some(port);
        note.keep(store)
    });
    if let Err(error) = kept {
        // Nothing is left of a server that does not answer, besides its log.
        drop(child.stdin.take());
        let _ = child.kill();
        let _ = child.wait();
        note.forget(store)?;
        return Err(error);
    }
    Ok(note.server(store))
}

fn spawn(store: &LocalStore, model: &LocalModel, start: &Start<'_>, log: &Path) -> Result<Child, AppError> {
    store.folder(&store.servers())?;
    let file = File::options().create(true).truncate(true).write(true).mode(0o600).open(log);
    let file = file.map_err(|error| AppError::writing(log, &error))?;
    let mut command = Command::new(start.environment.python());
    command.args(["-I", "-c", PROGRAM, "deed-local-model", &model.name]).current_dir(store.root());
    // Threads that wait busily make a loaded machine several times slower.
    command.env("OMP_WAIT_POLICY", "PASSIVE");
    without_ours(&mut command);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(file);
    command.spawn().map_err(|error| failed(model, &format!("it cannot be started: {error}"), log))
}

/// Tells the process what to serve.
fn tell(child: &mut Child, model: &LocalModel, start: &Start<'_>) -> Result<(), String> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = start.wanted.threads.map_or(processors.div_ceil(2), usize::from);
    let line = json!({
        "module": start.module,
        "model": model.name,
        "path": start.weights,
        "context": model.context,
        "port": start.wanted.port.unwrap_or(0),
        "threads": threads,
    });
    let mut stdin = child.stdin.take().ok_or("its standard input is closed")?;
    writeln!(stdin, "{line}").map_err(|error| format!("it takes no input: {error}"))
}

/// Waits until the server answers, and returns its port.
fn answers(child: &mut Child, seconds: u64) -> Result<u16, String> {
    let began = Instant::now();
    let limit = Duration::from_secs(seconds);
    let (send, lines) = channel();
    let stdout = child.stdout.take().ok_or("its standard output is closed")?;
    std::thread::spawn(move || {
        let mut line = String::new();
        let _ = BufReader::new(stdout).read_line(&mut line);
        let _ = send.send(line);
    });
    let port = address(child, &lines, (began, limit))?;
    while began.elapsed() < limit {
        ended(child)?;
        if is_healthy(port) {
            return Ok(port);
        }
        std::thread::sleep(INTERVAL);
    }
    Err(format!("it does not answer within {seconds} seconds"))
}

fn address(child: &mut Child, lines: &Receiver<String>, (began, limit): (Instant, Duration)) -> Result<u16, String> {
    loop {
        match lines.recv_timeout(INTERVAL) {
            Ok(line) if line.trim().is_empty() => {
                ended(child)?;
                return Err("it closed its output without an address".to_owned());
            }
            Ok(line) => {
                let port = line.trim().rsplit(':').next().and_then(|port| port.parse().ok());
                return port
                    .filter(|port| *port > 0)
                    .ok_or_else(|| format!("its address {} has no port", quote(&line)));
            }
            Err(RecvTimeoutError::Disconnected) => return Err("it told no address".to_owned()),
            Err(RecvTimeoutError::Timeout) if began.elapsed() < limit => ended(child)?,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!("it does not answer within {} seconds", limit.as_secs()));
            }
        }
    }
}

/// Reports a process that ended.
fn ended(child: &mut Child) -> Result<(), String> {
    match child.try_wait() {
        Ok(Some(status)) => Err(format!("it ended ({status})")),
        Ok(None) => Ok(()),
        Err(error) => Err(format!("it cannot be waited for: {error}")),
    }
}

/// Returns true if the server says that it is ready.
fn is_healthy(port: u16) -> bool {
    let ask = || {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
        stream.set_read_timeout(Some(Duration::from_secs(2)))?;
        write!(stream, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        let mut status = [0; 12];
        stream.read_exact(&mut status).map(|()| status)
    };
    ask().is_ok_and(|status: [u8; 12]| status.starts_with(b"HTTP/1.") && status.ends_with(b" 200"))
}

/// Reports a server that did not start, with the end of its log.
fn failed(model: &LocalModel, why: &str, log: &Path) -> AppError {
    let message = format!("the server of {} did not start: {why}", quote(&model.name));
    let text = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last: Vec<&str> = lines.iter().rev().take(SHOWN_LINES).rev().copied().collect();
    let help = match last.is_empty() {
        true => "its log is empty; `--timeout SECONDS` gives it more time".to_owned(),
        false => format!("the end of its log: {}", conceal::text(&last.join(" / "))),
    };
    let place = Place::file(log.display().to_string());
    let diagnostic = Diagnostic::error(codes::LOCAL_SERVER_FAILED, message).stage("model").at(place).help(help);
    AppError::environment(diagnostic)
}
