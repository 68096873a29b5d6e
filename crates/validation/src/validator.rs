//! The validation of a run: the phases and packs of a frozen snapshot, made ready.

use crate::judge::waiting;
use crate::library::pack_hash;
use crate::pattern::matches_path;
use deed_canon::ContentHash;
use deed_ladder::Ladder;
use deed_model::{
    Phase, ProfileSnapshot, ResolvedPhase, ValidationMode, ValidationPack, ValidationRecord, ValidationRule,
    ValidationVerdict,
};
use std::collections::BTreeMap;

/// The path of a plan before it is compiled. A plan in YAML is judged as the JSON of its document.
pub const CANDIDATE_PATH: &str = "plan/candidate.json";
/// The path of a compiled plan.
pub const COMPILED_PATH: &str = "plan/compiled.json";

/// Returns true if corrections are applied in a phase: where bytes enter, and no receipt or hash names them yet.
pub fn corrects(phase: Phase) -> bool {
    match phase {
        Phase::Ingestion | Phase::PlannerCandidate | Phase::StepOutput => true,
        Phase::CompiledPlan | Phase::StepInput | Phase::FinalOutput => false,
    }
}

/// The validation of a run.
pub struct Validator {
    phases: BTreeMap<Phase, ResolvedPhase>,
    packs: BTreeMap<String, PreparedPack>,
}

/// A pack made ready.
pub(crate) struct PreparedPack {
    pub(crate) pack: ValidationPack,
    pub(crate) hash: ContentHash,
    /// The ladders of its rules, in their order.
    pub(crate) ladders: Vec<Option<Ladder>>,
}

impl Validator {
    /// Makes the validation of a snapshot ready.
    ///
    /// # Errors
    /// A phase has no known name, a pack is missing, or a contract cannot be used: the snapshot was not made by this program.
    pub fn new(snapshot: &ProfileSnapshot) -> Result<Self, String> {
        let mut phases = BTreeMap::new();
        for (name, phase) in &snapshot.validation {
            let known = Phase::ALL.into_iter().find(|known| known.as_str() == name);
            phases.insert(known.ok_or_else(|| format!("`{name}` is not a phase"))?, phase.clone());
        }
        let mut packs = BTreeMap::new();
        for (pack_ref, pack) in &snapshot.validation_packs {
            packs.insert(pack_ref.clone(), PreparedPack::new(pack).map_err(|why| format!("`{pack_ref}`: {why}"))?);
        }
        let named = phases.values().filter(|phase| phase.mode != ValidationMode::Off).flat_map(references);
        for pack_ref in named {
            if !packs.contains_key(pack_ref) {
                return Err(format!("the snapshot lacks the validation pack `{pack_ref}`"));
            }
        }
        Ok(Self { phases, packs })
    }

    /// Returns true for a snapshot of a version that froze no packs: its phases name some, and it has none.
    pub fn is_without_packs(snapshot: &ProfileSnapshot) -> bool {
        let names = |phase: &ResolvedPhase| phase.mode != ValidationMode::Off && references(phase).next().is_some();
        snapshot.validation_packs.is_empty() && snapshot.validation.values().any(names)
    }

    /// Returns the mode of a phase.
    pub fn mode(&self, phase: Phase) -> ValidationMode {
        self.phases.get(&phase).map_or(ValidationMode::Off, |phase| phase.mode)
    }

    /// Returns the record of a phase that is off.
    pub fn off(phase: Phase) -> ValidationRecord {
        ValidationRecord {
            phase,
            mode: ValidationMode::Off,
            verdict: ValidationVerdict::Off,
            path: None,
            pack_ref: None,
            pack_hash: None,
            rule: None,
            before: None,
            correction: None,
            corrector: None,
            findings: Vec::new(),
            unlisted: 0,
        }
    }

    /// Returns true if a contract of a phase waits for proposals of a model.
    pub fn waits(&self, phase: Phase) -> bool {
        let Some(resolved) = self.phases.get(&phase).filter(|own| own.mode != ValidationMode::Off) else {
            return false;
        };
        let packs = references(resolved).filter_map(|pack_ref| self.packs.get(pack_ref));
        packs.into_iter().any(|prepared| prepared.waits(phase))
    }

    /// Returns true if the content of an artifact of this size is judged. The caller reads no other.
    pub fn reads(&self, phase: Phase, path: &str, bytes: u64) -> bool {
        self.pack_for(phase, path).is_some_and(|prepared| bytes <= prepared.pack.largest_bytes)
    }

    /// Returns the pack that judges an artifact: of the first matcher that matches, or else the default.
    pub(crate) fn pack_for(&self, phase: Phase, path: &str) -> Option<&PreparedPack> {
        let phase = self.phases.get(&phase)?;
        let matched = phase.matchers.iter().find(|matcher| matches_path(&matcher.artifact_path, path));
        let pack_ref = matched.map(|matcher| &matcher.pack_ref).or(phase.default_pack_ref.as_ref())?;
        self.packs.get(pack_ref)
    }
}

impl PreparedPack {
    fn new(pack: &ValidationPack) -> Result<Self, String> {
        let hash = pack_hash(pack).map_err(|error| error.to_string())?;
        let ladder = |rule: &ValidationRule| match &rule.contract {
            None => Ok(None),
            Some(contract) => Ladder::new(contract.clone()).map(Some).map_err(|faults| {
                let why = faults.first().map_or("its contract cannot be used", |fault| fault.message.as_str());
                format!("rule `{}`: {why}", rule.id)
            }),
        };
        let ladders = pack.rules.iter().map(ladder).collect::<Result<_, _>>()?;
        Ok(Self { pack: pack.clone(), hash, ladders })
    }

    /// Returns true if a rule waits for proposals of a model.
    fn waits(&self, phase: Phase) -> bool {
        let mut rules = self.pack.rules.iter().zip(&self.ladders);
        rules.any(|(rule, ladder)| ladder.as_ref().is_some_and(|ladder| waiting(rule, ladder, phase).is_some()))
    }

    /// Returns the rule that judges a path, with its ladder.
    pub(crate) fn rule_for(&self, path: &str) -> Option<(&ValidationRule, Option<&Ladder>)> {
        let mut rules = self.pack.rules.iter().zip(&self.ladders);
        let (rule, ladder) = rules.find(|(rule, _)| matches_path(&rule.artifact_path, path))?;
        Some((rule, ladder.as_ref()))
    }
}

/// Returns the packs that a phase names.
fn references(phase: &ResolvedPhase) -> impl Iterator<Item = &String> {
    phase.matchers.iter().map(|matcher| &matcher.pack_ref).chain(&phase.default_pack_ref)
}
