//! Stage 6, budget.
//!
//! Enters: the run's tokens, the pack's splits, and the head: system, developer and task. Leaves: tokens for each
//! bucket. Must prove: head and buckets sum exactly to the total.

mod split;

use super::Cx;
use super::intent::Intent;
use super::policy::Policy;
use super::sufficiency::Sufficiency;
use crate::count::count;
use crate::decided::BudgetView;
use crate::refusal::Refusal;
use crate::seal::StageOutput;
use crate::tally::Tally;
use crate::text::cleaned;
use deed_canon::ContentHash;
use deed_diag::{codes, did_you_mean, quote};
use deed_model::{
    Bucket, BucketTokens, ControlKind, HeadTokens, InsufficientEvidence, RunBudget, Stage, TokensByBucket,
};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The total if neither run nor pack sets one.
const DEFAULT_TOTAL: u64 = 8000;

/// The allocation of tokens.
pub(crate) struct Budget<'a> {
    pub(crate) allocated: TokensByBucket,
    pub(crate) head: HeadTokens,
    pub(crate) total: u64,
    pub(crate) task: String,
    task_hash: ContentHash,
    pub(crate) warnings: Vec<Cow<'a, str>>,
    pub(crate) tally: Tally,
}

#[derive(Serialize)]
struct Reads<'a> {
    layer: ContentHash,
    /// The tokenizer that the run names, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    named: Option<&'a str>,
    requested: Option<&'a RunBudget>,
    tokenizer: &'a str,
}

pub(crate) fn allocate<'a>(
    cx: Cx<'a>,
    intent: Intent<'a>,
    policy: &Policy<'a>,
    sufficiency: &Sufficiency<'a>,
) -> Result<Budget<'a>, Refusal> {
    let mut tally = Tally::new(cx.pack);
    let task = task(cx, intent, policy, sufficiency, &mut tally);
    let task_hash = ContentHash::of_bytes(task.as_bytes());
    let head = HeadTokens {
        developer: cx.pack.head.developer.tokens,
        system: cx.pack.head.system.tokens,
        task: count(cx, &task, &task_hash),
    };
    let requested = cx.inputs.run.context().run_budget.as_ref();
    let (total, allocated, warnings) = match requested.and_then(|budget| budget.bucket_tokens.as_ref()) {
        Some(BucketTokens::ByBucket(map)) => by_bucket(map, head)?,
        Some(BucketTokens::Total(total)) => {
            countable(*total, "run context", "/run_budget/bucket_tokens")?;
            shared_out(cx, intent, *total, head)?
        }
        None => {
            countable(default_total(cx), "pack", "/budget_layer/default_total")?;
            let (total, allocated, mut warnings) = shared_out(cx, intent, default_total(cx), head)?;
            if cx.pack.pack.budget_layer.as_ref().and_then(|layer| layer.default_total).is_none() {
                warnings.push(Cow::Borrowed("neither run nor pack says how many tokens there are: 8000 are assumed"));
            }
            (total, allocated, warnings)
        }
    };
    Ok(Budget { allocated, head, total, task, task_hash, warnings, tally })
}

impl<'a> StageOutput<'a> for Budget<'a> {
    const STAGE: Stage = Stage::Budget;

    fn reads(&self, cx: Cx<'a>) -> impl Serialize {
        let run = cx.inputs.run.context();
        Reads {
            layer: cx.pack.layers.budget,
            named: run.tokenizer.as_deref(),
            requested: run.run_budget.as_ref(),
            tokenizer: cx.pack.tokenizer.id(),
        }
    }

    fn decided(&self, cx: Cx<'a>) -> impl Serialize {
        BudgetView {
            allocated: self.allocated,
            developer: cx.pack.head.developer.hash,
            head: self.head,
            system: cx.pack.head.system.hash,
            task: self.task_hash,
            total: self.total,
            warnings: &self.warnings,
        }
    }
}

/// The most tokens of a budget or a bucket. Sums of them stay far below 2^53, beyond which a number has no canonical form.
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// Refuses a number of tokens that no prompt has.
fn countable(tokens: u64, input: &'static str, at: &str) -> Result<(), Refusal> {
    if tokens <= MOST_TOKENS {
        return Ok(());
    }
    let message = format!("{tokens} tokens are more than any prompt has; the limit is {MOST_TOKENS}");
    Err(Refusal::at(Stage::Budget, codes::BUDGET_TOO_LARGE, message)
        .place(input, at)
        .help("write the number of tokens that the model's window has, such as 8000"))
}

type Allocation<'a> = (u64, TokensByBucket, Vec<Cow<'a, str>>);

fn default_total(cx: Cx<'_>) -> u64 {
    cx.pack.pack.budget_layer.as_ref().and_then(|layer| layer.default_total).unwrap_or(DEFAULT_TOTAL)
}

/// Allocates a total, after the head.
fn shared_out<'a>(cx: Cx<'a>, intent: Intent<'a>, total: u64, head: HeadTokens) -> Result<Allocation<'a>, Refusal> {
    let Some(rest) = total.checked_sub(head.sum()) else {
        let message = format!("system, developer and task take {} tokens, and the run has {total}", head.sum());
        return Err(Refusal::at(Stage::Budget, codes::HEAD_TOO_LARGE, message)
            .place("run context", "/run_budget/bucket_tokens")
            .help(format!("give the run more than {} tokens, or shorten the message", head.sum())));
    };
    let declared = cx.pack.pack.budget_layer.as_ref().and_then(|layer| layer.splits.get(intent.id));
    let exact = declared.map(split::declared);
    let warnings = match exact {
        Some(None) => {
            vec![Cow::Borrowed("the pack's split for this intent does not sum to 1: the default split counts")]
        }
        Some(Some(_)) | None => Vec::new(),
    };
    let weights = exact.flatten().unwrap_or(split::DEFAULT);
    Ok((total, split::largest_remainder(rest, weights), warnings))
}

/// Takes an allocation by bucket as it is, with the head apart.
fn by_bucket<'a>(map: &BTreeMap<String, u64>, head: HeadTokens) -> Result<Allocation<'a>, Refusal> {
    let mut allocated = TokensByBucket::default();
    for (name, tokens) in map {
        let Ok(bucket) = name.parse::<Bucket>() else {
            let known = Bucket::ALL.map(Bucket::as_str);
            let message = format!("{} is not a bucket", quote(name));
            return Err(Refusal::at(Stage::Budget, codes::UNKNOWN_BUCKET, message)
                .place("run context", &deed_canon::Pointer::push("/run_budget/bucket_tokens", name))
                .help(did_you_mean(name, known).unwrap_or_else(|| format!("there are {}", known.join(", ")))));
        };
        countable(*tokens, "run context", &deed_canon::Pointer::push("/run_budget/bucket_tokens", name))?;
        *allocated.get_mut(bucket) = *tokens;
    }
    let missing = Bucket::ALL.into_iter().filter(|bucket| !map.contains_key(bucket.as_str()));
    let warnings = missing.map(|b| Cow::Owned(format!("`bucket_tokens` leaves out `{b}`, which has none"))).collect();
    Ok((allocated.sum().saturating_add(head.sum()), allocated, warnings))
}

/// Renders the task: the request, and the controls that restrict it. It comes last in the prompt, since it is new with
/// every request.
fn task(
    cx: Cx<'_>,
    intent: Intent<'_>,
    policy: &Policy<'_>,
    sufficiency: &Sufficiency<'_>,
    tally: &mut Tally,
) -> String {
    let request = cx.inputs.request;
    let mut text = format!("Intent: {}", intent.id);
    for denial in policy.denials() {
        let _ = write!(text, "\nRefuse: {} denies.", denial.rule_id);
        if let Some(reason) = &denial.reason {
            let _ = write!(text, " {reason}");
        }
    }
    let mut line = |label: &str, kind: ControlKind| {
        for control in policy.active(kind) {
            let _ = write!(text, "\n{label}: {}", control.id);
        }
    };
    line("Refuse", ControlKind::MustRefuse);
    line("Hand over to a person", ControlKind::MustEscalate);
    line("Wait for approval", ControlKind::ApprovalGate);
    for (label, effect) in
        [("Refuse", InsufficientEvidence::Refuse), ("Hand over to a person", InsufficientEvidence::Escalate)]
    {
        for key in sufficiency.insufficient(effect) {
            let _ = write!(text, "\n{label}: evidence for {key} is missing");
        }
    }
    // Names and reasons are the pack's; what follows is neutralized where it comes from.
    let mut text = cleaned(text);
    text.push_str(&tally.prepare(cx.pack, &sufficiency.text()));
    if let Some(message) = request.message() {
        text.push('\n');
        text.push_str(&tally.block(cx.pack, "message", [], message));
    }
    text
}
