//! The log: what the effect crates do, as spans and events, on stderr or in a file.
//!
//! Off by default: without `--log` no subscriber is installed, and a span costs a load and a branch. Fields hold ids,
//! names and numbers, never contents; every line is searched for secrets all the same before it is written.

use crate::conceal;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_diag::{Diagnostic, Place, codes};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::{self, MakeWriter};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::registry;

/// The names of all our crates begin with it.
const OURS: &str = "deed";

/// Options of the log.
#[derive(Debug, Args)]
pub(crate) struct LogOptions {
    /// Log what deed does: a level (`error`, `warn`, `info`, `debug`, `trace`) or a filter such as
    /// `deed_egress=trace,deed_runtime=info`.
    #[arg(long, global = true, value_name = "LEVEL|FILTER", env = "DEED_LOG", value_parser = filter)]
    log: Option<LogFilter>,
    /// Write log lines as text or as JSON.
    #[arg(long, global = true, value_name = "FORMAT")]
    log_format: Option<LogFormat>,
    /// Append the log to a file instead of writing it to stderr.
    #[arg(long, global = true, value_name = "FILE")]
    log_file: Option<PathBuf>,
}

/// The form of log lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// One line of text for each event.
    Text,
    /// One JSON object for each event.
    Json,
}

/// The events that are logged; none where the log is off.
#[derive(Debug, Clone)]
pub(crate) struct LogFilter(Option<Targets>);

/// Reads a level or a filter. A level concerns our own crates only.
fn filter(text: &str) -> Result<LogFilter, String> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(LogFilter(None));
    }
    if let Ok(level) = LevelFilter::from_str(text) {
        let targets = (level != LevelFilter::OFF).then(|| Targets::new().with_target(OURS, level));
        return Ok(LogFilter(targets));
    }
    let known = "write a level (error, warn, info, debug, trace, off) or pairs such as `deed_egress=trace`";
    let targets = Targets::from_str(text).map_err(|error| format!("{error}; {known}"))?;
    // A word alone would be the name of a crate, of which there is none but ours.
    let word = |part: &&str| !part.is_empty() && !part.contains('=') && LevelFilter::from_str(part).is_err();
    if let Some(unknown) = text.split(',').map(str::trim).filter(word).find(|part| !part.starts_with(OURS)) {
        return Err(format!("`{unknown}` is not a level; {known}"));
    }
    Ok(LogFilter(Some(targets)))
}

impl LogOptions {
    /// Installs the log, if one is asked for.
    ///
    /// # Errors
    /// Fails if the file cannot be written, or if a form or a file is named and no log asked for.
    pub(crate) fn install(&self) -> Result<(), AppError> {
        let Some(LogFilter(Some(targets))) = &self.log else {
            let unused = self.log_format.map(|_| "--log-format").or(self.log_file.as_ref().map(|_| "--log-file"));
            return match unused.filter(|_| self.log.is_none()) {
                None => Ok(()),
                Some(option) => Err(AppError::usage(
                    Diagnostic::error(codes::USAGE, format!("`{option}` is given, and nothing is logged"))
                        .stage("usage")
                        .help("add `--log debug`, or set DEED_LOG"),
                )),
            };
        };
        let output = match &self.log_file {
            None => LogOutput::Stderr,
            Some(path) => LogOutput::File(Arc::new(opened(path)?)),
        };
        let layer = fmt::layer().with_writer(output).with_span_events(FmtSpan::CLOSE).with_ansi(false);
        let layer = match self.log_format.unwrap_or(LogFormat::Text) {
            LogFormat::Text => layer.boxed(),
            LogFormat::Json => layer.json().flatten_event(true).boxed(),
        };
        let subscriber = registry().with(layer.with_filter(targets.clone()));
        tracing::subscriber::set_global_default(subscriber).map_err(AppError::internal)
    }
}

fn opened(path: &Path) -> Result<File, AppError> {
    // Only the owner may read what runs do.
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path);
    file.map_err(|error| {
        AppError::environment(
            Diagnostic::error(codes::FILE_NOT_WRITABLE, format!("the log cannot be written: {error}"))
                .stage("log")
                .at(Place::file(path.display().to_string()))
                .help("name a file in a folder that exists and that you may write to"),
        )
    })
}

/// The destination of log lines.
#[derive(Debug, Clone)]
enum LogOutput {
    Stderr,
    File(Arc<File>),
}

/// Writes one log line, without the secrets in it.
struct LineWriter(LogOutput);

impl Write for LineWriter {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(line);
        let shown = conceal::text(&text);
        match &self.0 {
            LogOutput::Stderr => io::stderr().lock().write_all(shown.as_bytes())?,
            LogOutput::File(file) => (&**file).write_all(shown.as_bytes())?,
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for LogOutput {
    type Writer = LineWriter;

    fn make_writer(&'w self) -> LineWriter {
        LineWriter(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::Level;

    fn logs(text: &str, target: &str, level: Level) -> bool {
        filter(text).unwrap().0.is_some_and(|targets| targets.would_enable(target, &level))
    }

    #[test]
    fn a_level_concerns_our_own_crates() {
        assert!(logs("debug", "deed_runtime::bridge", Level::DEBUG));
        assert!(!logs("debug", "deed_runtime::bridge", Level::TRACE));
        assert!(!logs("trace", "hyper::client", Level::ERROR));
    }

    #[test]
    fn a_filter_names_targets() {
        assert!(logs("deed_egress=trace,deed_store=warn", "deed_egress::gateway", Level::TRACE));
        assert!(!logs("deed_egress=trace,deed_store=warn", "deed_store::runs", Level::INFO));
        assert!(filter("deed_egress=loud").is_err());
    }

    #[test]
    fn nothing_is_logged_where_it_is_off() {
        for off in ["", " ", "off", "OFF"] {
            assert!(filter(off).unwrap().0.is_none(), "{off:?}");
        }
    }
}
