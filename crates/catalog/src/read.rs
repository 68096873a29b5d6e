//! Files become a catalogue: each is held to its schema, and what it defines is added to what was there.

use crate::catalog::{Catalog, PackKind, RegisteredPack};
use crate::entity::Entity;
use crate::lint::{Audience, Parts, lint};
use deed_diag::{Code, Diagnostic, Document, Format, Place, Report, codes, did_you_mean, quote};
use deed_model::{
    AdapterDeclaration, EntitySchemaId, Kind, Library, PolicyProfile, RegisteredCapability, Slot, schema_for,
};
use deed_schema::Shape;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A file of a catalogue.
#[derive(Debug, Clone, Copy)]
pub struct CatalogFile<'f> {
    /// Its path, with slashes.
    pub name: &'f str,
    /// Its bytes.
    pub bytes: &'f [u8],
}

/// The origin of a part of a catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Inside the binary.
    BuiltIn,
    /// A folder that a user added.
    Added,
}

/// Finds secrets in a text, so that no message shows them.
pub type Conceal = fn(&str) -> Vec<std::ops::Range<usize>>;

/// Adds files to a catalogue. The report has all findings; with errors in it, the catalogue must not be used.
pub fn read(base: &Catalog, files: &[CatalogFile<'_>], origin: Origin, conceal: Conceal) -> (Catalog, Report) {
    read_for(Audience::Project, base, files, origin, conceal)
}

/// Adds files to a catalogue for an audience: a folder for others needs the texts by which they find its packs.
pub fn read_for(
    audience: Audience,
    base: &Catalog,
    files: &[CatalogFile<'_>],
    origin: Origin,
    conceal: Conceal,
) -> (Catalog, Report) {
    let mut reader = Reader {
        catalog: base.clone(),
        report: Report::default(),
        origin,
        packs: Vec::new(),
        entities: Vec::new(),
        items: Vec::new(),
        extends: base.kinds().next().is_some(),
        conceal,
    };
    for file in files {
        reader.file(file);
    }
    if let Err(error) = reader.catalog.index() {
        reader.report.push(
            Diagnostic::error(codes::CATALOG_PART_UNREADABLE, format!("it has no canonical form: {error}"))
                .stage("catalog"),
        );
    }
    // The built-in files are linted by a test, and not at every use.
    if origin != Origin::BuiltIn {
        let Reader { catalog, report, packs, entities, items, .. } = &mut reader;
        lint(catalog, &Parts { packs, entities, items }, audience, report);
    }
    (reader.catalog, reader.report)
}

/// A pack as it was read, for the lint.
pub(crate) struct ReadPack {
    pub(crate) document: Document,
    pub(crate) library: Library,
    pub(crate) kind: PackKind,
    pub(crate) folder: String,
}

/// A part of a list, as it was read.
pub(crate) struct ReadItem {
    pub(crate) document: Arc<Document>,
    pub(crate) at: String,
    pub(crate) what: ListedPart,
    pub(crate) name: String,
    /// True if it is a user's own, and not part of what is built in.
    pub(crate) own: bool,
}

/// The parts of a catalogue that are defined in lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListedPart {
    Kind,
    Slot,
    Adapter,
    Capability,
}

impl ListedPart {
    fn with_article(self) -> &'static str {
        match self {
            Self::Kind => "a kind",
            Self::Slot => "a slot",
            Self::Adapter => "an adapter",
            Self::Capability => "a capability",
        }
    }
}

/// An entity as it was read.
pub(crate) struct ReadEntity {
    pub(crate) document: Document,
    pub(crate) id: EntitySchemaId,
    pub(crate) folder: String,
}

struct Reader {
    catalog: Catalog,
    report: Report,
    origin: Origin,
    packs: Vec<ReadPack>,
    entities: Vec<ReadEntity>,
    items: Vec<ReadItem>,
    /// True if there was a catalogue before.
    extends: bool,
    conceal: Conceal,
}

impl Reader {
    fn file(&mut self, file: &CatalogFile<'_>) {
        let parts: Vec<&str> = file.name.split('/').collect();
        match parts.as_slice() {
            [.., "pack.yaml" | "pack.yml" | "pack.json"] => self.pack(file),
            [folder @ .., "entities", name] => self.entity(file, &folder.join("/"), name),
            [.., "kinds", _] => self.each(file, ListedPart::Kind, |c, kind: Kind| {
                let name = kind.kind_key.to_string();
                (c.kinds.insert(kind.kind_key.clone(), kind).is_some(), name)
            }),
            [.., "slots", _] => self.each(file, ListedPart::Slot, |c, slot: Slot| {
                let name = slot.slot.clone();
                (c.slots.insert(name.clone(), slot).is_some(), name)
            }),
            [.., "adapters", _] => self.each(file, ListedPart::Adapter, |c, adapter: AdapterDeclaration| {
                let name = adapter.adapter_id.clone();
                (c.adapters.insert(name.clone(), adapter).is_some(), name)
            }),
            [.., "capabilities", _] => {
                self.each(file, ListedPart::Capability, |c, capability: RegisteredCapability| {
                    let name = capability.capability.clone();
                    (c.capabilities.insert(name.clone(), capability).is_some(), name)
                })
            }
            [.., "policies", _] => self.policy(file),
            _ => {
                let known = ["pack.yaml", "entities", "kinds", "slots", "adapters", "capabilities", "policies"];
                let help = parts
                    .iter()
                    .find_map(|part| did_you_mean(part, known))
                    .unwrap_or_else(|| "a pack is `pack.yaml` with a folder `entities`".to_owned());
                let finding = Diagnostic::warning(
                    codes::STRAY_FILE,
                    "no part of a catalogue is kept in such a file; it is left out",
                );
                self.report.push(finding.stage("catalog").at(Place::file(file.name)).help(help));
            }
        }
    }

    /// A document as its type says it must be, all that is wrong with it at once.
    fn typed<T: DeserializeOwned + JsonSchema>(&mut self, file: &CatalogFile<'_>) -> Option<(Document, T)> {
        let document = match Document::read_with(file.name, file.bytes, Format::of_name(file.name), self.conceal) {
            Ok(document) => document,
            Err(report) => {
                self.report.merge(report);
                return None;
            }
        };
        let findings = match self.origin {
            Origin::BuiltIn => Vec::new(),
            Origin::Added => Shape::new(schema_for::<T>()).findings(&document),
        };
        self.report.add_source(document.source().clone());
        let refused = !findings.is_empty();
        findings.into_iter().for_each(|finding| self.report.push(finding.stage("catalog")));
        match serde_json::from_value(document.value().clone()) {
            Ok(value) => Some((document, value)),
            Err(error) => {
                if !refused {
                    self.say(&document, "", codes::CATALOG_PART_UNREADABLE, format!("it cannot be read: {error}"));
                }
                None
            }
        }
    }

    fn say(&mut self, document: &Document, at: &str, code: Code, message: String) {
        self.report.push(Diagnostic::error(code, message).stage("catalog").at(document.place(at)));
    }

    /// Reads a list of parts of one sort, each of which has to be new.
    fn each<T>(&mut self, file: &CatalogFile<'_>, what: ListedPart, add: fn(&mut Catalog, T) -> (bool, String))
    where
        T: DeserializeOwned + JsonSchema,
    {
        let Some((document, all)) = self.typed::<Vec<T>>(file) else { return };
        let document = Arc::new(document);
        for (index, item) in all.into_iter().enumerate() {
            let (taken, name) = add(&mut self.catalog, item);
            let at = format!("/{index}");
            if taken {
                self.say(
                    &document,
                    &at,
                    codes::CATALOG_NAME_TAKEN,
                    format!("there is {} {} already", what.with_article(), quote(&name)),
                );
            }
            self.items.push(ReadItem { document: Arc::clone(&document), at, what, name, own: self.extends });
        }
    }

    fn policy(&mut self, file: &CatalogFile<'_>) {
        let Some((document, policy)) = self.typed::<PolicyProfile>(file) else { return };
        if self.catalog.policies.insert(policy.policy_profile_id.clone(), policy).is_some() {
            self.say(
                &document,
                "/policy_profile_id",
                codes::CATALOG_NAME_TAKEN,
                "there is such a policy already".to_owned(),
            );
        }
    }

    fn pack(&mut self, file: &CatalogFile<'_>) {
        let Some((document, library)) = self.typed::<Library>(file) else { return };
        let kind = match (&library.domain_pack_id, &library.workflow_pack_id, &library.generic_pack_id) {
            (Some(_), None, None) => PackKind::Domain,
            (None, Some(_), None) => PackKind::Workflow,
            (None, None, Some(_)) => PackKind::Generic,
            _ => {
                let message = "a pack has exactly one of `domain_pack_id`, `workflow_pack_id` and `generic_pack_id`";
                self.say(&document, "", codes::BAD_TYPE_PACK_ID, message.to_owned());
                return;
            }
        };
        let at = format!("/{}_pack_id", kind.as_str());
        if !is_pack_id(library.id()) {
            let message = format!("{} is not a name of a pack: lowercase words with dashes", quote(library.id()));
            self.say(&document, &at, codes::BAD_TYPE_PACK_ID, message);
            return;
        }
        for (index, profile) in library.canonical_profiles.iter().enumerate() {
            if self.catalog.profiles.insert(profile.profile_id.clone(), profile.clone()).is_some() {
                let message = format!("there is a profile {} already", quote(profile.profile_id.as_str()));
                self.say(
                    &document,
                    &format!("/canonical_profiles/{index}/profile_id"),
                    codes::CATALOG_NAME_TAKEN,
                    message,
                );
            }
        }
        let named = (kind, library.id().to_owned());
        let pack = RegisteredPack { library: library.clone(), kind, origin: self.origin };
        if self.catalog.packs.insert(named, pack).is_some() {
            let message = format!("there is a {} pack {} already", kind.as_str(), quote(library.id()));
            self.say(&document, &at, codes::CATALOG_NAME_TAKEN, message);
        }
        let folder = file.name.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        self.packs.push(ReadPack { document, library, kind, folder });
    }

    fn entity(&mut self, file: &CatalogFile<'_>, folder: &str, name: &str) {
        let document = match Document::read_with(file.name, file.bytes, Format::of_name(file.name), self.conceal) {
            Ok(document) => document,
            Err(report) => {
                self.report.merge(report);
                return;
            }
        };
        self.report.add_source(document.source().clone());
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let id: EntitySchemaId = match stem.parse() {
            Ok(id) => id,
            Err(error) => {
                self.say(
                    &document,
                    "",
                    codes::NOT_AN_ENTITY,
                    format!("its file is not named after an entity: {error}"),
                );
                return;
            }
        };
        match Entity::new(id.clone(), document.value().clone()) {
            Ok(entity) => {
                if self.catalog.entities.insert(id.clone(), entity).is_some() {
                    let message = format!("there is an entity {} already", quote(id.as_str()));
                    self.say(&document, "", codes::CATALOG_NAME_TAKEN, message);
                }
            }
            Err(error) => self.say(&document, "", codes::NOT_AN_ENTITY, format!("it has no canonical form: {error}")),
        }
        self.entities.push(ReadEntity { document, id, folder: folder.to_owned() });
    }
}

/// Lowercase words with dashes.
pub(crate) fn is_pack_id(id: &str) -> bool {
    let word = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_lowercase())
            && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    id.len() <= 80 && id.split('-').all(word)
}
