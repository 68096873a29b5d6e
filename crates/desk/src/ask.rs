//! From what a consumer asks to a call of a model.
//!
//! Enters: the material, the facts that rules read, the variables of the prompt, the form of the answer. Leaves: the call as a
//! value, the compiled context that it comes from, and the gates that have to be passed first. Must prove: the model reads
//! nothing that the pack did not admit and redact, and everything that the consumer supplied.

use crate::desk::Desk;
use crate::refusal::{DeskRefusal, DeskRefusalKind};
use deed_canon::{ContentHash, to_canonical};
use deed_context::{Evidence, Inputs, Memory, Outcome, ReadInput as _, Request, Run, compile, render_split};
use deed_diag::{codes, quote};
use deed_ladder::Ladder;
use deed_model::{
    BindingSlot, CompiledContext, EvidenceItem, Guardrail, ItemStatus, LadderContract, MessagePart, MessageRole,
    ModelAttachment, ModelCall, ModelMessage, ModelParameters, ReasoningRequest, ReplyContract, ResolvedBinding,
    ToolChoice,
};
use deed_profile::{PromptTemplate, render};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The role that decides where a pack demands a person and names no gate.
const OPERATOR: &str = "operator";
/// The tokens of a reply, where the profile sets none.
const MOST_TOKENS: u32 = 4096;

/// What a consumer asks.
#[derive(Debug, Clone)]
pub struct Ask<'a> {
    /// The slot of the profile.
    pub slot: BindingSlot,
    /// The contract that the call is made under, as text: it stands for the run, whose name would differ in a replay.
    pub contract: &'a str,
    /// The name of the request, which follows from its content.
    pub request_id: &'a str,
    /// The request in words, if there are any.
    pub message: Option<&'a str>,
    /// Facts that rules of the pack read, as `request.context`.
    pub facts: Map<String, Value>,
    /// The material, in order.
    pub material: &'a [Material],
    /// Values for variables of the prompt; those that a prompt does not have are left out.
    pub variables: BTreeMap<String, String>,
    /// Images that the model sees.
    pub attachments: Vec<ModelAttachment>,
    /// The form of the answer.
    pub form: &'a ReplyForm,
    /// True if the provider binds replies to a schema; otherwise the call shows a template.
    pub native_schema: bool,
}

/// A piece of material that the model reads.
#[derive(Debug, Clone, PartialEq)]
pub struct Material {
    /// Its reference, which the model cites: `tool:<adapter>.<capability>:<call>`.
    pub reference: String,
    /// Its source.
    pub source: String,
    /// Its content.
    pub content: Value,
}

/// The form of an answer: a schema, and the ladder that has the last word.
pub struct ReplyForm {
    name: String,
    schema: Value,
    ladder: Ladder,
}

impl std::fmt::Debug for ReplyForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ReplyForm").field("name", &self.name).finish_non_exhaustive()
    }
}

impl ReplyForm {
    /// Makes a form of a schema.
    ///
    /// # Errors
    /// The schema cannot be used.
    pub fn new(name: &str, schema: Value) -> Result<Self, DeskRefusal> {
        let unusable =
            |why: String| DeskRefusal::new(DeskRefusalKind::Unusable, format!("the form of the answer: {why}"));
        let contract: LadderContract = serde_json::from_value(json!({ "contract": name, "schema": schema }))
            .map_err(|error| unusable(error.to_string()))?;
        let ladder = Ladder::new(contract)
            .map_err(|faults| unusable(faults.first().map_or_else(String::new, |fault| fault.message.clone())))?;
        Ok(Self { name: name.to_owned(), schema, ladder })
    }

    pub(crate) fn ladder(&self) -> &Ladder {
        &self.ladder
    }
}

/// A call that can be made.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedAsk {
    /// The call.
    pub call: ModelCall,
    /// The compiled context that it comes from, as a document.
    pub context: Value,
    /// Gates of the pack that have to be passed before the call leaves.
    pub escalations: Vec<Escalation>,
    /// The time limit of the call in milliseconds, of the binding and the profile.
    pub timeout_ms: u64,
}

/// A gate that the pack demands before a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Escalation {
    /// The gate or the control.
    pub control: String,
    /// The role that decides.
    pub role: String,
}

pub(crate) fn prepare(desk: &Desk, ask: &Ask<'_>) -> Result<PreparedAsk, DeskRefusal> {
    let (binding, prompt) = desk.prompt(ask.slot)?;
    let inputs = CompileInputs::of(desk, ask)?;
    let outcome = compile(&desk.pack, inputs.borrowed());
    let escalations = escalations(desk, &outcome)?;
    let context = outcome.context().ok_or_else(|| refused(desk, "nothing was compiled"))?;
    complete(desk, context)?;
    let template =
        PromptTemplate::read(&prompt.text).map_err(|_| unusable("the prompt is not a template".to_owned()))?;
    let used = template.variables();
    let values = ask.variables.iter().filter(|(name, _)| used.contains(name.as_str()));
    let values = values.map(|(name, text)| (name.clone(), desk.pack.redacted(text))).collect();
    let instructions = render(prompt, &values)
        .map_err(|faults| unusable(faults.first().map_or_else(String::new, |fault| fault.message.clone())))?;
    let call = ModelCall {
        consumer_key: ask.slot.consumer(),
        model: model(binding)?,
        compiled_context_hash: context.context_ledger.compiled_context_hash,
        messages: messages(context, instructions, ask),
        stable_messages: 1,
        tools: Vec::new(),
        tool_choice: ToolChoice::Auto,
        output: output(ask),
        parameters: parameters(binding),
        attachments: ask.attachments.clone(),
    };
    let context = serde_json::to_value(context).map_err(|error| unusable(error.to_string()))?;
    Ok(PreparedAsk { call, context, escalations, timeout_ms: timeout_ms(desk, binding) })
}

fn unusable(why: String) -> DeskRefusal {
    DeskRefusal::new(DeskRefusalKind::Unusable, why)
}

/// The refusal of a pack.
fn refused(desk: &Desk, why: &str) -> DeskRefusal {
    let message = format!("the pack {} refuses the call: {why}", quote(desk.pack.reference()));
    DeskRefusal::new(DeskRefusalKind::MustRefuse, message)
        .help("the rules and guardrails of the pack decide; `deed runs show` names the profile that pins it")
}

/// The inputs of a compile, of which the compiled context borrows.
struct CompileInputs {
    request: Request,
    run: Run,
    evidence: Evidence,
    memory: Memory,
}

impl CompileInputs {
    fn of(desk: &Desk, ask: &Ask<'_>) -> Result<Self, DeskRefusal> {
        let unread = |refusal: deed_context::Refusal| unusable(refusal.diagnostic.message.clone());
        let pack = desk.pack.pack();
        let mut input = json!({ "intent": ask.slot.consumer().as_str(), "context": ask.facts });
        if let (Some(message), Value::Object(fields)) = (ask.message, &mut input) {
            fields.insert("message".to_owned(), json!(message));
        }
        let request = Request::from_value(json!({ "request_id": ask.request_id, "input": input })).map_err(unread)?;
        // Neither the name of the run nor its time: a replay is another run at another time, and asks the same.
        let ontology = &pack.intelligence_refs.ontology;
        let run = Run::from_value(json!({
            "run_id": ask.contract, "tenant_id": desk.tenant_id, "safety_mode": "read_only",
            "as_of": pack.contract_meta.created_at,
            "ontologies": { (ontology.namespace.clone()): [ontology.version.clone()] },
        }))
        .map_err(unread)?;
        let mut items = Vec::new();
        for (piece, rank) in ask.material.iter().zip(0..) {
            items.push(item(desk, piece, rank)?);
        }
        Ok(Self { request, run, evidence: Evidence::new(items), memory: Memory::default() })
    }

    fn borrowed(&self) -> Inputs<'_> {
        Inputs { request: &self.request, run: &self.run, evidence: &self.evidence, memory: &self.memory }
    }
}

fn item(desk: &Desk, piece: &Material, rank: u64) -> Result<EvidenceItem, DeskRefusal> {
    let hash = match &piece.content {
        Value::String(text) => ContentHash::of_bytes(text.as_bytes()),
        other => ContentHash::of_bytes(&to_canonical(other).map_err(|error| unusable(error.to_string()))?),
    };
    Ok(EvidenceItem {
        evidence_ref: piece.reference.clone(),
        source_id: Some(piece.source.clone()),
        tenant_id: Some(desk.tenant_id.clone()),
        classification: Some(desk.classification.as_str().to_owned()),
        tags: Vec::new(),
        content: piece.content.clone(),
        payload_hash: Some(hash.to_string()),
        retrieved_at: None,
        expires_at: None,
        rank: Some(rank),
        conflicts_with: Vec::new(),
        resolution_ref: None,
    })
}

/// The gates of an outcome, or its refusal.
fn escalations(desk: &Desk, outcome: &Outcome<'_>) -> Result<Vec<Escalation>, DeskRefusal> {
    match outcome {
        Outcome::Compiled(_) => Ok(Vec::new()),
        Outcome::Refused(refusal) if refusal.diagnostic.code == codes::HEAD_TOO_LARGE => {
            Err(too_large(&refusal.diagnostic.message))
        }
        Outcome::Refused(refusal) => Err(refused(desk, &refusal.diagnostic.message)),
        Outcome::MustRefuse(context) => {
            let standing = &desk.pack.pack().policy_layer.guardrails.must_refuse;
            let names = active(&context.runtime_controls.must_refuse, standing);
            Err(refused(desk, &format!("{} demands it", names.join(", "))))
        }
        Outcome::MustEscalate(context) => {
            let controls = &context.runtime_controls;
            let gates = controls.approvals.iter().filter(|demand| !demand.depends_on_call).map(|demand| Escalation {
                control: demand.gate.gate_id.clone().into_owned(),
                role: demand.gate.required_approver_role.as_deref().unwrap_or(OPERATOR).to_owned(),
            });
            let standing = &desk.pack.pack().policy_layer.guardrails.must_escalate;
            let others = active(&controls.must_escalate, standing);
            let others = others.into_iter().map(|control| Escalation { control, role: OPERATOR.to_owned() });
            Ok(gates.chain(others).collect())
        }
    }
}

/// The controls that are active: labels stand in every compile and change nothing by themselves.
fn active(named: &[std::borrow::Cow<'_, str>], guardrails: &[Guardrail]) -> Vec<String> {
    let is_label = |name: &str| guardrails.iter().any(|own| matches!(own, Guardrail::Label(label) if label == name));
    named.iter().filter(|name| !is_label(name)).map(|name| name.clone().into_owned()).collect()
}

fn too_large(why: &str) -> DeskRefusal {
    let message = format!("the context of the call does not fit the pack's budget: {why}");
    DeskRefusal::new(DeskRefusalKind::TooLarge, message)
        .help("make the bundle smaller, or raise `budget_layer` in the pack that the profile pins")
}

/// Checks that the model reads everything that was supplied: a judgement of a part would pass for one of the whole.
fn complete(desk: &Desk, context: &CompiledContext<'_>) -> Result<(), DeskRefusal> {
    for item in &context.context_ledger.evidence {
        match item.status {
            ItemStatus::Kept => {}
            ItemStatus::Dropped => return Err(too_large(&format!("{} was left out", quote(&item.evidence_ref)))),
            ItemStatus::Rejected => {
                let reasons: Vec<String> = item.reasons.iter().map(|reason| reason.as_str().to_owned()).collect();
                let why = format!("{} is not admitted ({})", quote(&item.evidence_ref), reasons.join(", "));
                return Err(refused(desk, &why));
            }
        }
    }
    Ok(())
}

/// The messages: the part of the context that never changes, the prompt of the profile, and the material with the task.
fn messages(context: &CompiledContext<'_>, instructions: String, ask: &Ask<'_>) -> Vec<ModelMessage> {
    let [stable, mut fresh] = render_split(&context.compiled_prompt);
    if !ask.native_schema {
        fresh.push_str("\n\nAnswer with this JSON document, filled in, and nothing else:\n");
        fresh.push_str(&ask.form.ladder.imprint().text());
    }
    let text = |text: String| MessagePart::Text { text };
    let images = ask.attachments.iter().map(|image| MessagePart::Image { sha256: image.sha256 });
    let asked = std::iter::once(text(fresh)).chain(images).collect();
    vec![
        ModelMessage { role: MessageRole::System, parts: vec![text(stable)] },
        ModelMessage { role: MessageRole::System, parts: vec![text(instructions)] },
        ModelMessage { role: MessageRole::User, parts: asked },
    ]
}

fn output(ask: &Ask<'_>) -> ReplyContract {
    match ask.native_schema {
        true => ReplyContract::JsonSchema { name: ask.form.name.clone(), schema: ask.form.schema.clone() },
        false => ReplyContract::Json,
    }
}

fn model(binding: &ResolvedBinding) -> Result<deed_model::ModelId, DeskRefusal> {
    binding.model_binding_ref.parse().map_err(|error: deed_model::ModelIdError| unusable(error.to_string()))
}

fn parameters(binding: &ResolvedBinding) -> ModelParameters {
    let own = &binding.parameters;
    let narrow = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let thinks = own.use_extended_thinking == Some(true) || own.use_extended_thinking.is_none();
    let thinking = own.thinking_budget_tokens.filter(|_| thinks).map(narrow);
    let effort = own.reasoning_effort.filter(|_| own.use_responses_reasoning != Some(false));
    let asks = effort.is_some() || thinking.is_some();
    ModelParameters {
        max_tokens: own.max_tokens.map_or(MOST_TOKENS, narrow),
        temperature: own.temperature,
        top_p: own.top_p,
        top_k: None,
        seed: own.seed.map(narrow),
        stop: Vec::new(),
        parallel_tool_calls: None,
        reasoning: asks.then_some(ReasoningRequest { effort, max_tokens: thinking }),
    }
}

/// The time limit: that of the binding, and that of each model call of the profile, whichever is shorter.
fn timeout_ms(desk: &Desk, binding: &ResolvedBinding) -> u64 {
    let own = binding.parameters.timeout_ms.unwrap_or(u64::MAX);
    own.min(desk.snapshot.timeouts.model_call_ms.unwrap_or(u64::MAX))
}

/// Checks that a call has the model and the parameters of its binding, and the texts of its compiled context.
pub(crate) fn asks_as_bound(desk: &Desk, call: &ModelCall, context: &CompiledContext<'_>) -> Result<(), String> {
    let slots = BindingSlot::all().into_iter().filter(|slot| slot.consumer() == call.consumer_key);
    let bound = slots.filter_map(|slot| desk.binding(slot));
    let same = |binding: &ResolvedBinding| {
        model(binding).ok().as_ref() == Some(&call.model) && parameters(binding) == call.parameters
    };
    if !bound.into_iter().any(same) {
        return Err("the profile binds another model or other parameters".to_owned());
    }
    let [stable, fresh] = render_split(&context.compiled_prompt);
    let begins = |index: usize, text: &str| {
        let first = call.messages.get(index).and_then(|message| message.parts.first());
        matches!(first, Some(MessagePart::Text { text: own }) if own.starts_with(text))
    };
    match begins(0, &stable) && begins(2, &fresh) {
        true => Ok(()),
        false => Err("its messages are not those of its context".to_owned()),
    }
}
