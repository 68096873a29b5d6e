//! Diff: the changes between two versions of a pack, layer by layer, and the version number that they need.
//!
//! In: two pack folders, and the errors of the gates on the newer one. Out: every change with its class and the reason
//! for it, the class of all changes together, and a finding if the author's version number is too low. It must prove:
//! every change that is not shown to be harmless or stricter counts as major.

mod bump;
mod change;
mod class;
mod effect;
mod golden;
mod layers;
mod overlays;
mod rejection;
mod shape;
mod values;
mod walk;

pub use bump::DeclaredBump;
pub use change::{Change, ChangeKind, Diff};
pub use class::ChangeClass;
pub use effect::ChangeEffect;

use crate::bundle::Bundle;
use deed_diag::{Diagnostic, Report, codes};
use deed_model::{ContextPack, PackRef};

/// Compares two versions. `rejections` are the errors of the reference and risk gates on `after`.
///
/// # Errors
/// A report, if one of the documents is not a pack.
pub fn diff(before: &Bundle, after: &Bundle, rejections: &[Diagnostic]) -> Result<Diff, Report> {
    let (old, new) = match (read(before), read(after)) {
        (Ok(old), Ok(new)) => (old, new),
        (old, new) => return Err(unreadable([(before, old.err()), (after, new.err())])),
    };
    let mut changes = walk::changes(before, after, &old.pack, &new.pack);
    changes.extend(overlays::changes(before, after, &old.pack, &new.pack));
    changes.extend(golden::changes(before, after));
    changes.extend(rejection::changes(rejections));
    if changes.is_empty() {
        changes.extend(values::rewritten(before, after));
    }
    let required = changes.iter().map(|change| change.class).max();
    let declared = DeclaredBump::between(&old.pack_ref, &new.pack_ref);
    let versions = bump::Versions { before, after, old: &old.pack_ref, new: &new.pack_ref };
    let diagnostics = bump::judge(&versions, &changes, required, declared);
    Ok(Diff { before: old.pack_ref, after: new.pack_ref, changes, required, declared, diagnostics })
}

struct Side {
    pack: ContextPack,
    pack_ref: PackRef,
}

fn read(bundle: &Bundle) -> Result<Side, Box<Diagnostic>> {
    let refuse = |pointer: &str, message: String| {
        let place = bundle.document.place(pointer);
        Box::new(
            Diagnostic::error(codes::DOCUMENT_NOT_COMPARABLE, message).stage("diff").at(place).help("lint it first"),
        )
    };
    let pack: ContextPack = serde_json::from_value(bundle.document.value().clone())
        .map_err(|e| refuse("", format!("the document is not a pack: {e}")))?;
    let meta = &pack.pack_meta;
    let pack_ref = PackRef::of(&meta.pack_id, &meta.pack_version)
        .map_err(|e| refuse("/pack_meta/pack_version", format!("the pack has no reference: {e}")))?;
    Ok(Side { pack, pack_ref })
}

fn unreadable(sides: [(&Bundle, Option<Box<Diagnostic>>); 2]) -> Report {
    let mut report = Report::default();
    for (bundle, fault) in sides {
        report.merge(bundle.report());
        fault.into_iter().for_each(|fault| report.push(*fault));
    }
    report
}
