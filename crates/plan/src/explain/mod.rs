//! Explanations. Input: a compiled plan and the name of a step. Output: the kind of the step, its backend, its inputs and
//! their producers, its outputs and their consumers, and its checks, each with its reason.
//!
//! Invariant: everything said is in the contracts, and nothing is left to be guessed.

mod text;

use deed_canon::ContentHash;
use deed_diag::quote;
use deed_model::{
    AdapterUse, Backend, Budget, CompiledPlan, Condition, ConditionCheck, FailureClass, LadderMode, Loss, OutputRole,
    Phase, PolicyRules, ProvenanceDemand, RepairBoundary, Routing, StepContract, StepKind, ValidatorCheck,
};
use serde::Serialize;

/// The explanation of a step.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Explanation {
    /// Its name.
    pub step: String,
    /// Its label.
    pub label: String,
    /// Its objective.
    pub objective: String,
    /// Its kind, its backend and the reason for it, and what it may use; a sentence each.
    pub runs: Vec<String>,
    /// Steps it comes after only to keep the order.
    pub after: Vec<String>,
    /// Its inputs by meaning.
    pub inputs: Vec<ExplainedInput>,
    /// Files it reads by path alone.
    pub files: Vec<String>,
    /// Its outputs.
    pub outputs: Vec<ExplainedOutput>,
    /// Names of its policies.
    pub policies: Vec<String>,
    /// The demands of its policies, a sentence each.
    pub rules: Vec<String>,
    /// Gates that it waits for, and gates at which its outputs are shown, a sentence each.
    pub gates: Vec<String>,
    /// Its checks, by phase.
    pub checks: Vec<ExplainedPhase>,
    /// Its success criteria.
    pub success: Vec<String>,
    /// Its repair strategy and the number of retries.
    pub retries: String,
    /// The outcome of each class of failure.
    pub repair: Vec<ExplainedFailure>,
    /// The most it can spend, and how that comes about.
    pub budget: Vec<ExplainedCost>,
    /// The hash of its contract.
    #[schemars(with = "String")]
    pub hash: ContentHash,
}

/// An input, and where it comes from.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedInput {
    /// Its slot.
    pub slot: String,
    /// Its description.
    pub what: String,
    /// Its producer; none if it is not bound.
    pub from: Option<String>,
    /// The rank of the binding.
    pub rank: Option<&'static str>,
    /// The reason for this producer.
    pub why: Option<String>,
    /// Adapters on the way, with what they lose.
    pub adapters: Vec<String>,
    /// The values that adapters drop on the way.
    pub loses: Vec<String>,
}

/// An output, and who reads it.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedOutput {
    /// Its slot; none for a file without meaning.
    pub slot: Option<String>,
    /// The path that it is written to.
    pub path: String,
    /// The demands on it, a sentence each.
    pub contract: Vec<String>,
    /// The steps that read it.
    pub read_by: Vec<String>,
}

/// The checks of one phase.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedPhase {
    /// The phase.
    pub phase: &'static str,
    /// The checks by file, a sentence each.
    pub checks: Vec<String>,
}

/// The outcome of a class of failure.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedFailure {
    /// The class, in words.
    pub failure: &'static str,
    /// The outcome.
    pub then: &'static str,
}

/// A part of the budget.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ExplainedCost {
    /// The unit that is spent.
    pub part: &'static str,
    /// The most that one attempt can spend; none if the total is not a multiple of it.
    pub each: Option<u64>,
    /// The number of attempts.
    pub attempts: u64,
    /// The most of all attempts.
    pub most: u64,
}

/// Explains one step; none if the plan has no step of that name.
pub fn explain(plan: &CompiledPlan, step: &str) -> Option<Explanation> {
    let contract = plan.steps.iter().find(|known| known.step_id == step)?;
    let repair = &contract.repair_policy;
    let bound: Vec<&str> = contract.io_contract.inputs.iter().filter_map(|input| input.path.as_deref()).collect();
    let carried =
        |name: &String| contract.bindings.iter().any(|b| b.producer.step.as_ref() == Some(name) || b.by.contains(name));
    let files = contract.io_contract.read_paths.iter().filter(|path| !bound.contains(&path.as_str()));
    Some(Explanation {
        step: contract.step_id.clone(),
        label: contract.label.clone(),
        objective: contract.objective.clone(),
        runs: runs(contract),
        after: contract.depends_on.iter().filter(|name| !carried(name)).cloned().collect(),
        inputs: (0..contract.io_contract.inputs.len()).filter_map(|at| input(plan, contract, at)).collect(),
        files: files.cloned().collect(),
        outputs: outputs(plan, contract),
        policies: contract.policy.policy_profile_ids.iter().map(|id| id.to_string()).collect(),
        rules: rules(&contract.policy.rules),
        gates: gates(plan, contract),
        checks: checks(contract),
        success: contract.success_criteria.iter().map(condition).collect(),
        retries: match repair.max_retries {
            0 => "no retries".to_owned(),
            1 => "up to 1 retry, under the same contract".to_owned(),
            more => format!("up to {more} retries, under the same contract"),
        },
        repair: repair.boundaries.iter().map(|(class, then)| failure(*class, *then)).collect(),
        budget: budget(&contract.worst_case, u64::from(repair.max_retries) + 1),
        hash: contract.spec_hash,
    })
}

fn list(names: &[String]) -> String {
    names.iter().map(|name| quote(name)).collect::<Vec<_>>().join(", ")
}

fn runs(step: &StepContract) -> Vec<String> {
    let execution = &step.execution_contract;
    let adapter = execution.adapter_id.as_deref().map(quote).unwrap_or_default();
    let kind = match step.step_kind {
        StepKind::Code => "code".to_owned(),
        StepKind::CodePerItem => "code that works through a list item by item".to_owned(),
        StepKind::Tools => "governed tool calls".to_owned(),
        StepKind::Adapter => format!("the adapter {adapter}, which the plan names"),
        StepKind::InsertedAdapter => format!("the adapter {adapter}, which the compiler put in"),
    };
    let mut runs = vec![kind, backend(&execution.routing)];
    runs.extend(execution.loss.map(|loss| format!("its adapter {}", lost(loss))));
    if let Some(each) = &execution.for_each {
        let (slot, most, calls) = (quote(&each.slot), each.most_items, each.calls_per_item);
        runs.push(format!("for each of at most {most} items of {slot}, with {calls} governed calls each"));
    }
    if !step.allowed_tool_ids.is_empty() {
        runs.push(format!("it may use {} and nothing else", list(&step.allowed_tool_ids)));
    }
    for effect in &execution.side_effects {
        runs.push(format!("it reaches beyond the workspace: {} {}", effect.action, effect.target));
    }
    runs.extend(execution.egress.iter().map(|rule| format!("it may reach {}", deed_reach::in_words(rule))));
    for gate in &execution.call_gates {
        let some = if gate.when.is_some() { "some calls" } else { "each call" };
        let (tool, role) = (quote(&gate.tool), quote(&gate.approver_role));
        runs.push(format!("{some} of {tool} wait for {role}: {}", gate.question));
    }
    runs.extend(execution.code_hash.map(|hash| format!("the hash of its code is {hash}")));
    runs
}

/// The backend and the reason for it. The reason is part of the hashed contract; code of the plan needs none.
fn backend(routing: &Routing) -> String {
    let name = routing.backend.as_str();
    match (routing.backend, routing.needs_model) {
        (Backend::SandboxSession, false) => format!("runs in the sandbox ({name})"),
        _ => format!("in {name}: {}", routing.why),
    }
}

fn lost(loss: Loss) -> &'static str {
    match loss {
        Loss::None => "loses nothing",
        Loss::Typed => "loses only what the declared types give back",
        Loss::Lossy => "loses what nothing gives back",
    }
}

fn input(plan: &CompiledPlan, step: &StepContract, at: usize) -> Option<ExplainedInput> {
    let input = step.io_contract.inputs.get(at)?;
    let mut what = format!("{} {}", if input.required { "required" } else { "optional" }, input.entity_schema_id);
    if let (Some(kind), Some(path)) = (&input.kind_key, &input.path) {
        what.push_str(&format!(" as {kind}, read at {path}"));
    }
    if !input.grain.is_empty() {
        what.push_str(&format!(", one row for each {}", input.grain.join(" and ")));
    }
    let binding = step.bindings.iter().find(|binding| binding.input == at);
    let from = binding.map(|binding| match &binding.producer.step {
        Some(step) => format!("step {}, which writes {}", quote(step), binding.producer.path),
        None => format!("the mission, which is given {}", binding.producer.path),
    });
    // What the compiler put in has no binding: its file says who wrote it.
    let written = |path: &String| plan.steps.iter().find(|other| other.io_contract.write_paths.contains(path));
    let from = from.or_else(|| match (input.path.as_ref()?, input.path.as_ref().and_then(written)) {
        (path, Some(step)) => Some(format!("step {}, which writes {path}", quote(&step.step_id))),
        (path, None) => Some(format!("the mission, which is given {path}")),
    });
    let adapters = binding.into_iter().flat_map(|binding| &binding.by).map(|name| {
        let made = plan.steps.iter().find(|step| step.step_id == *name).map(|step| &step.execution_contract);
        let id = made.and_then(|made| made.adapter_id.as_deref()).unwrap_or(name);
        made.and_then(|made| made.loss).map_or_else(|| id.to_owned(), |loss| format!("{id}, which {}", lost(loss)))
    });
    Some(ExplainedInput {
        slot: input.slot.clone(),
        what,
        from,
        rank: binding.map(|binding| binding.rank.as_str()),
        why: binding.map(|binding| binding.why.clone()),
        adapters: adapters.collect(),
        loses: binding.map(|binding| binding.drops.clone()).unwrap_or_default(),
    })
}

fn outputs(plan: &CompiledPlan, step: &StepContract) -> Vec<ExplainedOutput> {
    let mut outputs = Vec::new();
    for path in &step.io_contract.write_paths {
        let mut contract = Vec::new();
        let output = step.io_contract.outputs.iter().find(|output| output.path == *path);
        if let Some(output) = output {
            contract.push(match output.role {
                OutputRole::Primary => {
                    format!("{} as {}, asked for by the mission", output.entity_schema_id, output.kind_key)
                }
                OutputRole::Supporting => format!("{} as {}", output.entity_schema_id, output.kind_key),
                OutputRole::Intermediate => {
                    format!("{} as {}, only for other steps", output.entity_schema_id, output.kind_key)
                }
            });
            let mut say = |words: &str, names: &[String]| {
                if !names.is_empty() {
                    contract.push(format!("{words} {}", names.join(", ")));
                }
            };
            say("columns", &output.fields);
            say("one row for each", &output.grain);
            say("each row says where it came from in", &output.provenance_fields);
        }
        if let Some(set) = step.io_contract.write_sets.iter().find(|set| set.path == *path) {
            contract.push(format!("a set of {} to {} files, each held to this contract", set.at_least, set.at_most));
        }
        if let Some(artifact) = step.artifact_contracts.get(path) {
            let origin = if artifact.derived { "as follows from the plan" } else { "as the plan says" };
            if output.is_none() {
                contract.push(format!("{} {origin}", artifact.kind_key));
            }
            if !artifact.required_fields.is_empty() {
                contract.push(format!("must have {}, {origin}", artifact.required_fields.join(", ")));
            }
        }
        outputs.push(ExplainedOutput {
            slot: output.map(|output| output.slot.clone()),
            path: path.clone(),
            contract,
            read_by: readers(plan, step, path),
        });
    }
    outputs
}

fn readers(plan: &CompiledPlan, step: &StepContract, path: &str) -> Vec<String> {
    let mut readers = Vec::new();
    for other in plan.steps.iter().filter(|other| other.step_id != step.step_id) {
        let bound = other.bindings.iter().find(|binding| binding.producer.path == path);
        let reads = other.io_contract.read_paths.iter().any(|read| read == path);
        match bound {
            Some(binding) if binding.by.is_empty() => {
                readers.push(format!("step {} as {}", quote(&other.step_id), binding.slot));
            }
            Some(binding) => {
                let how = format!("{} adapter{}", binding.by.len(), if binding.by.len() == 1 { "" } else { "s" });
                readers.push(format!("step {} as {}, by {how}", quote(&other.step_id), binding.slot));
            }
            None if reads && other.step_kind != StepKind::InsertedAdapter => {
                readers.push(format!("step {} by its path", quote(&other.step_id)));
            }
            // What reads what an adapter made is named by the adapter.
            None if reads => readers.push(format!("adapter {}", quote(&other.step_id))),
            None => {}
        }
    }
    readers
}

fn rules(rules: &PolicyRules) -> Vec<String> {
    let mut all = vec![match rules.adapters {
        AdapterUse::None => "the compiler puts in no adapters",
        AdapterUse::KeepsValues => "the compiler puts in only adapters that keep every value",
        AdapterUse::Any => "the compiler may put in any registered adapter",
    }];
    all.push(if rules.allows_generic() { "generic data may be bound" } else { "generic data is never bound" });
    all.push(match rules.unknown_columns {
        true => "outputs may have columns that their entity does not list",
        false => "outputs have only columns that their entity lists",
    });
    match rules.provenance {
        ProvenanceDemand::None => {}
        ProvenanceDemand::Preferred => all.push("rows should say where they came from"),
        ProvenanceDemand::Required => all.push("every row says where it came from"),
    }
    if rules.effects_need_gate {
        all.push("nothing reaches beyond the workspace before a person has approved");
    }
    if rules.explicit_contracts {
        all.push("every output names its contract in the plan");
    }
    all.into_iter().map(str::to_owned).collect()
}

fn gates(plan: &CompiledPlan, step: &StepContract) -> Vec<String> {
    let mut gates = Vec::new();
    for gate in &plan.gates {
        let (name, who) = (quote(&gate.gate_id), &gate.approver_role);
        if step.waits_for.contains(&gate.gate_id) || gate.before.contains(&step.step_id) {
            gates.push(format!("waits for {name}: {} ({who})", gate.question));
        }
        if gate.after.contains(&step.step_id) {
            gates.push(format!("its outputs are shown at gate {name}: {} ({who})", gate.question));
        }
    }
    gates
}

fn checks(step: &StepContract) -> Vec<ExplainedPhase> {
    let mut phases = Vec::new();
    for phase in Phase::ALL {
        let mut files: Vec<(&str, Vec<String>)> = Vec::new();
        for validator in step.validators.iter().filter(|validator| validator.phase == phase) {
            let what = match validator.check {
                ValidatorCheck::Exists => "is there",
                ValidatorCheck::Parses => "can be read",
                ValidatorCheck::Fields => "has its columns",
                ValidatorCheck::EntitySchema => "satisfies its entity",
                ValidatorCheck::UniqueGrain => "has no row twice",
                ValidatorCheck::Provenance => "says where rows came from",
            };
            let what = match validator.mode {
                LadderMode::Block => what.to_owned(),
                LadderMode::Report => format!("{what} (only reported)"),
                LadderMode::Off => format!("{what} (off)"),
            };
            match files.iter_mut().find(|(path, _)| *path == validator.path) {
                Some((_, whats)) => whats.push(what),
                None => files.push((&validator.path, vec![what])),
            }
        }
        if !files.is_empty() {
            let phase = match phase {
                Phase::StepInput => "before it begins",
                Phase::StepOutput => "once it has written",
                Phase::FinalOutput => "before it is delivered",
                Phase::Ingestion => "as data enters",
                Phase::PlannerCandidate => "before the plan is compiled",
                Phase::CompiledPlan => "after the plan was compiled",
            };
            let checks = files.into_iter().map(|(path, whats)| format!("{path} {}", whats.join(", "))).collect();
            phases.push(ExplainedPhase { phase, checks });
        }
    }
    phases
}

fn condition(condition: &Condition) -> String {
    let path = condition.path.as_deref().unwrap_or("the step");
    let count = condition.count.unwrap_or_default();
    match condition.check {
        ConditionCheck::Exists => format!("{path} exists"),
        ConditionCheck::NotEmpty => format!("{path} is not empty"),
        ConditionCheck::Parses => format!("{path} can be read in its format"),
        ConditionCheck::MatchesSchema => format!("{path} satisfies its entity schema"),
        ConditionCheck::RowsAtLeast => {
            format!("{path} has at least {count} {}", if count == 1 { "row" } else { "rows" })
        }
        ConditionCheck::RowsAtMost => format!("{path} has at most {count} {}", if count == 1 { "row" } else { "rows" }),
        ConditionCheck::Rule => format!("the rule {} holds", condition.rule.clone().unwrap_or_default()),
    }
}

fn failure(class: FailureClass, then: RepairBoundary) -> ExplainedFailure {
    let failure = match class {
        FailureClass::ContractSchema => "contracts do not fit",
        FailureClass::MissingArtifact => "an input is missing",
        FailureClass::SandboxRuntime => "the sandbox crashes",
        FailureClass::ToolBridge => "a tool call fails",
        FailureClass::SemanticVerdict => "the evaluation fails",
        FailureClass::OutputShape => "an output has a wrong form",
        FailureClass::PolicyViolation => "something forbidden is tried",
        FailureClass::BudgetExhaustion => "the budget is spent",
        FailureClass::HumanGatePending => "there is no approval yet",
    };
    let then = match then {
        RepairBoundary::RejectPlan => "the plan is refused",
        RepairBoundary::BlockStep => "the step is blocked",
        RepairBoundary::FreshContainer => "retried in a new sandbox",
        RepairBoundary::RetrySameContract => "retried with the diagnosis",
        RepairBoundary::Report => "reported, and the run continues",
        RepairBoundary::HardStop => "the step fails, without a retry",
        RepairBoundary::Pause => "the step waits",
    };
    ExplainedFailure { failure, then }
}

fn budget(worst: &Budget, attempts: u64) -> Vec<ExplainedCost> {
    let parts = worst.parts().into_iter().filter_map(|(name, most)| Some((name, most?)));
    let words = |name: &str| match name {
        "tool_calls" => "tool calls",
        "governed_calls" => "governed calls",
        "model_tokens" => "model tokens",
        "bytes_out" => "bytes out",
        "money_micros" => "millionths of money",
        _ => "seconds",
    };
    parts
        .map(|(name, most)| ExplainedCost {
            part: words(name),
            each: most.is_multiple_of(attempts).then(|| most / attempts),
            attempts,
            most,
        })
        .collect()
}
