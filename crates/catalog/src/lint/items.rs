//! Kinds, slots, adapters and capabilities of lists.

use super::STAGE;
use crate::catalog::Catalog;
use crate::read::{ListedPart, ReadItem};
use deed_diag::{Code, Diagnostic, Invariant as _, Report, codes, did_you_mean, quote};
use deed_model::{AdapterDeclaration, Kind, KindKey, Loss, Slot};
use std::collections::BTreeSet;

pub(super) fn lint(catalog: &Catalog, item: &ReadItem, report: &mut Report) {
    let mut check = Check { catalog, item, name: quote(&item.name), report };
    if !is_word(&item.name) {
        let message = format!("{} is not a name: lowercase letters, digits, `_` and `.`", check.name);
        check.error(codes::BAD_TYPE_PACK_ID, "", message, None);
    }
    let known = "an item that was read is in the catalogue";
    match item.what {
        ListedPart::Kind => check.kind(catalog.kind(&item.name).invariant(known)),
        ListedPart::Slot => check.slot(catalog.slot(&item.name).invariant(known)),
        ListedPart::Adapter => check.adapter(catalog.adapter(&item.name).invariant(known)),
        ListedPart::Capability => {}
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.'))
}

/// Returns whether a text can be the extension of a file name.
fn is_extension(text: &str) -> bool {
    let plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
    plain && !text.is_empty() && !text.starts_with('.') && !text.ends_with('.') && !text.contains("..")
}

struct Check<'l> {
    catalog: &'l Catalog,
    item: &'l ReadItem,
    name: String,
    report: &'l mut Report,
}

impl Check<'_> {
    fn error(&mut self, code: Code, part: &str, message: String, help: Option<String>) {
        let place = self.item.document.place(&format!("{}{part}", self.item.at));
        self.report.push(Diagnostic::error(code, message).stage(STAGE).at(place).help_opt(help));
    }

    fn kind(&mut self, kind: &Kind) {
        for (index, extension) in kind.extensions.iter().enumerate().filter(|(_, text)| !is_extension(text)) {
            let message = format!("{} is not an extension of file names", quote(extension));
            let help = Some("write it with letters, digits, `_` and `-`, without the first dot".to_owned());
            self.error(codes::TYPE_PACK_INCOMPLETE, &format!("/extensions/{index}"), message, help);
        }
        if kind.extensions.is_empty() {
            let message = format!("files of kind {} have no extension", self.name);
            let help = Some("list at least one under `extensions`".to_owned());
            self.error(codes::TYPE_PACK_INCOMPLETE, "/extensions", message, help);
        }
    }

    fn slot(&mut self, slot: &Slot) {
        if slot.kinds.is_empty() {
            let message = format!("slot {} carries nothing", self.name);
            self.error(codes::TYPE_PACK_INCOMPLETE, "/kinds", message, None);
        }
        for (index, kind) in slot.kinds.iter().enumerate() {
            self.known_kind(kind, codes::UNKNOWN_CATALOG_NAME, &format!("/kinds/{index}"));
        }
    }

    fn known_kind(&mut self, kind: &KindKey, code: Code, at: &str) {
        if self.catalog.kind(kind.as_str()).is_none() {
            let help = did_you_mean(kind.as_str(), self.catalog.kinds().map(|kind| kind.kind_key.as_str()));
            let message = format!("{} names the unknown kind {}", self.name, quote(kind.as_str()));
            self.error(code, at, message, help);
        }
    }

    fn adapter(&mut self, adapter: &AdapterDeclaration) {
        let inputs = adapter.from.len();
        for kind in adapter.from.iter().chain([&adapter.to]) {
            self.known_kind(kind, codes::UNUSABLE_ADAPTER, "");
        }
        let roles: BTreeSet<&String> = adapter.roles.iter().collect();
        let told_apart = match inputs {
            1 => adapter.roles.is_empty(),
            inputs => adapter.roles.len() == inputs && roles.len() == inputs,
        };
        if !told_apart {
            let message = format!("{} takes {inputs} inputs, and its roles do not tell them apart", self.name);
            let help = "list one role for each kind under `roles`, such as `[left, right]`; none for one input";
            self.error(codes::BAD_ADAPTER_ROLES, "/roles", message, Some(help.to_owned()));
        }
        if adapter.from.is_empty() || adapter.from == [adapter.to.clone()] {
            self.error(codes::UNUSABLE_ADAPTER, "/from", format!("{} leads nowhere", self.name), None);
        }
        if adapter.loss == Loss::Lossy && adapter.drops.is_empty() {
            let help = Some("say it under `drops`: plans that use it repeat it".to_owned());
            let message = format!("{} is lossy and does not say what it drops", self.name);
            self.error(codes::UNUSABLE_ADAPTER, "/loss", message, help);
        }
        if self.item.own {
            let message = format!("no built-in adapter runs {}; the runtime of the plan has to provide it", self.name);
            let place = self.item.document.place(&format!("{}/adapter_id", self.item.at));
            let help = "plans use it wherever it is the cheapest route; remove it if no runtime provides it";
            let finding = Diagnostic::warning(codes::UNUSABLE_ADAPTER, message).stage(STAGE);
            self.report.push(finding.at(place).help(help));
        }
    }
}
