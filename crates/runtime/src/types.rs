//! The types that a run works with: taken from the catalogue and stored when it is submitted, and read from the store
//! from then on. The user's catalogue is not consulted again.

use deed_canon::{ContentHash, to_canonical_of};
use deed_catalog::{Catalog, Entity};
use deed_model::{
    AdapterDeclaration, CompiledPlan, EntitySchemaId, FROZEN_TYPES_VERSION, FrozenEntity, FrozenTypes, Kind, KindKey,
    RunRequest, StepContract,
};
use deed_ports::{BlobRead, BlobWrite, StoreError, StoreErrorKind};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;

/// The largest stored types.
const LARGEST: u64 = 256 << 20;

/// The types of a run.
#[derive(Debug, Default)]
pub(crate) struct Types {
    entities: BTreeMap<EntitySchemaId, Entity>,
    kinds: BTreeMap<KindKey, Kind>,
    adapters: BTreeMap<String, AdapterDeclaration>,
}

impl Types {
    /// Reads the types of a run from its blob; those of an older run, which has none, from the catalogue.
    pub(crate) fn of_run(
        request: &RunRequest,
        plan: &CompiledPlan,
        blobs: &dyn BlobRead,
        catalog: &Catalog,
    ) -> Result<Self, StoreError> {
        match &request.types_blob {
            Some(hash) => Self::load(hash, plan, blobs),
            None => Self::of_plan(plan, catalog),
        }
    }

    /// Takes the types that a plan names from the catalogue.
    pub(crate) fn of_plan(plan: &CompiledPlan, catalog: &Catalog) -> Result<Self, StoreError> {
        Self::new(frozen(plan, catalog)).map_err(lost)
    }

    /// Reads frozen types. Every entity that a contract names by hash has to be among them.
    pub(crate) fn load(hash: &ContentHash, plan: &CompiledPlan, blobs: &dyn BlobRead) -> Result<Self, StoreError> {
        let mut bytes = Vec::new();
        let blob = blobs.open(hash)?;
        blob.take(LARGEST).read_to_end(&mut bytes).map_err(|error| lost(error.to_string()))?;
        if ContentHash::of_bytes(&bytes) != *hash {
            return Err(lost("their bytes were altered".to_owned()));
        }
        let frozen: FrozenTypes = serde_json::from_slice(&bytes).map_err(|error| lost(error.to_string()))?;
        if frozen.version != FROZEN_TYPES_VERSION {
            return Err(lost(format!("their format version {} is not known", frozen.version)));
        }
        let types = Self::new(frozen).map_err(lost)?;
        let contracts = plan.steps.iter().flat_map(|step| step.artifact_contracts.values());
        for contract in contracts {
            let (Some(id), Some(hash)) = (&contract.entity_schema_id, &contract.entity_hash) else { continue };
            // A derived schema is part of the contract itself.
            let named = !id.is_generic() && contract.derived_schema.is_none();
            if named && types.entity(id.as_str()).map(|entity| &entity.hash) != Some(hash) {
                return Err(lost(format!("the entity `{id}` is not the one that the plan was compiled with")));
            }
        }
        Ok(types)
    }

    fn new(frozen: FrozenTypes) -> Result<Self, String> {
        let mut types = Self::default();
        for FrozenEntity { entity_schema_id: id, entity_hash, schema } in frozen.entities {
            let entity = Entity::new(id.clone(), schema).map_err(|error| error.to_string())?;
            if entity.hash != entity_hash {
                return Err(format!("the schema of `{id}` has another hash than is written beside it"));
            }
            types.entities.insert(id, entity);
        }
        types.kinds = frozen.kinds.into_iter().map(|kind| (kind.kind_key.clone(), kind)).collect();
        types.adapters = frozen.adapters.into_iter().map(|adapter| (adapter.adapter_id.clone(), adapter)).collect();
        Ok(types)
    }

    /// Returns a kind.
    pub(crate) fn kind(&self, key: &str) -> Option<&Kind> {
        self.kinds.get(key)
    }

    /// Returns an entity.
    pub(crate) fn entity(&self, id: &str) -> Option<&Entity> {
        self.entities.get(id)
    }

    /// Returns the declaration of an adapter.
    pub(crate) fn adapter(&self, id: &str) -> Option<&AdapterDeclaration> {
        self.adapters.get(id)
    }
}

fn lost(why: String) -> StoreError {
    StoreError::new(StoreErrorKind::Corrupt, format!("the types of this run cannot be read: {why}"))
        .help("restore the blobs from a backup, or run the plan again")
}

/// Stores the types that a plan names, and returns the hash of their bytes.
pub(crate) fn freeze(plan: &CompiledPlan, catalog: &Catalog, blobs: &dyn BlobWrite) -> Result<ContentHash, StoreError> {
    let bytes = to_canonical_of(&frozen(plan, catalog)).map_err(|error| {
        StoreError::new(StoreErrorKind::Unavailable, format!("the types have no canonical form: {error}"))
    })?;
    Ok(blobs.put(&mut bytes.as_slice())?.sha256)
}

/// The part of a catalogue that a plan names.
fn frozen(plan: &CompiledPlan, catalog: &Catalog) -> FrozenTypes {
    let given = plan.inputs.iter();
    let entities: BTreeSet<&EntitySchemaId> =
        plan.steps.iter().flat_map(entities_of).chain(given.clone().map(|given| &given.entity_schema_id)).collect();
    let kinds: BTreeSet<&KindKey> =
        plan.steps.iter().flat_map(kinds_of).chain(given.map(|given| &given.kind_key)).collect();
    let adapters: BTreeSet<&String> =
        plan.steps.iter().filter_map(|step| step.execution_contract.adapter_id.as_ref()).collect();
    FrozenTypes {
        version: FROZEN_TYPES_VERSION,
        catalog_hash: catalog.hash(),
        entities: entities.into_iter().filter_map(|id| entity_of(plan, catalog, id)).map(frozen_entity).collect(),
        kinds: kinds.into_iter().filter_map(|key| catalog.kind(key.as_str())).cloned().collect(),
        adapters: adapters.into_iter().filter_map(|id| catalog.adapter(id)).cloned().collect(),
    }
}

fn frozen_entity(entity: Cow<'_, Entity>) -> FrozenEntity {
    let Entity { id, hash, schema, .. } = entity.into_owned();
    FrozenEntity { entity_schema_id: id, entity_hash: hash, schema }
}

/// The entity that a plan means by a name: one that it declares itself, or that of the catalogue.
pub(crate) fn entity_of<'c>(plan: &CompiledPlan, catalog: &'c Catalog, id: &EntitySchemaId) -> Option<Cow<'c, Entity>> {
    match plan.entities.get(id) {
        // A schema without a canonical form has no hash, and no contract can name it.
        Some(schema) => Entity::new(id.clone(), schema.clone()).ok().map(Cow::Owned),
        None => catalog.entity(id.as_str()).map(Cow::Borrowed),
    }
}

fn entities_of(step: &StepContract) -> impl Iterator<Item = &EntitySchemaId> {
    let inputs = step.io_contract.inputs.iter().map(|input| &input.entity_schema_id);
    let outputs = step.io_contract.outputs.iter().map(|output| &output.entity_schema_id);
    let artifacts = step.artifact_contracts.values().filter_map(|artifact| artifact.entity_schema_id.as_ref());
    inputs.chain(outputs).chain(artifacts)
}

fn kinds_of(step: &StepContract) -> impl Iterator<Item = &KindKey> {
    let inputs = step.io_contract.inputs.iter().filter_map(|input| input.kind_key.as_ref());
    let outputs = step.io_contract.outputs.iter().map(|output| &output.kind_key);
    inputs.chain(outputs).chain(step.artifact_contracts.values().map(|artifact| &artifact.kind_key))
}
