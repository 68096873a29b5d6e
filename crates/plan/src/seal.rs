//! The hashes of contracts and plans, for the compiler and for readers that check them.

use deed_canon::{CanonError, ContentHash, Scratch, hash_of, hash_of_with};
use deed_model::{COMPILED_PLAN_TAG, CompiledPlan, FROZEN_CONTRACT_TAG, STEP_CONTRACT_TAG, StepContract};
use serde::ser::{Serialize, SerializeStruct, Serializer};
use std::collections::BTreeMap;

/// A contract without its hash.
struct Unsealed<'c>(&'c StepContract);

impl Serialize for Unsealed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let StepContract {
            step_id,
            label,
            objective,
            objective_words,
            step_kind,
            depends_on,
            waits_for,
            domain_pack_ids,
            workflow_pack_ids,
            policy,
            allowed_tool_ids,
            input_artifact_refs,
            output_artifact_refs,
            compiled_step_contract_v1,
            executable_contract_v2,
            io_contract,
            bindings,
            artifact_contracts,
            execution_contract,
            validators,
            repair_policy,
            success_criteria,
            worst_case,
            spec_hash: _,
        } = self.0;
        let mut out = serializer.serialize_struct("StepContract", 23)?;
        out.serialize_field("step_id", step_id)?;
        out.serialize_field("label", label)?;
        out.serialize_field("objective", objective)?;
        if let Some(words) = objective_words {
            out.serialize_field("objective_words", words)?;
        }
        out.serialize_field("step_kind", step_kind)?;
        out.serialize_field("depends_on", depends_on)?;
        out.serialize_field("waits_for", waits_for)?;
        out.serialize_field("domain_pack_ids", domain_pack_ids)?;
        out.serialize_field("workflow_pack_ids", workflow_pack_ids)?;
        out.serialize_field("policy", policy)?;
        out.serialize_field("allowed_tool_ids", allowed_tool_ids)?;
        out.serialize_field("input_artifact_refs", input_artifact_refs)?;
        out.serialize_field("output_artifact_refs", output_artifact_refs)?;
        out.serialize_field("compiled_step_contract_v1", compiled_step_contract_v1)?;
        out.serialize_field("executable_contract_v2", executable_contract_v2)?;
        out.serialize_field("io_contract", io_contract)?;
        out.serialize_field("bindings", bindings)?;
        out.serialize_field("artifact_contracts", artifact_contracts)?;
        out.serialize_field("execution_contract", execution_contract)?;
        out.serialize_field("validators", validators)?;
        out.serialize_field("repair_policy", repair_policy)?;
        out.serialize_field("success_criteria", success_criteria)?;
        out.serialize_field("worst_case", worst_case)?;
        out.end()
    }
}

/// The hash of a contract: of everything in it but the hash itself.
pub fn spec_hash(contract: &StepContract) -> Result<ContentHash, CanonError> {
    spec_hash_with(contract, &mut Scratch::default())
}

/// The hash of a frozen contract: a compiled contract under the profile that governs its run, by the hash of its snapshot.
/// A compiled contract knows no profile, so that its hash says whether a step is the same under every one.
///
/// # Errors
/// The two have no canonical form.
pub fn contract_hash(spec_hash: ContentHash, snapshot_hash: ContentHash) -> Result<ContentHash, CanonError> {
    let parts = [("snapshot_hash", snapshot_hash), ("spec_hash", spec_hash)];
    hash_of(&FROZEN_CONTRACT_TAG, &BTreeMap::from(parts))
}

/// The same, with buffers that many contracts share.
pub(crate) fn spec_hash_with(contract: &StepContract, scratch: &mut Scratch) -> Result<ContentHash, CanonError> {
    hash_of_with(&STEP_CONTRACT_TAG, &Unsealed(contract), scratch)
}

/// A plan by the hashes of its steps, without its own.
struct UnsealedPlan<'p>(&'p CompiledPlan);

impl Serialize for UnsealedPlan<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let CompiledPlan {
            version,
            plan,
            mission,
            catalog_hash,
            entities,
            inputs,
            steps,
            gates,
            budget,
            worst_case,
            plan_hash: _,
        } = self.0;
        let steps: Vec<ContentHash> = steps.iter().map(|step| step.spec_hash).collect();
        let mut out = serializer.serialize_struct("CompiledPlan", 8)?;
        out.serialize_field("version", version)?;
        out.serialize_field("plan", plan)?;
        out.serialize_field("mission", mission)?;
        out.serialize_field("catalog_hash", catalog_hash)?;
        if !entities.is_empty() {
            out.serialize_field("entities", entities)?;
        }
        if !inputs.is_empty() {
            out.serialize_field("inputs", inputs)?;
        }
        out.serialize_field("steps", &steps)?;
        out.serialize_field("gates", gates)?;
        if let Some(budget) = budget {
            out.serialize_field("budget", budget)?;
        }
        out.serialize_field("worst_case", worst_case)?;
        out.end()
    }
}

/// The hash of a compiled plan: of everything in it but the hash itself, steps by theirs.
pub fn plan_hash(plan: &CompiledPlan) -> Result<ContentHash, CanonError> {
    hash_of(&COMPILED_PLAN_TAG, &UnsealedPlan(plan))
}
