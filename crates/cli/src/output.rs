//! The output of a command: data on stdout, diagnostics and remarks on stderr; with `--json` one JSON document.

use crate::conceal;
use crate::exit::Exit;
use crate::terminal;
use crate::text;
use deed_app::AppError;
use deed_diag::{Invariant as _, Report, Severity, Style};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// The version of the JSON document that `--json` prints: it changes where a reader of the document has to.
pub(crate) const ENVELOPE: u32 = 1;

/// True once a command prints a line for each of many documents: a document for an error then takes one line too.
static STREAMING: AtomicBool = AtomicBool::new(false);

/// Begins a stream of documents, a line each. Called before anything can fail.
pub(crate) fn begin_stream() {
    STREAMING.store(true, Ordering::Relaxed);
}

/// Adds the version of the form to a line of a stream.
pub(crate) fn versioned(mut line: Value) -> Value {
    if let Some(members) = line.as_object_mut() {
        members.insert("version".to_owned(), json!(ENVELOPE));
    }
    line
}

/// The form of the output.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
    pub(crate) style: Style,
}

/// The result of a command that succeeded.
#[derive(Debug, Default)]
pub(crate) struct Success {
    /// The data as JSON, for `--json`.
    pub(crate) data: Value,
    /// The data as text, for people. Hidden characters in it are escaped when it is written.
    pub(crate) text: Vec<u8>,
    /// True where the text is the bytes that were asked for, and is written as it stands.
    pub(crate) exact: bool,
    /// True where the text is a document, which is copied: its lines are not broken where the terminal is narrow.
    pub(crate) document: bool,
    /// Data that is written straight to standard output in place of both, since it may be large.
    pub(crate) stream: Option<Stream>,
    /// A remark for people, on stderr.
    pub(crate) remark: Option<String>,
    /// Findings that did not stop it.
    pub(crate) report: Report,
    /// True where what was found makes the command end with 1 all the same.
    pub(crate) found: bool,
    /// True where a run waits for a person, which has an exit code of its own.
    pub(crate) waiting: bool,
    /// True where a run was verified that is not sealed, which has an exit code of its own.
    pub(crate) unsealed: bool,
    /// True where the machine lacks what steps need or a run is damaged, which ends with the code of the environment.
    pub(crate) lacking: bool,
    /// True where the data is what was signed, and is printed as it stands.
    pub(crate) verbatim: bool,
    /// True where the data has been written already, line by line.
    pub(crate) bulk: bool,
}

impl Success {
    /// Data in both forms. The type of the data has a schema: see `schema.rs`.
    pub(crate) fn new(data: impl Serialize + JsonSchema, text: impl Into<Vec<u8>>) -> Self {
        let data = serde_json::to_value(data).invariant("the data of a command has a form in JSON");
        Self { data, text: text.into(), ..Self::default() }
    }

    /// Adds a remark for people.
    pub(crate) fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remark = Some(remark.into());
        self
    }

    /// Writes the text as it stands: it is a file, or bytes that a hash is taken over.
    pub(crate) fn exact(mut self) -> Self {
        self.exact = true;
        self
    }

    /// Keeps the lines of the text as they are, but for hidden characters: it is a document or code.
    pub(crate) fn document(mut self) -> Self {
        self.document = true;
        self
    }

    /// The text as it is written: everything but documents is broken into lines that the terminal can hold.
    fn shown(&self) -> Cow<'_, [u8]> {
        match std::str::from_utf8(&self.text) {
            Ok(words) if !self.exact => {
                let words = text::lines(words);
                match (self.document, terminal::width(terminal::Stream::Stdout), words) {
                    (false, Some(_), words) => Cow::Owned(terminal::fit(terminal::Stream::Stdout, &words).into_bytes()),
                    (_, _, Cow::Borrowed(words)) => Cow::Borrowed(words.as_bytes()),
                    (_, _, Cow::Owned(words)) => Cow::Owned(words.into_bytes()),
                }
            }
            Ok(_) | Err(_) => Cow::Borrowed(&self.text),
        }
    }

    /// Adds findings.
    pub(crate) fn report(mut self, report: Report) -> Self {
        self.report = report;
        self
    }
}

/// The layout of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Indented,
    Compact,
}

/// Writes data as JSON.
type Writer = Box<dyn Fn(&mut dyn Write, Layout) -> io::Result<()>>;

/// Data that is written as JSON without being held as text.
pub(crate) struct Stream {
    writer: Writer,
    layout: Layout,
}

impl Stream {
    /// Data of any type, on indented lines unless they would take more than so many bytes.
    pub(crate) fn new(data: impl serde::Serialize + 'static, most: u64) -> Self {
        let writer: Writer = Box::new(move |out, layout| match layout {
            Layout::Indented => serde_json::to_writer_pretty(out, &data).map_err(io::Error::from),
            Layout::Compact => serde_json::to_writer(out, &data).map_err(io::Error::from),
        });
        let mut stream = Self { writer, layout: Layout::Indented };
        if stream.len() > most {
            stream.layout = Layout::Compact;
        }
        stream
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.writer)(out, self.layout)
    }

    /// The bytes that are written.
    pub(crate) fn len(&self) -> u64 {
        let mut counted = Counted(0);
        // Counting cannot fail; what cannot be written fails when it is.
        let _ = self.write(&mut counted);
        counted.0
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Stream")
    }
}

struct Counted(u64);

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Indents every line but the first by two blanks. Line breaks in JSON stand between tokens alone.
struct Indented<'w>(&'w mut dyn Write);

impl Write for Indented<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for (index, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            if index > 0 {
                self.0.write_all(b"\n  ")?;
            }
            self.0.write_all(line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Output {
    /// Speaks to a terminal in colour, to anything else without.
    pub(crate) fn new(json: bool, lines: bool) -> Self {
        let style = match (lines, terminal::is_coloured(terminal::Stream::Stderr)) {
            (true, _) => Style::Lines,
            (false, true) => Style::Colour,
            (false, false) => Style::Plain,
        };
        Self { json, style }
    }

    /// Says how a command ended, and with which code.
    pub(crate) fn conclude(self, outcome: Result<Success, AppError>) -> Exit {
        let (exit, written) = match outcome {
            Ok(success) => {
                let exit = match (success.waiting, success.found, success.unsealed) {
                    _ if success.lacking => Exit::Environment,
                    (true, ..) => Exit::Waiting,
                    (false, true, _) => Exit::Findings,
                    (false, false, true) => Exit::Unsealed,
                    (false, false, false) => Exit::Done,
                };
                (exit, self.success(&success))
            }
            Err(error) => (Exit::from(error.kind), self.failure(&error)),
        };
        match written {
            Ok(()) => exit,
            // The reader has closed the pipe; the command itself succeeded.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
            Err(error) => {
                self.diagnostics(&AppError::printing(&error).report);
                Exit::Environment
            }
        }
    }

    fn success(self, success: &Success) -> io::Result<()> {
        self.diagnostics(&success.report);
        if let Some(stream) = &success.stream {
            self.streamed(stream, success)?;
        } else if self.json && !success.bulk {
            self.document(!success.found && !success.lacking, &success.data, &success.report)?;
        } else {
            let mut out = io::stdout().lock();
            out.write_all(&success.shown())?;
            out.flush()?;
        }
        if let Some(remark) = &success.remark {
            aside(remark);
        }
        Ok(())
    }

    /// Writes a stream, with `--json` as the data of the one document.
    fn streamed(self, stream: &Stream, success: &Success) -> io::Result<()> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.json {
            out.write_all(b"{\n  \"data\": ")?;
            stream.write(&mut Indented(&mut out))?;
            out.write_all(b",\n  \"diagnostics\": ")?;
            serde_json::to_writer_pretty(Indented(&mut out), &success.report.to_json()).map_err(io::Error::from)?;
            write!(out, ",\n  \"ok\": {},\n  \"version\": {ENVELOPE}\n}}", !success.found)?;
        } else {
            stream.write(&mut out)?;
        }
        writeln!(out)?;
        out.flush()
    }

    fn failure(self, failure: &AppError) -> io::Result<()> {
        self.diagnostics(&failure.report);
        if !self.json && self.style != Style::Lines {
            counted(&failure.report);
        }
        if self.json { self.document(false, &Value::Null, &failure.report) } else { Ok(()) }
    }

    fn document(self, ok: bool, data: &Value, report: &Report) -> io::Result<()> {
        let document = json!({ "version": ENVELOPE, "ok": ok, "data": data, "diagnostics": report.to_json() });
        let written = match STREAMING.load(Ordering::Relaxed) {
            true => document.to_string(),
            false => format!("{document:#}"),
        };
        let mut out = io::stdout().lock();
        writeln!(out, "{}", text::lines(&written))?;
        out.flush()
    }

    fn diagnostics(self, report: &Report) {
        // The same findings are on stdout as JSON; a line each is enough beside them.
        let style = if self.json { Style::Lines } else { self.style };
        let rendered = report.render(style);
        let shown = match style {
            Style::Lines => rendered,
            Style::Plain | Style::Colour => terminal::fit_report(terminal::Stream::Stderr, &rendered),
        };
        let _ = io::stderr().write_all(shown.as_bytes());
    }
}

/// Prints how many errors and warnings there are, where there are several.
fn counted(report: &Report) {
    let count = |severity: Severity, one: &str| match report.count(severity) {
        0 => None,
        1 => Some(format!("1 {one}")),
        many => Some(format!("{many} {one}s")),
    };
    if report.diagnostics().len() > 1 {
        let both = [count(Severity::Error, "error"), count(Severity::Warning, "warning")];
        aside(&both.into_iter().flatten().collect::<Vec<_>>().join(", "));
    }
}

/// Prints a line for people to stderr. A failure to print it is ignored: the exit code and the data have the result.
pub(crate) fn aside(line: &str) {
    let shown = terminal::fit(terminal::Stream::Stderr, &text::lines(line));
    let _ = writeln!(io::stderr(), "{}", conceal::text(&shown));
}
