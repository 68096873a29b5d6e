//! Validation gate 1, schema: ten layers, types, unknown keys.
//!
//! Enters: the document as a value. Leaves: every violation of the generated schema. Must prove: a document without
//! findings can be deserialized as a pack.

use crate::bundle::Bundle;
use crate::contract::{CONTRACT_MAJORS, reads_contract};
use crate::lint::Typed;
use crate::locale;
use crate::pointer::join;
use deed_canon::timestamp;
use deed_diag::{Diagnostic, codes, quote};
use deed_model::{ContextPack, EnvironmentDefaults, PackRef, RefError, schema_for};
use deed_schema::Shape;
use std::sync::LazyLock;

static PACK_SCHEMA: LazyLock<Shape> = LazyLock::new(|| Shape::of_layers(schema_for::<ContextPack>()));

pub(crate) fn check(bundle: &Bundle, typed: &Typed) -> Vec<Diagnostic> {
    if !bundle.document.value().is_object() {
        return vec![
            Diagnostic::error(codes::PACK_NOT_AN_OBJECT, "a pack is an object with ten layers")
                .at(bundle.document.place(""))
                .help("`deed pack new` creates one"),
        ];
    }
    let mut findings = PACK_SCHEMA.findings(&bundle.document);
    findings.extend(bad_times(bundle));
    findings.extend(bad_defaults(bundle));
    findings.extend(foreign_contract(bundle));
    if findings.is_empty() {
        findings.extend(not_typed(bundle, typed));
    }
    findings.sort_by_key(|d| d.place.as_ref().and_then(|p| p.span));
    findings
}

fn bad_times(bundle: &Bundle) -> Option<Diagnostic> {
    let at = "/contract_meta/created_at";
    let text = bundle.document.value().pointer(at)?.as_str()?;
    if timestamp(text).is_some() {
        return None;
    }
    let message = format!("{} is not an RFC 3339 time", quote(text));
    Some(
        Diagnostic::error(codes::BAD_PACK_TIME, message)
            .at(bundle.document.place(&join("", at)))
            .help("write `2026-05-09T00:00:00Z`"),
    )
}

/// A version of the contract that this runtime does not read. A malformed one is a finding of the schema.
fn foreign_contract(bundle: &Bundle) -> Option<Diagnostic> {
    let at = "/contract_meta/contract_version";
    let version = bundle.document.value().pointer(at)?.as_str()?;
    if semver::Version::parse(version).is_err() || reads_contract(version) {
        return None;
    }
    let message = format!("version {} of the contract is not one that this runtime reads", quote(version));
    Some(Diagnostic::error(codes::UNKNOWN_CONTRACT_VERSION, message).at(bundle.document.place(at)).help(format!(
        "it reads the major versions {} to {}; the version of the pack is `pack_meta.pack_version`",
        CONTRACT_MAJORS.start(),
        CONTRACT_MAJORS.end()
    )))
}

/// Locale defaults that do not exist, by the same table as those of overlays.
fn bad_defaults(bundle: &Bundle) -> Vec<Diagnostic> {
    let base = "/pack_meta/environment_defaults";
    let defaults = EnvironmentDefaults::KEYS.into_iter().filter_map(|key| {
        let at = join(base, &format!("/{key}"));
        let text = bundle.document.value().pointer(&at)?.as_str()?;
        (!locale::is_plausible(key, text)).then(|| {
            Diagnostic::error(codes::IMPLAUSIBLE_DEFAULT, format!("{} is not a plausible {key}", quote(text)))
                .at(bundle.document.place(&at))
                .help(locale::fix(key, Some(text)))
        })
    });
    defaults.collect()
}

/// Checks what a JSON Schema cannot express: numbers that fit their type, and an id and version that make a reference.
fn not_typed(bundle: &Bundle, typed: &Typed) -> Option<Diagnostic> {
    let pack = match typed {
        Ok(pack) => pack,
        Err(error) => {
            let message = format!("the document cannot be read as a pack: {error}");
            return Some(Diagnostic::error(codes::SCHEMA_VIOLATION, message).at(bundle.document.place("")));
        }
    };
    let error = PackRef::of(&pack.pack_meta.pack_id, &pack.pack_meta.pack_version).err()?;
    let (code, at) = match &error {
        RefError::Version(_) => (codes::BAD_VERSION, "/pack_meta/pack_version"),
        RefError::Unpinned(_) | RefError::Id(_) => (codes::BAD_FORM, "/pack_meta/pack_id"),
    };
    Some(Diagnostic::error(code, error.to_string()).at(bundle.document.place(at)))
}
