//! The lint of type packs: errors that make them unusable, and texts that are missing.

mod entity;
mod items;
mod pack;

pub(crate) use self::entity::{Prose, check_entity};

use crate::catalog::Catalog;
use crate::read::{ReadEntity, ReadItem, ReadPack};
use deed_diag::{Code, Diagnostic, Document, Report, Severity};
use std::path::Path;

const STAGE: &str = "catalog";

/// The audience of a folder of types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Audience {
    /// The project that has it: texts by which others would find a pack may be missing, and are warned about.
    #[default]
    Project,
    /// Others: a pack without those texts is refused.
    Published,
}

impl Audience {
    /// The severity of a text that is missing.
    fn of_prose(self) -> Severity {
        match self {
            Self::Project => Severity::Warning,
            Self::Published => Severity::Error,
        }
    }
}

/// The parts of a folder, as they were read.
pub(crate) struct Parts<'l> {
    pub(crate) packs: &'l [ReadPack],
    pub(crate) entities: &'l [ReadEntity],
    pub(crate) items: &'l [ReadItem],
}

/// Lints what was added to a catalogue.
pub(crate) fn lint(catalog: &Catalog, parts: &Parts<'_>, audience: Audience, report: &mut Report) {
    for pack in parts.packs {
        pack::lint(&mut Lint { catalog, document: &pack.document, audience, report }, pack, parts.entities);
    }
    for entity in parts.entities {
        let mut same_folder = parts.packs.iter().filter(|pack| pack.folder == entity.folder).peekable();
        let listed = match same_folder.peek() {
            Some(_) => same_folder.any(|pack| pack.library.entity_schemas.contains(&entity.id)),
            None => has_unread_pack(report, &entity.folder),
        };
        entity::lint(&mut Lint { catalog, document: &entity.document, audience, report }, entity, listed);
    }
    parts.items.iter().for_each(|item| items::lint(catalog, item, report));
}

/// Returns true if the pack of a folder could not be read: what it lists is not known then.
fn has_unread_pack(report: &Report, folder: &str) -> bool {
    let of_pack = |source: &str| {
        let path = Path::new(source);
        path.file_stem().is_some_and(|stem| stem == "pack") && path.parent().is_some_and(|own| own.ends_with(folder))
    };
    let errors = report.diagnostics().iter().filter(|found| found.severity == Severity::Error);
    errors.filter_map(|found| found.place.as_ref()).any(|place| of_pack(&place.source))
}

/// The lint of one document.
struct Lint<'l> {
    catalog: &'l Catalog,
    document: &'l Document,
    audience: Audience,
    report: &'l mut Report,
}

impl Lint<'_> {
    fn add(&mut self, severity: Severity, code: Code, at: &str, message: String, help: Option<String>) {
        let finding = Diagnostic::new(severity, code, message).stage(STAGE).at(self.document.place(at));
        self.report.push(finding.help_opt(help));
    }

    fn error(&mut self, code: Code, at: &str, message: String, help: Option<String>) {
        self.add(Severity::Error, code, at, message, help);
    }

    fn warn(&mut self, code: Code, at: &str, message: String, help: &str) {
        self.add(Severity::Warning, code, at, message, Some(help.to_owned()));
    }
}
