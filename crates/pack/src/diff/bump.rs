//! The author's version number, compared with the version that the changes need.

use super::change::{Change, ChangeKind};
use super::class::ChangeClass;
use super::overlays;
use crate::bundle::Bundle;
use deed_diag::{Code, Diagnostic, Place, codes};
use deed_model::{PackRef, Version};
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// The declared bump of a version number: the highest part that rose decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DeclaredBump {
    /// The number is lower than before.
    Backwards,
    /// The number is the same.
    None,
    /// Only the third part rose.
    Patch,
    /// The second part rose.
    Minor,
    /// The first part rose.
    Major,
}

impl DeclaredBump {
    pub(super) fn between(before: &PackRef, after: &PackRef) -> Self {
        let (Version { major, minor, patch }, to) = (before.version, after.version);
        match (to.major.cmp(&major), to.minor.cmp(&minor), to.patch.cmp(&patch)) {
            (Ordering::Greater, _, _) => Self::Major,
            (Ordering::Equal, Ordering::Greater, _) => Self::Minor,
            (Ordering::Equal, Ordering::Equal, Ordering::Greater) => Self::Patch,
            (Ordering::Equal, Ordering::Equal, Ordering::Equal) => Self::None,
            (Ordering::Less, _, _) | (Ordering::Equal, Ordering::Less, _) | (_, _, Ordering::Less) => Self::Backwards,
        }
    }

    /// Returns true if the bump is at least the one that the changes need.
    fn covers(self, required: ChangeClass) -> bool {
        match required {
            ChangeClass::Patch => self >= Self::Patch,
            ChangeClass::Minor => self >= Self::Minor,
            ChangeClass::Major => self >= Self::Major,
            ChangeClass::Reject => false,
        }
    }
}

impl fmt::Display for DeclaredBump {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Backwards => "backwards",
            Self::None => "none",
            Self::Patch => "patch",
            Self::Minor => "minor",
            Self::Major => "major",
        })
    }
}

/// The two versions to compare.
pub(super) struct Versions<'a> {
    pub(super) before: &'a Bundle,
    pub(super) after: &'a Bundle,
    pub(super) old: &'a PackRef,
    pub(super) new: &'a PackRef,
}

/// Returns the findings about the new version number.
pub(super) fn judge(
    versions: &Versions<'_>,
    changes: &[Change],
    required: Option<ChangeClass>,
    declared: DeclaredBump,
) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = versions.rejected(changes).into_iter().collect();
    let deciding = changes.iter().filter(|c| c.class != ChangeClass::Reject).max_by(|a, b| {
        // The first of the greatest, not the last.
        a.class.cmp(&b.class).then(Ordering::Greater)
    });
    match (declared, deciding) {
        _ if versions.old.pack_id != versions.new.pack_id => found.push(versions.other_pack()),
        (DeclaredBump::Backwards, _) => found.push(versions.backwards()),
        (DeclaredBump::None, Some(change)) => found.push(versions.same_version(change)),
        (DeclaredBump::None, None) => {}
        (declared, Some(change)) if !declared.covers(change.class) => found.push(versions.too_small(declared, change)),
        (_, None) if required.is_none() => found.push(versions.nothing_changed()),
        (_, _) => {}
    }
    found
}

impl Versions<'_> {
    fn finding(&self, code: Code, message: String) -> Diagnostic {
        Diagnostic::error(code, message).stage("diff").at(self.after.document.place("/pack_meta/pack_version"))
    }

    fn other_pack(&self) -> Diagnostic {
        let message = format!("`{}` and `{}` are two packs, not two versions", self.old.pack_id, self.new.pack_id);
        Diagnostic::error(codes::DIFFERENT_PACKS, message)
            .stage("diff")
            .at(self.after.document.place("/pack_meta/pack_id"))
            .help("compare versions of one pack; a renamed pack is a new pack")
    }

    fn backwards(&self) -> Diagnostic {
        let message = format!("`{}` is lower than `{}`", self.new.version, self.old.version);
        self.finding(codes::VERSION_GOES_BACKWARDS, message)
            .help("versions only rise; to roll back, pin the earlier version again")
    }

    fn same_version(&self, change: &Change) -> Diagnostic {
        let version = &self.new.version;
        let message = format!("the pack changed, but its version is still `{version}`: {}", described(change));
        let diagnostic = self.finding(codes::SAME_VERSION, message).related(self.place(change), change.why.clone());
        diagnostic.help(format!("a version never changes; these changes need `{}`", self.next(change.class)))
    }

    fn too_small(&self, declared: DeclaredBump, change: &Change) -> Diagnostic {
        let (new, class) = (&self.new.version, change.class);
        let message =
            format!("`{new}` is a {declared} version, but the changes need a {class} one: {}", described(change));
        self.finding(codes::VERSION_BUMP_TOO_SMALL, message)
            .related(self.place(change), change.why.clone())
            .help(format!("write `pack_version: {}`, or take the change back", self.next(class)))
    }

    fn nothing_changed(&self) -> Diagnostic {
        let message = format!("nothing changed between `{}` and `{}`", self.old, self.new);
        let place = self.after.document.place("/pack_meta/pack_version");
        Diagnostic::info(codes::NOTHING_CHANGED, message).stage("diff").at(place)
    }

    fn rejected(&self, changes: &[Change]) -> Option<Diagnostic> {
        let mut rejections = changes.iter().filter(|c| c.class == ChangeClass::Reject);
        let first = rejections.next()?;
        let more = match rejections.count() {
            0 => String::new(),
            n => format!(", and {n} more"),
        };
        let message = format!("no version number can allow this change: {}{more}", first.why);
        let diagnostic = Diagnostic::error(codes::CHANGE_REJECTED, message).stage("diff").at(self.place(first));
        Some(diagnostic.help("fix what the gates found; the change is rejected until it is redesigned"))
    }

    /// Returns the lowest version that is sufficient.
    fn next(&self, class: ChangeClass) -> Version {
        let Version { major, minor, patch } = self.old.version;
        match class {
            ChangeClass::Patch => Version { major, minor, patch: patch.saturating_add(1) },
            ChangeClass::Minor => Version { major, minor: minor.saturating_add(1), patch: 0 },
            ChangeClass::Major | ChangeClass::Reject => Version { major: major.saturating_add(1), minor: 0, patch: 0 },
        }
    }

    /// Returns the place of a change; a removal is shown in the older document.
    fn place(&self, change: &Change) -> Place {
        let bundle = if change.what == ChangeKind::Removed { self.before } else { self.after };
        let (document, pointer) = overlays::locate(bundle, change);
        let mut place = document.place(&pointer);
        // Two sources with the same name cannot be distinguished, and the wrong one must not be underlined.
        let same_name = self.before.document.source().name() == self.after.document.source().name();
        if same_name && change.what == ChangeKind::Removed {
            place.span = None;
        }
        place
    }
}

fn described(change: &Change) -> String {
    format!("{} {}, which is {}", change.subject, change.what.as_str(), change.class)
}
