//! What a compile is given on the command line.

use crate::args::Global;
use crate::commands::pack::source;
use crate::commands::registry::{checked_time, stamp};
use crate::failure::Failure;
use crate::files;
use clap::Args;
use deed_canon::{Node, NodeKind, Span};
use deed_context::{Cached, Evidence, Hydrations, Inputs, Memory, PackMaterial, ReadInput, Request, Run, hydrate};
use deed_diag::{Code, Diagnostic, Document, Report};
use deed_model::{OverlayRef, PackRef};
use deed_pack::{Bundle, Purpose, Selection, resolve};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const SAME_INPUT: Code = Code::new("D1528");

/// A pack and everything that a compile reads besides it.
#[derive(Debug, Args)]
pub(crate) struct Given {
    /// An exact published version such as `ctxpack.support@1.0.0`, or a pack's folder.
    #[arg(long, value_name = "REF|DIR")]
    pack: String,
    /// The request, as YAML or JSON.
    #[arg(long, value_name = "FILE")]
    request: PathBuf,
    /// The run context.
    #[arg(long, value_name = "FILE")]
    run: PathBuf,
    /// Retrieved evidence, a list.
    #[arg(long, value_name = "FILE")]
    evidence: Option<PathBuf>,
    /// Recalled memory, a list.
    #[arg(long, value_name = "FILE")]
    memory: Option<PathBuf>,
    /// An overlay to apply, by name; may be given more than once. Those that the request names are applied too.
    #[arg(long = "overlay", value_name = "NAME")]
    overlays: Vec<String>,
    /// The instant that lifetimes are judged at, as RFC 3339; the run's `as_of` otherwise, and else the clock.
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
}

/// The same, read.
pub(super) struct Loaded {
    pub(super) material: PackMaterial,
    pub(super) request: Request,
    pub(super) run: Run,
    pub(super) evidence: Evidence,
    pub(super) memory: Memory,
    /// The run context with the instant that it is judged at.
    pub(super) run_value: Value,
    /// The documents as they were given.
    pub(super) documents: Documents,
    /// The pack as it was given.
    bundle: Bundle,
}

/// The documents behind the inputs.
pub(super) struct Documents {
    pub(super) request: Document,
    pub(super) run: Document,
    pub(super) evidence: Document,
    pub(super) memory: Document,
}

impl Loaded {
    pub(super) fn inputs(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }

    /// The pack, ready to compile.
    pub(super) fn hydrate<'c>(&self, cache: &'c Hydrations) -> Result<Cached<'c>, Failure> {
        hydrate(&self.material, &self.run, cache).map_err(|report| self.refused(report.diagnostics().to_vec()))
    }

    /// What stands against a compile, shown in the files that were given and with their secrets kept back.
    pub(super) fn refused(&self, diagnostics: Vec<Diagnostic>) -> Failure {
        let documents = &self.documents;
        let files = [
            ("request", &documents.request),
            ("run context", &documents.run),
            ("evidence", &documents.evidence),
            ("memory", &documents.memory),
            ("pack", &self.bundle.document),
        ];
        let mut report = self.bundle.report();
        files.iter().for_each(|(_, document)| report.add_source(document.source().clone()));
        for diagnostic in diagnostics {
            report.push(placed(diagnostic, |name| {
                files.iter().find(|(own, _)| *own == name).map(|(_, document)| (*document, ""))
            }));
        }
        report.into()
    }
}

impl Given {
    /// Reads everything, with the warnings that came up, or reports all that cannot be read.
    pub(super) fn load(&self, global: &Global) -> Result<(Loaded, Report), Failure> {
        self.one_stdin()?;
        let mut report = Report::default();
        let bundle = source::usable(&self.pack, global, Purpose::NewWork, &mut report)?;
        let mut request = files::document(&self.request)?;
        let run = files::document(&self.run)?;
        let run_value = self.with_instant(&run, global)?;
        let mut evidence = list(self.evidence.as_deref(), "evidence")?;
        let mut memory = list(self.memory.as_deref(), "memory")?;
        unquoted(&mut request, &["input", "message"]);
        unquoted(&mut request, &["session", "recent_turns", "*", "text"]);
        unquoted(&mut evidence, &["*", "content"]);
        unquoted(&mut memory, &["*", "text"]);
        unquoted(&mut memory, &["*", "value"]);
        let mut faults = Report::default();
        let read = (
            keep(Request::read(&request), &mut report, &mut faults),
            keep(Run::read_as(&run, run_value.clone()), &mut report, &mut faults),
            keep(Evidence::read(&evidence), &mut report, &mut faults),
            keep(Memory::read(&memory), &mut report, &mut faults),
        );
        let (Some(asked), Some(ran), Some(evidence_items), Some(memory_items)) = read else {
            return Err(faults.into());
        };
        let selected = self.selected(&bundle, &request, &run);
        if let Some(pack) = bundle.typed() {
            // Asked of the files themselves, so that what is wrong with an overlay is shown where it stands.
            resolve(&bundle, &pack, &Selection::Named(selected.clone()))?;
        }
        let loaded = Loaded {
            material: PackMaterial::of_bundle(&bundle, &selected),
            request: asked,
            run: ran,
            evidence: evidence_items,
            memory: memory_items,
            run_value,
            documents: Documents { request, run, evidence, memory },
            bundle,
        };
        Ok((loaded, report))
    }

    /// Standard input can be read once.
    fn one_stdin(&self) -> Result<(), Failure> {
        let stdin = Path::new("-");
        let given = [Some(&self.request), Some(&self.run), self.evidence.as_ref(), self.memory.as_ref()];
        if given.into_iter().flatten().filter(|path| path.as_path() == stdin).count() > 1 {
            let message = "standard input is named for more than one of --request, --run, --evidence and --memory";
            let diagnostic = Diagnostic::error(SAME_INPUT, message).stage("usage");
            return Err(Failure::usage(diagnostic.help("it can be read once: put the others into files")));
        }
        Ok(())
    }

    /// The run context with its instant: the one of the command line, else its own, else the clock's. The document is
    /// left as it is, because places and secrets in it are found by where they stand.
    fn with_instant(&self, document: &Document, global: &Global) -> Result<Value, Failure> {
        let mut value = document.value().clone();
        let stated = document.value().get("as_of").is_some();
        let as_of = match (&self.as_of, stated) {
            (Some(given), _) => checked_time("--as-of", given)?,
            (None, true) => return Ok(value),
            (None, false) => stamp(global)?.at,
        };
        if let Value::Object(fields) = &mut value {
            fields.insert("as_of".to_owned(), json!(as_of));
        }
        Ok(value)
    }

    /// The overlays that are asked for here, and those that request and run name beside the pack.
    fn selected(&self, bundle: &Bundle, request: &Document, run: &Document) -> Vec<String> {
        let pack_id = bundle.document.value().pointer("/pack_meta/pack_id").and_then(Value::as_str).unwrap_or_default();
        let mut selected = self.overlays.clone();
        for document in [request, run] {
            let refs = document.value().get("context_pack_refs").and_then(Value::as_array);
            let named = refs.into_iter().flatten().skip(1).filter_map(Value::as_str);
            for name in named.filter_map(|text| overlay_name(text, pack_id)) {
                if bundle.overlays.contains_key(&name) && !selected.contains(&name) {
                    selected.push(name);
                }
            }
        }
        selected
    }
}

fn overlay_name(text: &str, pack_id: &str) -> Option<String> {
    text.parse::<PackRef>().ok()?;
    let reference: OverlayRef = text.parse().ok()?;
    reference.name_in(pack_id).map(str::to_owned)
}

/// A list from a file, or an empty one.
fn list(path: Option<&Path>, name: &str) -> Result<Document, Failure> {
    match path {
        Some(path) => files::document(path),
        None => Ok(Document::read(name, b"[]", deed_diag::Format::Json)?),
    }
}

/// Keeps what people said and what was found about them out of every snippet; `*` stands for each element of a list.
fn unquoted(document: &mut Document, path: &[&str]) {
    let mut spans = Vec::new();
    parts(document.tree(), path, &mut spans);
    spans.into_iter().for_each(|span| document.conceal(span, String::new()));
}

fn parts(node: &Node, path: &[&str], out: &mut Vec<Span>) {
    match (path, &node.kind) {
        ([], _) => out.push(node.span),
        (["*", rest @ ..], NodeKind::Array(items)) => items.iter().for_each(|item| parts(item, rest, out)),
        ([key, rest @ ..], NodeKind::Object(members)) => {
            members.iter().filter(|member| member.key == **key).for_each(|member| parts(&member.value, rest, out));
        }
        _ => {}
    }
}

/// An input, or a note of what is wrong with it.
fn keep<T>(read: Result<(T, Report), Report>, warnings: &mut Report, faults: &mut Report) -> Option<T> {
    match read {
        Ok((input, found)) => {
            warnings.merge(found);
            Some(input)
        }
        Err(found) => {
            faults.merge(found);
            None
        }
    }
}

/// A diagnostic whose place names an input, moved to the document that the input came from; `find` gives it, and where
/// in it the input begins.
pub(super) fn placed<'d>(
    mut diagnostic: Diagnostic,
    find: impl Fn(&str) -> Option<(&'d Document, &'static str)>,
) -> Diagnostic {
    let moved = diagnostic.place.as_ref().and_then(|place| {
        let (document, prefix) = find(&place.source)?;
        Some(document.place(&format!("{prefix}{}", place.pointer.as_deref().unwrap_or_default())))
    });
    diagnostic.place = moved.or(diagnostic.place);
    diagnostic
}
