//! What is wrong with packs that were added, and what is missing from them.

use crate::catalog::{Catalog, PackKind};
use crate::codes::{
    ADAPTER, BAD_PACK_ID, ENTITY_NAME, INCOMPLETE, KEY_NOT_REQUIRED, NO_DESCRIPTION, NO_ENTITY_FILE, NO_GRAIN,
    NOT_AN_ENTITY, PROFILE, ROLES, SHARED_TRIGGER, UNKNOWN_NAME, UNKNOWN_RIVAL, UNLISTED_ENTITY, VERSION,
};
use crate::read::{Listed, ReadEntity, ReadItem, ReadPack};
use deed_diag::{Code, Diagnostic, Document, Report, Severity, did_you_mean, quote};
use deed_model::{KindKey, Loss, Version};
use deed_schema::Schema;
use serde_json::Value;
use std::collections::BTreeSet;

const STAGE: &str = "catalog";

/// Looks at what was added.
pub(crate) fn lint(
    catalog: &Catalog,
    packs: &[ReadPack],
    entities: &[ReadEntity],
    items: &[ReadItem],
    report: &mut Report,
) {
    for pack in packs {
        Lint { catalog, document: &pack.document, report }.pack(pack, entities);
    }
    for entity in entities {
        let listed = packs
            .iter()
            .filter(|pack| pack.folder == entity.folder)
            .any(|pack| pack.library.entity_schemas.contains(&entity.id));
        Lint { catalog, document: &entity.document, report }.entity(entity, listed);
    }
    items.iter().for_each(|listed| item(catalog, listed, report));
}

struct Lint<'l> {
    catalog: &'l Catalog,
    document: &'l Document,
    report: &'l mut Report,
}

impl Lint<'_> {
    fn say(&mut self, severity: Severity, code: Code, at: &str, message: String, help: Option<String>) {
        let finding = Diagnostic::new(severity, code, message).stage(STAGE).at(self.document.place(at));
        self.report.push(finding.help_opt(help));
    }

    fn error(&mut self, code: Code, at: &str, message: String, help: Option<String>) {
        self.say(Severity::Error, code, at, message, help);
    }

    fn warn(&mut self, code: Code, at: &str, message: String, help: &str) {
        self.say(Severity::Warning, code, at, message, Some(help.to_owned()));
    }

    fn pack(&mut self, pack: &ReadPack, entities: &[ReadEntity]) {
        let library = &pack.library;
        if library.version.parse::<Version>().is_err() {
            let message = format!("{} is not a version of three numbers", quote(&library.version));
            self.error(VERSION, "/version", message, Some("write it as `1.0.0`".to_owned()));
        }
        self.complete(pack);
        for (index, id) in library.entity_schemas.iter().enumerate() {
            if !entities.iter().any(|entity| entity.folder == pack.folder && entity.id == *id) {
                let message = format!("{} has no file", quote(id.as_str()));
                let help = format!("write its JSON Schema into `entities/{id}.json`");
                self.error(NO_ENTITY_FILE, &format!("/entity_schemas/{index}"), message, Some(help));
            }
        }
        self.rivals(pack);
        self.profiles(pack);
        let sides = [("inputs", &library.typical_slots.inputs), ("outputs", &library.typical_slots.outputs)];
        for (side, slots) in sides {
            for (index, slot) in slots.iter().enumerate() {
                self.slot(slot, &format!("/typical_slots/{side}/{index}"));
            }
        }
        if let Some(policy) = &library.default_policy
            && self.catalog.policy(policy.as_str()).is_none()
        {
            let help = did_you_mean(policy.as_str(), self.catalog.policies().map(|p| p.policy_profile_id.as_str()));
            self.error(
                UNKNOWN_NAME,
                "/default_policy",
                format!("no policy is called {}", quote(policy.as_str())),
                help,
            );
        }
        self.triggers(pack);
    }

    /// What a pack has to say before others can find it and tell it from its neighbours.
    fn complete(&mut self, pack: &ReadPack) {
        if pack.kind == PackKind::Generic {
            return;
        }
        let library = &pack.library;
        let parts = [
            ("entity_schemas", library.entity_schemas.len(), 1, "list the entities that it defines"),
            ("triggers", library.triggers.len(), 3, "list phrases by which people ask for such work"),
            ("disambiguation", library.disambiguation.len(), 1, "say where it ends and the nearest other pack begins"),
            ("example_goals", library.example_goals.len(), 2, "write down objectives as people write them"),
            ("synonyms", library.synonyms.len(), 1, "list other words for its terms"),
            ("canonical_profiles", library.canonical_profiles.len(), 1, "say in which form its entities travel"),
            ("typical_slots/inputs", library.typical_slots.inputs.len(), 1, "say what usually goes in"),
            ("typical_slots/outputs", library.typical_slots.outputs.len(), 1, "say what usually comes out"),
        ];
        for (part, has, least, help) in parts {
            let name = part.replace('/', ".");
            let at = format!("/{part}");
            if has == 0 {
                self.error(INCOMPLETE, &at, format!("`{name}` is empty"), Some(help.to_owned()));
            } else if has < least {
                self.warn(INCOMPLETE, &at, format!("`{name}` has {has} of at least {least}"), help);
            }
        }
        let texts = [("purpose", &library.purpose)];
        for (part, text) in texts {
            if text.trim().is_empty() || text.contains("TODO") {
                self.error(INCOMPLETE, &format!("/{part}"), format!("`{part}` is not written yet"), None);
            }
        }
        let lists = [("triggers", &library.triggers), ("example_goals", &library.example_goals)];
        for (part, texts) in lists {
            for (index, text) in texts.iter().enumerate() {
                if text.trim().is_empty() || text.contains("TODO") {
                    self.error(INCOMPLETE, &format!("/{part}/{index}"), format!("`{part}` is not written yet"), None);
                }
            }
        }
    }

    fn rivals(&mut self, pack: &ReadPack) {
        for (index, rule) in pack.library.disambiguation.iter().enumerate() {
            let at = format!("/disambiguation/{index}/against");
            match rule.against() {
                Some(against) if against == pack.library.id() => {
                    self.error(UNKNOWN_RIVAL, &at, "a pack is not told apart from itself".to_owned(), None);
                }
                Some(against) if self.catalog.pack(pack.kind, against).is_none() => {
                    let packs = self.catalog.packs().filter(|other| other.kind == pack.kind);
                    let help = did_you_mean(against, packs.map(|other| other.library.id()));
                    let message = format!("no {} pack is called {}", pack.kind.as_str(), quote(against));
                    self.error(UNKNOWN_RIVAL, &at, message, help);
                }
                Some(_) | None => {}
            }
            if rule.text().trim().is_empty() || rule.text().contains("TODO") {
                let part = if rule.against().is_some() { "/rule" } else { "" };
                let at = format!("/disambiguation/{index}{part}");
                self.error(INCOMPLETE, &at, "`rule` is not written yet".to_owned(), None);
            }
        }
    }

    fn slot(&mut self, slot: &str, at: &str) {
        if self.catalog.slot(slot).is_none() {
            let help = did_you_mean(slot, self.catalog.slots().map(|known| known.slot.as_str()));
            self.error(UNKNOWN_NAME, at, format!("no slot is called {}", quote(slot)), help);
        }
    }

    fn profiles(&mut self, pack: &ReadPack) {
        for (index, profile) in pack.library.canonical_profiles.iter().enumerate() {
            let at = |part: &str| format!("/canonical_profiles/{index}/{part}");
            let id = &profile.profile_id;
            if id.kind_key().as_ref() != Some(&profile.kind_key) {
                let message =
                    format!("{} names another kind than {}", quote(id.as_str()), quote(profile.kind_key.as_str()));
                let help = "a profile is named `<scope>.<kind_key>.<semantic_name>.v<major>`";
                self.error(PROFILE, &at("profile_id"), message, Some(help.to_owned()));
            }
            if id.scope() != profile.entity_schema_id.domain() {
                let domain = profile.entity_schema_id.domain();
                let message = format!("{} has another scope than its entity, {}", quote(id.as_str()), quote(domain));
                self.error(PROFILE, &at("profile_id"), message, None);
            }
            if !pack.library.entity_schemas.contains(&profile.entity_schema_id) {
                let message = format!("{} is not an entity of this pack", quote(profile.entity_schema_id.as_str()));
                let help = "profiles of an entity belong to the pack that defines it".to_owned();
                self.error(PROFILE, &at("entity_schema_id"), message, Some(help));
            }
            if self.catalog.entity(profile.entity_schema_id.as_str()).is_none() {
                let name = profile.entity_schema_id.as_str();
                let help = did_you_mean(name, self.catalog.entities().map(|entity| entity.id.as_str()));
                self.error(UNKNOWN_NAME, &at("entity_schema_id"), format!("no entity is called {}", quote(name)), help);
            }
            let accepted = profile.also_accepts.iter().enumerate();
            let accepted = accepted.map(|(number, kind)| (at(&format!("also_accepts/{number}")), kind));
            for (place, kind) in accepted.chain([(at("kind_key"), &profile.kind_key)]) {
                if self.catalog.kind(kind.as_str()).is_none() {
                    let help = did_you_mean(kind.as_str(), self.catalog.kinds().map(|kind| kind.kind_key.as_str()));
                    self.error(UNKNOWN_NAME, &place, format!("no kind is called {}", quote(kind.as_str())), help);
                }
            }
            self.slot(&profile.slot, &at("slot"));
            let carried = self.catalog.slot(&profile.slot).is_none_or(|slot| slot.kinds.contains(&profile.kind_key));
            if !carried {
                let message =
                    format!("{} is not carried by {}", quote(profile.kind_key.as_str()), quote(&profile.slot));
                let kinds = self.catalog.slot(&profile.slot).map(|slot| listed(&slot.kinds));
                self.error(PROFILE, &at("kind_key"), message, kinds.map(|kinds| format!("it carries {kinds}")));
            }
        }
    }

    fn triggers(&mut self, pack: &ReadPack) {
        for (index, trigger) in pack.library.triggers.iter().enumerate() {
            let other = self.catalog.packs().find(|other| {
                other.kind == pack.kind
                    && other.library.id() != pack.library.id()
                    && other.library.triggers.contains(trigger)
            });
            let told_apart = |other: &str| {
                let rules = &pack.library.disambiguation;
                rules.iter().any(|rule| match rule.against() {
                    Some(against) => against == other,
                    None => rule.text().split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == other),
                })
            };
            if let Some(other) = other.filter(|other| !told_apart(other.library.id())) {
                let message = format!("{} is a trigger of {} too", quote(trigger), quote(other.library.id()));
                let help = "say more, or tell the two apart under `disambiguation`";
                self.warn(SHARED_TRIGGER, &format!("/triggers/{index}"), message, help);
            }
        }
    }

    fn entity(&mut self, entity: &ReadEntity, listed: bool) {
        let value = self.document.value().clone();
        if !listed {
            let message = format!("no pack lists {}", quote(entity.id.as_str()));
            self.error(UNLISTED_ENTITY, "", message, Some("list it under `entity_schemas` of its pack".to_owned()));
        }
        let wanted = format!("urn:deed:entity:{}", entity.id);
        if value.get("$id").and_then(Value::as_str).is_some_and(|id| id != wanted) {
            let message = "its `$id` is not that of the entity its file is named after".to_owned();
            self.error(ENTITY_NAME, "/$id", message, Some(format!("write `{wanted}`")));
        }
        if value.get("type").and_then(Value::as_str) != Some("object") && !entity.id.is_generic() {
            let message = "an entity is an object with fields".to_owned();
            self.error(NOT_AN_ENTITY, "", message, Some("write `\"type\": \"object\"` and `properties`".to_owned()));
        }
        let sound = Schema::new(value.clone()).and_then(|schema| schema.sound());
        if let Err(refused) = sound {
            self.error(NOT_AN_ENTITY, "", format!("it is no usable schema: {refused}"), None);
        }
        let Some(known) = self.catalog.entity(entity.id.as_str()) else { return };
        let (required, fields) = (known.required.clone(), known.fields.clone());
        let mut named: Vec<(String, String)> = Vec::new();
        for (index, key) in known.keys.iter().enumerate() {
            named.extend(key.iter().map(|field| (format!("/x-deed-keys/{index}"), field.clone())));
        }
        named.extend(known.grain.iter().map(|field| ("/x-deed-grain".to_owned(), field.clone())));
        let rowless = known.grain.is_empty() && !known.id.is_generic();
        for (at, field) in named {
            if !fields.contains(&field) {
                let help = did_you_mean(&field, fields.iter().map(String::as_str));
                self.error(KEY_NOT_REQUIRED, &at, format!("{} is no field of it", quote(&field)), help);
            } else if !required.contains(&field) {
                let message = format!("{} may be missing, so it identifies nothing", quote(&field));
                self.error(KEY_NOT_REQUIRED, &at, message, Some("list it under `required`".to_owned()));
            }
        }
        let open = value.get("additionalProperties") != Some(&Value::Bool(false));
        for field in required.iter().filter(|field| !open && !fields.contains(*field)) {
            let message = format!("{} is required, and no field of that name may be there", quote(field));
            let help = did_you_mean(field, fields.iter().map(String::as_str));
            self.error(KEY_NOT_REQUIRED, "/required", message, help);
        }
        if rowless {
            let message = "it does not say what one row is".to_owned();
            self.warn(NO_GRAIN, "", message, "list the fields that identify a row under `x-deed-grain`");
        }
        let properties = value.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            if schema.get("description").and_then(Value::as_str).is_none_or(str::is_empty) {
                let at = deed_canon::Pointer::push("/properties", name);
                self.warn(NO_DESCRIPTION, &at, format!("{} does not say what it means", quote(name)), "describe it");
            }
        }
    }
}

fn listed(kinds: &[KindKey]) -> String {
    let kinds: Vec<String> = kinds.iter().map(|kind| quote(kind.as_str())).collect();
    kinds.join(", ")
}

/// One thing of a list: a kind, a slot, an adapter or a capability.
fn item(catalog: &Catalog, item: &ReadItem, report: &mut Report) {
    let mut extra = None;
    let mut say = |code: Code, part: &str, message: String, help: Option<String>| {
        let place = item.document.place(&format!("{}{part}", item.at));
        report.push(Diagnostic::error(code, message).stage(STAGE).at(place).help_opt(help));
    };
    let name = quote(&item.name);
    let word = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.'))
    };
    if !word(&item.name) {
        let message = format!("{name} is no name: lowercase letters, digits, `_` and `.`");
        say(BAD_PACK_ID, "", message, None);
    }
    let unknown = |kind: &KindKey| {
        let help = did_you_mean(kind.as_str(), catalog.kinds().map(|kind| kind.kind_key.as_str()));
        (format!("{name} speaks of {}, which is no kind", quote(kind.as_str())), help)
    };
    match item.what {
        Listed::Kind => {
            let kind = catalog.kind(&item.name);
            let plain = |text: &str| text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
            for (index, ending) in kind.iter().flat_map(|kind| kind.extensions.iter().enumerate()) {
                if ending.is_empty()
                    || !plain(ending)
                    || ending.starts_with('.')
                    || ending.ends_with('.')
                    || ending.contains("..")
                {
                    let message = format!("{} is no ending of file names", quote(ending));
                    let help = Some("write it with letters, digits, `_` and `-`, without the first dot".to_owned());
                    say(INCOMPLETE, &format!("/extensions/{index}"), message, help);
                }
            }
            if catalog.kind(&item.name).is_some_and(|kind| kind.extensions.is_empty()) {
                let message = format!("files of kind {name} have no ending");
                say(INCOMPLETE, "/extensions", message, Some("list at least one under `extensions`".to_owned()));
            }
        }
        Listed::Slot => {
            let kinds = catalog.slot(&item.name).map(|slot| slot.kinds.as_slice()).unwrap_or_default();
            if kinds.is_empty() {
                say(INCOMPLETE, "/kinds", format!("slot {name} carries nothing"), None);
            }
            for (index, kind) in kinds.iter().enumerate().filter(|(_, kind)| catalog.kind(kind.as_str()).is_none()) {
                let (message, help) = unknown(kind);
                say(UNKNOWN_NAME, &format!("/kinds/{index}"), message, help);
            }
        }
        Listed::Adapter => {
            let Some(adapter) = catalog.adapter(&item.name) else { return };
            for kind in adapter.from.iter().chain([&adapter.to]).filter(|kind| catalog.kind(kind.as_str()).is_none()) {
                let (message, help) = unknown(kind);
                say(ADAPTER, "", message, help);
            }
            let named: BTreeSet<&String> = adapter.roles.iter().collect();
            let roles = match adapter.from.len() {
                1 => adapter.roles.is_empty(),
                inputs => adapter.roles.len() == inputs && named.len() == inputs,
            };
            if !roles {
                let message =
                    format!("{name} takes {} inputs, and its roles do not tell them apart", adapter.from.len());
                let help = "list one role for each kind under `roles`, such as `[left, right]`; none for one input";
                say(ROLES, "/roles", message, Some(help.to_owned()));
            }
            if adapter.from.is_empty() || adapter.from == [adapter.to.clone()] {
                say(ADAPTER, "/from", format!("{name} leads nowhere"), None);
            }
            if item.own {
                let message = format!("nothing that is built in runs {name}; whoever runs a plan has to have it");
                let place = item.document.place(&format!("{}/adapter_id", item.at));
                let help = "plans use it wherever it is the cheapest way; take it out if nobody has it";
                extra = Some(Diagnostic::warning(ADAPTER, message).stage(STAGE).at(place).help(help));
            }
            if adapter.loss == Loss::Lossy && adapter.drops.is_empty() {
                let help = Some("say it under `drops`: plans that use it repeat it".to_owned());
                say(ADAPTER, "/loss", format!("{name} is lossy and does not say what it drops"), help);
            }
        }
        Listed::Capability => {}
    }
    extra.into_iter().for_each(|finding| report.push(finding));
}
