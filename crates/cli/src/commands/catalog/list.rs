//! `deed catalog list`: the types of the catalogue, by sort.

use super::types::TypeArgs;
use crate::args::Global;
use crate::output::Success;
use crate::terminal::{self, Stream};
use crate::text::writeln;
use clap::{Args, ValueEnum};
use deed_app::AppError;
use deed_catalog::{Catalog, Origin, PackKind};
use deed_diag::Invariant as _;
use deed_model::RegisteredCapability;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// List the types of the catalogue: packs, kinds, slots, policies, adapters and more.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed catalog list
  deed catalog list entities")]
pub(crate) struct List {
    /// Kind of types [default: all but entities and profiles].
    #[arg(value_enum)]
    what: Option<What>,
    #[command(flatten)]
    types: TypeArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Packs,
    Kinds,
    Slots,
    Policies,
    Adapters,
    Capabilities,
    Entities,
    Profiles,
}

const USUAL: [What; 6] = [What::Packs, What::Kinds, What::Slots, What::Policies, What::Adapters, What::Capabilities];

/// The types of the catalogue, by sort.
pub(crate) type TypeList = BTreeMap<String, Vec<ListedType>>;

/// A type of the catalogue.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ListedType {
    /// Its name.
    name: String,
    /// Its purpose.
    says: String,
}

impl List {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let (catalog, warnings) = self.types.catalog(global)?;
        let all: Vec<What> = self.what.map_or_else(|| USUAL.to_vec(), |what| vec![what]);
        let mut text = String::new();
        let mut data = TypeList::new();
        for (number, what) in all.into_iter().enumerate() {
            let rows = rows(&catalog, what);
            if number > 0 {
                text.push('\n');
            }
            let name = what.to_possible_value().invariant("no sort of types is hidden").get_name().to_owned();
            let _ = writeln!(text, "{name} ({})", rows.len());
            let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
            for (name, said) in &rows {
                let _ = writeln!(text, "  {name:<width$}  {said}");
            }
            let rows = rows.into_iter().map(|(name, says)| ListedType { name, says });
            data.insert(name, rows.collect());
        }
        Ok(Success::new(data, terminal::fit(Stream::Stdout, &text)).report(warnings))
    }
}

fn rows(catalog: &Catalog, what: What) -> Vec<(String, String)> {
    match what {
        What::Packs => {
            let packs = catalog.packs().filter(|pack| pack.kind != PackKind::Generic);
            let origin = |origin: Origin| if origin == Origin::Added { " (added)" } else { "" };
            packs
                .map(|pack| {
                    let name = format!("{} {}", pack.kind.as_str(), pack.library.id());
                    (name, format!("{}{}", pack.library.purpose, origin(pack.origin)))
                })
                .collect()
        }
        What::Kinds => catalog.kinds().map(|kind| (kind.kind_key.to_string(), kind.purpose.clone())).collect(),
        What::Slots => catalog.slots().map(|slot| (slot.slot.clone(), slot.purpose.clone())).collect(),
        What::Policies => {
            catalog.policies().map(|policy| (policy.policy_profile_id.to_string(), policy.purpose.clone())).collect()
        }
        What::Adapters => catalog
            .adapters()
            .map(|adapter| {
                let from: Vec<&str> = adapter.from.iter().map(|kind| kind.as_str()).collect();
                let loss = match adapter.loss {
                    deed_model::Loss::None => "keeps everything".to_owned(),
                    deed_model::Loss::Typed => format!("by type: {}", adapter.drops),
                    deed_model::Loss::Lossy => format!("loses {}", adapter.drops),
                };
                (adapter.adapter_id.clone(), format!("{} -> {}; {loss}", from.join(" + "), adapter.to))
            })
            .collect(),
        What::Capabilities => {
            let said = |known: &RegisteredCapability| match known.implemented {
                true => known.purpose.clone(),
                false => format!("{} (not implemented by this runtime)", known.purpose),
            };
            catalog.capabilities().map(|known| (known.capability.clone(), said(known))).collect()
        }
        What::Entities => {
            catalog.entities().map(|entity| (entity.id.to_string(), entity.description().to_owned())).collect()
        }
        What::Profiles => catalog
            .profiles()
            .map(|profile| {
                (profile.profile_id.to_string(), format!("{} in {}", profile.entity_schema_id, profile.slot))
            })
            .collect(),
    }
}
