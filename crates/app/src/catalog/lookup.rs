//! Finds a type of the catalogue by its name.

use crate::error::AppError;
use deed_catalog::{Catalog, Entity, PackKind, RegisteredPack};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{AdapterDeclaration, Kind, PolicyProfile, Profile, RegisteredCapability, Slot};

/// A type of the catalogue.
#[derive(Debug, Clone, Copy)]
pub enum CatalogType<'c> {
    /// An entity.
    Entity(&'c Entity),
    /// A pack of types or of a workflow.
    Pack(&'c RegisteredPack),
    /// A profile.
    Profile(&'c Profile),
    /// A kind of artifact.
    Kind(&'c Kind),
    /// A slot.
    Slot(&'c Slot),
    /// A policy.
    Policy(&'c PolicyProfile),
    /// An adapter.
    Adapter(&'c AdapterDeclaration),
    /// A capability.
    Capability(&'c RegisteredCapability),
}

/// Finds a type by its name. A pack of a workflow is `workflow/NAME` if a domain pack has the same name.
///
/// # Errors
/// The catalogue has nothing of that name.
pub fn find<'c>(catalog: &'c Catalog, name: &str) -> Result<CatalogType<'c>, AppError> {
    let pack = |kind: PackKind, id: &str| catalog.pack(kind, id).map(CatalogType::Pack);
    let found = match name.strip_prefix("workflow/") {
        Some(id) => pack(PackKind::Workflow, id),
        None => catalog
            .entity(name)
            .map(CatalogType::Entity)
            .or_else(|| pack(PackKind::Domain, name.strip_prefix("domain/").unwrap_or(name)))
            .or_else(|| pack(PackKind::Workflow, name))
            .or_else(|| pack(PackKind::Generic, name))
            .or_else(|| catalog.profile(name).map(CatalogType::Profile))
            .or_else(|| catalog.kind(name).map(CatalogType::Kind))
            .or_else(|| catalog.slot(name).map(CatalogType::Slot))
            .or_else(|| catalog.policy(name).map(CatalogType::Policy))
            .or_else(|| catalog.adapter(name).map(CatalogType::Adapter))
            .or_else(|| catalog.capability(name).map(CatalogType::Capability)),
    };
    found.ok_or_else(|| unknown(catalog, name))
}

/// The refusal of a name that the catalogue does not have.
pub(super) fn unknown(catalog: &Catalog, name: &str) -> AppError {
    let all: Vec<String> = catalog
        .packs()
        .map(|pack| pack.library.id().to_owned())
        .chain(catalog.entities().map(|entity| entity.id.to_string()))
        .chain(catalog.profiles().map(|profile| profile.profile_id.to_string()))
        .chain(catalog.kinds().map(|kind| kind.kind_key.to_string()))
        .chain(catalog.slots().map(|slot| slot.slot.clone()))
        .chain(catalog.policies().map(|policy| policy.policy_profile_id.to_string()))
        .chain(catalog.adapters().map(|adapter| adapter.adapter_id.clone()))
        .chain(catalog.capabilities().map(|known| known.capability.clone()))
        .collect();
    let help = did_you_mean(name, all.iter().map(String::as_str));
    let help = help.unwrap_or_else(|| "`deed catalog list` lists all types".to_owned());
    let message = format!("nothing in the catalogue is called {}", quote(name));
    AppError::refused(Diagnostic::error(codes::NOT_IN_CATALOG, message).stage("catalog").help(help))
}
