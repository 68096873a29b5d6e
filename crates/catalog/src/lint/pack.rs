//! Packs: a version, entities with files, profiles that lead somewhere, and the texts by which others find them.

use super::Lint;
use crate::catalog::PackKind;
use crate::read::{ReadEntity, ReadPack};
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{Disambiguation, KindKey, Profile, Version};

/// The beginning of a text that is still to be written.
const PLACEHOLDER: &str = "TODO";

pub(super) fn lint(lint: &mut Lint<'_>, pack: &ReadPack, entities: &[ReadEntity]) {
    let library = &pack.library;
    if library.version.parse::<Version>().is_err() {
        let message = format!("{} is not a version of three numbers", quote(&library.version));
        lint.error(codes::BAD_TYPE_PACK_VERSION, "/version", message, Some("write it as `1.0.0`".to_owned()));
    }
    if pack.kind != PackKind::Generic {
        complete(lint, pack);
        written(lint, pack);
    }
    for (index, id) in library.entity_schemas.iter().enumerate() {
        if !entities.iter().any(|entity| entity.folder == pack.folder && entity.id == *id) {
            let message = format!("{} has no file", quote(id.as_str()));
            let help = format!("write its JSON Schema into `entities/{id}.json`");
            lint.error(codes::ENTITY_FILE_MISSING, &format!("/entity_schemas/{index}"), message, Some(help));
        }
    }
    disambiguation(lint, pack);
    for (index, item) in library.canonical_profiles.iter().enumerate() {
        profile(lint, pack, index, item);
    }
    let sides = [("inputs", &library.typical_slots.inputs), ("outputs", &library.typical_slots.outputs)];
    for (side, slots) in sides {
        for (index, name) in slots.iter().enumerate() {
            slot(lint, name, &format!("/typical_slots/{side}/{index}"));
        }
    }
    if let Some(policy) = &library.default_policy
        && lint.catalog.policy(policy.as_str()).is_none()
    {
        let help = did_you_mean(policy.as_str(), lint.catalog.policies().map(|p| p.policy_profile_id.as_str()));
        let message = format!("no policy is called {}", quote(policy.as_str()));
        lint.error(codes::UNKNOWN_CATALOG_NAME, "/default_policy", message, help);
    }
    triggers(lint, pack);
}

/// A pack needs entities to be usable, and the rest so that others find it and tell it from its neighbours.
fn complete(lint: &mut Lint<'_>, pack: &ReadPack) {
    let library = &pack.library;
    if library.entity_schemas.is_empty() {
        let help = Some("list the entities that it defines".to_owned());
        lint.error(codes::TYPE_PACK_INCOMPLETE, "/entity_schemas", "`entity_schemas` is empty".to_owned(), help);
    }
    let parts = [
        ("triggers", library.triggers.len(), 3, "list phrases by which people ask for such work"),
        ("disambiguation", library.disambiguation.len(), 1, "say where it ends and the nearest other pack begins"),
        ("example_goals", library.example_goals.len(), 2, "write down objectives as people write them"),
        ("synonyms", library.synonyms.len(), 1, "list other words for its terms"),
        ("canonical_profiles", library.canonical_profiles.len(), 1, "say in which form its entities travel"),
        ("typical_slots/inputs", library.typical_slots.inputs.len(), 1, "say what usually goes in"),
        ("typical_slots/outputs", library.typical_slots.outputs.len(), 1, "say what usually comes out"),
    ];
    for (part, has, least, help) in parts {
        let (name, at) = (part.replace('/', "."), format!("/{part}"));
        if has == 0 {
            let severity = lint.audience.of_prose();
            let message = format!("`{name}` is empty");
            lint.add(severity, codes::TYPE_PACK_INCOMPLETE, &at, message, Some(help.to_owned()));
        } else if has < least {
            lint.warn(codes::TYPE_PACK_INCOMPLETE, &at, format!("`{name}` has {has} of at least {least}"), help);
        }
    }
}

/// Texts have to be written, and not be placeholders.
fn written(lint: &mut Lint<'_>, pack: &ReadPack) {
    let library = &pack.library;
    let lists = [("triggers", &library.triggers), ("example_goals", &library.example_goals)];
    let items = lists.iter().flat_map(|(part, texts)| {
        texts.iter().enumerate().map(move |(index, text)| (*part, format!("/{part}/{index}"), text))
    });
    for (part, at, text) in [("purpose", "/purpose".to_owned(), &library.purpose)].into_iter().chain(items) {
        unwritten(lint, part, &at, text);
    }
}

fn unwritten(lint: &mut Lint<'_>, part: &str, at: &str, text: &str) {
    if text.trim().is_empty() || text.contains(PLACEHOLDER) {
        let severity = lint.audience.of_prose();
        lint.add(severity, codes::TYPE_PACK_INCOMPLETE, at, format!("`{part}` is not written yet"), None);
    }
}

/// Rules that tell a pack from others name packs that exist.
fn disambiguation(lint: &mut Lint<'_>, pack: &ReadPack) {
    for (index, rule) in pack.library.disambiguation.iter().enumerate() {
        let at = format!("/disambiguation/{index}/against");
        match rule.against() {
            Some(against) if against == pack.library.id() => {
                let message = "a pack is compared with itself".to_owned();
                lint.error(codes::UNKNOWN_DISAMBIGUATION_PACK, &at, message, None);
            }
            Some(against) if lint.catalog.pack(pack.kind, against).is_none() => {
                let packs = lint.catalog.packs().filter(|other| other.kind == pack.kind);
                let help = did_you_mean(against, packs.map(|other| other.library.id()));
                let message = format!("no {} pack is called {}", pack.kind.as_str(), quote(against));
                lint.error(codes::UNKNOWN_DISAMBIGUATION_PACK, &at, message, help);
            }
            Some(_) | None => {}
        }
        let part = if rule.against().is_some() { "/rule" } else { "" };
        unwritten(lint, "rule", &format!("/disambiguation/{index}{part}"), rule.text());
    }
}

fn slot(lint: &mut Lint<'_>, slot: &str, at: &str) {
    if lint.catalog.slot(slot).is_none() {
        let help = did_you_mean(slot, lint.catalog.slots().map(|known| known.slot.as_str()));
        lint.error(codes::UNKNOWN_CATALOG_NAME, at, format!("no slot is called {}", quote(slot)), help);
    }
}

/// A profile is named after what it is of, and everything in it exists.
fn profile(lint: &mut Lint<'_>, pack: &ReadPack, index: usize, profile: &Profile) {
    let at = |part: &str| format!("/canonical_profiles/{index}/{part}");
    let (id, kind, entity) = (&profile.profile_id, &profile.kind_key, &profile.entity_schema_id);
    if id.kind_key().as_ref() != Some(kind) {
        let message = format!("{} names another kind than {}", quote(id.as_str()), quote(kind.as_str()));
        let help = "a profile is named `<scope>.<kind_key>.<semantic_name>.v<major>`";
        lint.error(codes::BAD_PROFILE, &at("profile_id"), message, Some(help.to_owned()));
    }
    if id.scope() != entity.domain() {
        let message = format!("{} has another scope than its entity, {}", quote(id.as_str()), quote(entity.domain()));
        lint.error(codes::BAD_PROFILE, &at("profile_id"), message, None);
    }
    if !pack.library.entity_schemas.contains(entity) {
        let message = format!("{} is not an entity of this pack", quote(entity.as_str()));
        let help = "profiles of an entity belong to the pack that defines it".to_owned();
        lint.error(codes::BAD_PROFILE, &at("entity_schema_id"), message, Some(help));
    }
    if lint.catalog.entity(entity.as_str()).is_none() {
        let help = did_you_mean(entity.as_str(), lint.catalog.entities().map(|entity| entity.id.as_str()));
        let message = format!("no entity is called {}", quote(entity.as_str()));
        lint.error(codes::UNKNOWN_CATALOG_NAME, &at("entity_schema_id"), message, help);
    }
    let accepted = profile.also_accepts.iter().enumerate();
    let accepted = accepted.map(|(number, kind)| (at(&format!("also_accepts/{number}")), kind));
    for (place, kind) in accepted.chain([(at("kind_key"), kind)]) {
        if lint.catalog.kind(kind.as_str()).is_none() {
            let help = did_you_mean(kind.as_str(), lint.catalog.kinds().map(|kind| kind.kind_key.as_str()));
            let message = format!("no kind is called {}", quote(kind.as_str()));
            lint.error(codes::UNKNOWN_CATALOG_NAME, &place, message, help);
        }
    }
    slot(lint, &profile.slot, &at("slot"));
    if let Some(carrier) = lint.catalog.slot(&profile.slot).filter(|slot| !slot.kinds.contains(kind)) {
        let message = format!("{} is not carried by {}", quote(kind.as_str()), quote(&profile.slot));
        let help = format!("it carries {}", listed(&carrier.kinds));
        lint.error(codes::BAD_PROFILE, &at("kind_key"), message, Some(help));
    }
}

fn listed(kinds: &[KindKey]) -> String {
    let kinds: Vec<String> = kinds.iter().map(|kind| quote(kind.as_str())).collect();
    kinds.join(", ")
}

/// A trigger that two packs share needs a rule that tells them apart.
fn triggers(lint: &mut Lint<'_>, pack: &ReadPack) {
    for (index, trigger) in pack.library.triggers.iter().enumerate() {
        let other = lint.catalog.packs().find(|other| {
            other.kind == pack.kind
                && other.library.id() != pack.library.id()
                && other.library.triggers.contains(trigger)
        });
        let mentions = |rule: &Disambiguation, other: &str| match rule.against() {
            Some(against) => against == other,
            None => rule.text().split(|c: char| !c.is_alphanumeric() && c != '-').any(|word| word == other),
        };
        let told_apart = |other: &str| pack.library.disambiguation.iter().any(|rule| mentions(rule, other));
        if let Some(other) = other.filter(|other| !told_apart(other.library.id())) {
            let message = format!("{} is a trigger of {} too", quote(trigger), quote(other.library.id()));
            let help = "say more, or tell the two apart under `disambiguation`";
            lint.warn(codes::SHARED_TRIGGER, &format!("/triggers/{index}"), message, help);
        }
    }
}
