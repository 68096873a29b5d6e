//! The overlays of a folder: every file is declared, every declaration has its file, and their names agree.

use super::shown::shown;
use crate::bundle::Bundle;
use crate::pointer::pointer;
use deed_diag::{Diagnostic, Document, Place, codes, did_you_mean};
use deed_model::{ContextPack, OverlayRef, PackRef, RefError};
use serde_json::Value;
use std::collections::BTreeMap;

/// An overlay file of a folder.
pub(super) struct OverlayFile<'a> {
    /// Its name, as in `overlays/<name>.yaml`.
    pub(super) name: &'a str,
    /// Its document.
    pub(super) document: &'a Document,
    /// Its reference, if the document and the pack agree on it.
    pub(super) overlay_ref: Option<OverlayRef>,
    /// Its position in the order of application, if the pack declares it.
    pub(super) order: Option<usize>,
}

/// Returns the overlays of a folder: declared ones in order of application, then the others by name.
pub(super) fn overlays<'a>(
    bundle: &'a Bundle,
    pack: &ContextPack,
    found: &mut Vec<Diagnostic>,
) -> Vec<OverlayFile<'a>> {
    let declared = declarations(bundle, pack, found);
    let pack_ref = own_ref(bundle, pack, found);
    let mut overlays: Vec<OverlayFile<'a>> = Vec::new();
    for (name, document) in &bundle.overlays {
        let declaration = declared.get(name);
        if declaration.is_none() {
            found.push(undeclared(name, document, pack));
        }
        let stated = stated_ref(name, document, pack, declaration, found);
        check_base(document, pack_ref.as_ref(), found);
        overlays.push(OverlayFile { name, document, overlay_ref: stated, order: declaration.map(|d| d.order) });
    }
    overlays.sort_by_key(|o| (o.order.unwrap_or(usize::MAX), o.name));
    overlays
}

struct Declaration {
    order: usize,
    overlay_ref: OverlayRef,
}

/// Returns the declarations of the pack, by name.
fn declarations(bundle: &Bundle, pack: &ContextPack, found: &mut Vec<Diagnostic>) -> BTreeMap<String, Declaration> {
    let mut declared: BTreeMap<String, Declaration> = BTreeMap::new();
    for (order, text) in pack.pack_meta.overlays.iter().enumerate() {
        let place = bundle.document.place(&pointer!("pack_meta", "overlays", order));
        let overlay_ref = match text.parse::<OverlayRef>() {
            Ok(overlay_ref) => overlay_ref,
            Err(error) => {
                found.push(bad_ref(&error, place));
                continue;
            }
        };
        let pack_id = &pack.pack_meta.pack_id;
        let Some(name) = overlay_ref.name_in(pack_id).map(str::to_owned) else {
            found.push(
                Diagnostic::error(
                    codes::OVERLAY_NAMES_DISAGREE,
                    format!("{} is not an overlay of `{pack_id}`", shown(text)),
                )
                .stage("overlay")
                .at(place)
                .help(format!("write it as `{pack_id}.<name>@x.y.z`")),
            );
            continue;
        };
        if let Some(first) = declared.get(&name) {
            let earlier = bundle.document.place(&pointer!("pack_meta", "overlays", first.order));
            found.push(
                Diagnostic::error(codes::OVERLAY_DECLARED_TWICE, format!("the overlay `{name}` is declared twice"))
                    .stage("overlay")
                    .at(place)
                    .related(earlier, "first declared here")
                    .help("keep one declaration: an overlay is applied once"),
            );
            continue;
        }
        if !bundle.overlays.contains_key(&name) {
            found.push(no_file(&name, place, bundle));
        }
        declared.insert(name, Declaration { order, overlay_ref });
    }
    declared
}

fn no_file(name: &str, place: Place, bundle: &Bundle) -> Diagnostic {
    let near = did_you_mean(name, bundle.overlays.keys().map(String::as_str));
    Diagnostic::error(codes::OVERLAY_FILE_MISSING, format!("the overlay `{name}` is declared, but its file is missing"))
        .stage("overlay")
        .at(place)
        .help(near.unwrap_or_else(|| format!("write `overlays/{name}.yaml`, or remove the declaration")))
}

fn undeclared(name: &str, document: &Document, pack: &ContextPack) -> Diagnostic {
    let pack_id = &pack.pack_meta.pack_id;
    Diagnostic::error(codes::OVERLAY_NOT_DECLARED, format!("the overlay {} is not declared by the pack", shown(name)))
        .stage("overlay")
        .at(document.place("/overlay_ref"))
        .help(format!("add `{pack_id}.{name}@x.y.z` to `pack_meta.overlays`, which also fixes the order"))
}

fn own_ref(bundle: &Bundle, pack: &ContextPack, found: &mut Vec<Diagnostic>) -> Option<PackRef> {
    let meta = &pack.pack_meta;
    match PackRef::of(&meta.pack_id, &meta.pack_version) {
        Ok(pack_ref) => Some(pack_ref),
        Err(error) => {
            let key = if matches!(error, RefError::Id(_)) { "pack_id" } else { "pack_version" };
            found.push(bad_ref(&error, bundle.document.place(&pointer!("pack_meta", key))));
            None
        }
    }
}

/// Returns the reference that an overlay states, checked against its file's name and its declaration.
fn stated_ref(
    name: &str,
    document: &Document,
    pack: &ContextPack,
    declaration: Option<&Declaration>,
    found: &mut Vec<Diagnostic>,
) -> Option<OverlayRef> {
    // A missing reference, or one that is not text, is a finding of the document's shape.
    let text = document.value().get("overlay_ref").and_then(Value::as_str)?;
    let place = document.place("/overlay_ref");
    let stated = match text.parse::<OverlayRef>() {
        Ok(stated) => stated,
        Err(error) => {
            found.push(bad_ref(&error, place));
            return None;
        }
    };
    let pack_id = &pack.pack_meta.pack_id;
    if stated.name_in(pack_id) != Some(name) {
        found.push(
            Diagnostic::error(
                codes::OVERLAY_NAMES_DISAGREE,
                format!("the file is named `{name}`, but calls itself {}", shown(text)),
            )
            .stage("overlay")
            .at(place)
            .help(format!("write `{pack_id}.{name}@{}`, or rename the file", stated.version)),
        );
        return None;
    }
    match declaration {
        Some(declaration) if declaration.overlay_ref != stated => {
            let declared = &declaration.overlay_ref;
            found.push(
                Diagnostic::error(
                    codes::OVERLAY_NAMES_DISAGREE,
                    format!("the pack declares `{declared}`, but the file is `{stated}`"),
                )
                .stage("overlay")
                .at(place)
                .help("make the two versions equal"),
            );
            None
        }
        Some(_) | None => Some(stated),
    }
}

fn check_base(document: &Document, pack_ref: Option<&PackRef>, found: &mut Vec<Diagnostic>) {
    let Some(text) = document.value().get("base").and_then(Value::as_str) else {
        return;
    };
    let place = document.place("/base");
    match (text.parse::<PackRef>(), pack_ref) {
        (Err(error), _) => found.push(bad_ref(&error, place)),
        (Ok(base), Some(pack_ref)) if base != *pack_ref => found.push(
            Diagnostic::error(
                codes::OVERLAY_OTHER_BASE,
                format!("the overlay was made for `{base}`, and this pack is `{pack_ref}`"),
            )
            .stage("overlay")
            .at(place)
            .help(format!("review each change and write `base: {pack_ref}`")),
        ),
        (Ok(_), _) => {}
    }
}

fn bad_ref(error: &RefError, place: Place) -> Diagnostic {
    let (code, message, help) = match error {
        RefError::Unpinned(text) => (
            codes::OVERLAY_UNPINNED,
            format!("{} names no version", shown(text)),
            "pin it: add `@` and three numbers, such as `@1.0.0`",
        ),
        RefError::Version(text) => (
            codes::OVERLAY_VERSION,
            format!("{} is not a version of three numbers", shown(text)),
            "write three numbers, such as `1.0.0`: no range, no prerelease, no leading zero",
        ),
        RefError::Id(text) => (
            codes::OVERLAY_ID,
            format!("{} is not an id", shown(text)),
            "use lowercase letters, digits, `.`, `_` and `-`, and begin with a letter",
        ),
    };
    Diagnostic::error(code, message).stage("overlay").at(place).help(help)
}
