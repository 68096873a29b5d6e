//! How a case of the suite of packs is written and read. Each folder under `tests/suite/packs` is a pack and what one gate must say of it.
//!
//! A folder holds `case.yaml`, written by hand, and `expected.txt`, the whole report as it is rendered:
//!
//! ```yaml
//! about: one sentence that says what the case shows
//! gate: schema          # the gate that the case is about, or `read` for documents that cannot be read
//! base: support         # packs/support/pack.yaml; or `file:` in the same folder; or `text:` in place
//! format: json          # only with `text`; YAML otherwise
//! overlays: keep        # only with `base`; otherwise its overlays are left out, declarations included
//! edits:                # in order; `find` occurs once, unless `nth: 2` or `all: true` says otherwise; `in` names
//!                       # a document other than the pack, such as `overlays/staging.yaml`
//!   - { find: "name: Acme Support", replace: "nam: Acme Support" }
//! expect:               # every finding of the gate in order: severity, code, pointer where there is one
//!   - error D0203 /pack_meta/tenant/nam
//! ```
//!
//! The root of a document is written `root`. A `replace` that is a list is joined: so a made-up secret stands
//! nowhere in one piece, and a test below asserts that it is shown nowhere either. Documents under `overlays/`
//! and `golden/` beside the case belong to its pack.
//!
//! `DEED_BLESS=1 cargo test -p deed-pack --test suite` rewrites `expected.txt`, and never `expect`.
#![allow(dead_code, reason = "each test that goes through the suite uses a part of it")]

use deed_context::GoldenRunner;
use deed_diag::{Document, Format, Report, Style};
use deed_pack::{Bundle, Gate, PackFiles, SourceFile, lint_with};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const KEYS: [&str; 9] = ["about", "gate", "base", "file", "text", "format", "overlays", "edits", "expect"];
const EDIT_KEYS: [&str; 5] = ["in", "find", "replace", "nth", "all"];

/// The stage of documents that cannot be read, which is no gate.
const READ: &str = "read";

pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    pub(crate) gate: String,
    pub(crate) files: PackFiles,
    pub(crate) secrets: Vec<String>,
    pub(crate) expect: Vec<String>,
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folders() -> Vec<PathBuf> {
    sorted(&root().join("tests/suite/packs")).into_iter().filter(|path| path.is_dir()).collect()
}

/// What lies in a folder, by name; nothing where there is no such folder.
pub(crate) fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).map(|entries| entries.map(|e| e.unwrap().path()).collect()).unwrap_or_default();
    paths.sort();
    paths
}

pub(crate) fn cases() -> Vec<Case> {
    folders()
        .iter()
        .map(|folder| Case::read(folder).unwrap_or_else(|why| panic!("{}: {why}", folder.display())))
        .collect()
}

impl Case {
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let fields = fields(&fs::read(folder.join("case.yaml")).map_err(|e| e.to_string())?)?;
        let text = |key: &str| fields.get(key).and_then(Value::as_str);
        let gate = text("gate").ok_or("`gate` is missing")?.to_owned();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        text("about").filter(|about| !about.trim().is_empty()).ok_or("`about` is missing")?;
        if gate != READ && !Gate::ALL.iter().any(|g| g.as_str() == gate) {
            return Err(format!("`{gate}` is no gate"));
        }
        if !name.starts_with(&format!("{gate}-")) {
            return Err(format!("the folder's name must begin with `{gate}-`"));
        }
        let (pack, mut overlays) = source(folder, &fields)?;
        overlays.extend(documents(&folder.join("overlays")));
        let golden = documents(&folder.join("golden")).into_values().collect();
        let mut files = PackFiles { pack, overlays, golden };
        let mut secrets = Vec::new();
        for edit in fields.get("edits").and_then(Value::as_array).into_iter().flatten() {
            apply(&mut files, edit.as_object().ok_or("an edit is an object")?, &mut secrets)?;
        }
        let expect = fields.get("expect").and_then(Value::as_array).ok_or("`expect` must be a list")?;
        let expect = expect.iter().map(expected_line).collect::<Result<_, _>>()?;
        Ok(Self { name, folder: folder.to_owned(), gate, files, secrets, expect })
    }

    /// The report of the whole pack, whether it could be read or not. Golden cases are run, as the command does.
    pub(crate) fn report(&self) -> Report {
        match Bundle::read(&self.files) {
            Ok(bundle) => lint_with(&bundle, &Gate::ALL, &GoldenRunner).report,
            Err(report) => report,
        }
    }

    pub(crate) fn passes(&self) -> bool {
        self.expect.is_empty()
    }
}

/// The members of a case, all of which must be known.
pub(crate) fn fields(bytes: &[u8]) -> Result<Map<String, Value>, String> {
    let document = Document::read("case.yaml", bytes, Format::Yaml).map_err(|report| report.render(Style::Lines))?;
    let fields = document.value().as_object().ok_or("a case is an object")?.clone();
    known(&fields, &KEYS)?;
    Ok(fields)
}

fn known(object: &Map<String, Value>, keys: &[&str]) -> Result<(), String> {
    match object.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(format!("unknown key `{key}`")),
        None => Ok(()),
    }
}

/// The pack before any edits, and the overlays that come with it.
fn source(folder: &Path, fields: &Map<String, Value>) -> Result<(SourceFile, BTreeMap<String, SourceFile>), String> {
    let text = |key: &str| fields.get(key).and_then(Value::as_str);
    match (text("base"), text("file"), text("text")) {
        (Some(base), None, None) => base_pack(base, text("overlays")),
        (None, Some(name), None) => Ok((named(&folder.join(name)), BTreeMap::new())),
        (None, None, Some(body)) => {
            let name = format!("pack.{}", text("format").unwrap_or("yaml"));
            Ok((SourceFile { name, bytes: body.as_bytes().to_vec() }, BTreeMap::new()))
        }
        _ => Err("exactly one of `base`, `file` and `text` is needed".to_owned()),
    }
}

fn base_pack(base: &str, overlays: Option<&str>) -> Result<(SourceFile, BTreeMap<String, SourceFile>), String> {
    let folder = root().join("packs").join(base);
    let mut pack = named(&folder.join("pack.yaml"));
    match overlays {
        Some("keep") => Ok((pack, documents(&folder.join("overlays")))),
        Some(other) => Err(format!("`overlays` is `keep` or left out, not `{other}`")),
        None => {
            pack.bytes = without_overlays(&String::from_utf8(pack.bytes).unwrap()).into_bytes();
            Ok((pack, BTreeMap::new()))
        }
    }
}

/// A pack's text without the declaration of its overlays, so that a case is about the pack alone.
fn without_overlays(text: &str) -> String {
    let mut inside = false;
    text.split_inclusive('\n')
        .filter(|line| {
            inside = line.trim_end() == "  overlays:" || (inside && line.starts_with("    - "));
            !inside
        })
        .collect()
}

fn named(path: &Path) -> SourceFile {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    SourceFile { name, bytes: fs::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) }
}

/// The documents of a folder by the stem of their names; sources are named with the folder.
fn documents(folder: &Path) -> BTreeMap<String, SourceFile> {
    let parent = folder.file_name().unwrap().to_string_lossy().into_owned();
    sorted(folder)
        .iter()
        .map(|path| {
            let mut file = named(path);
            file.name = format!("{parent}/{}", file.name);
            (path.file_stem().unwrap().to_string_lossy().into_owned(), file)
        })
        .collect()
}

/// The document that an edit is for: the pack, unless it names another.
fn target<'a>(files: &'a mut PackFiles, name: Option<&str>) -> Result<&'a mut SourceFile, String> {
    let Some(name) = name else { return Ok(&mut files.pack) };
    let mut others = files.overlays.values_mut().chain(&mut files.golden);
    others.find(|file| file.name == name).ok_or_else(|| format!("there is no `{name}`"))
}

pub(crate) fn apply(files: &mut PackFiles, edit: &Map<String, Value>, secrets: &mut Vec<String>) -> Result<(), String> {
    known(edit, &EDIT_KEYS)?;
    let file = target(files, edit.get("in").and_then(Value::as_str))?;
    let text = std::str::from_utf8(&file.bytes).map_err(|_| "only text can be edited".to_owned())?;
    file.bytes = edited(text, edit, secrets)?.into_bytes();
    Ok(())
}

fn edited(text: &str, edit: &Map<String, Value>, secrets: &mut Vec<String>) -> Result<String, String> {
    let find = edit.get("find").and_then(Value::as_str).ok_or("an edit needs `find`")?;
    let replace = match edit.get("replace") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => {
            let joined: String = parts.iter().filter_map(Value::as_str).collect();
            secrets.push(joined.clone());
            joined
        }
        _ => return Err("`replace` must be a text or a list of texts".to_owned()),
    };
    let places: Vec<usize> = text.match_indices(find).map(|(at, _)| at).collect();
    let at = match (edit.get("all"), edit.get("nth").and_then(Value::as_u64), places.as_slice()) {
        (_, _, []) => return Err(format!("`{find}` does not occur")),
        (Some(Value::Bool(true)), None, _) => return Ok(text.replace(find, &replace)),
        (None, Some(nth), places) => {
            let index = usize::try_from(nth).unwrap().checked_sub(1).ok_or("`nth` counts from 1")?;
            *places.get(index).ok_or(format!("`{find}` occurs {} times only", places.len()))?
        }
        (None, None, [at]) => *at,
        _ => return Err(format!("`{find}` occurs {} times: say `nth` or `all: true`", places.len())),
    };
    let (before, rest) = text.split_at(at);
    Ok(format!("{before}{replace}{}", rest.strip_prefix(find).unwrap()))
}

fn expected_line(line: &Value) -> Result<String, String> {
    let line = line.as_str().ok_or("a line of `expect` is a text")?;
    let words: Vec<&str> = line.split(' ').collect();
    let place_ok = words.len() == 2 || words.get(2).is_some_and(|p| p.starts_with('/') || *p == "root");
    let head_ok = matches!(words[0], "error" | "warning" | "info") && words.get(1).is_some_and(|c| c.len() == 5);
    if head_ok && place_ok {
        Ok(line.to_owned())
    } else {
        Err(format!("`{line}` is not `<severity> <code> <pointer>`"))
    }
}
