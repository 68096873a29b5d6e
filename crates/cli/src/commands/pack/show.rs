//! `deed pack show`: a summary of what a pack allows, or its document.

use super::lint::plural;
use super::overlay::not_a_pack;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::packs::{KeyHolder, Need, NeededStep, Signatories};
use deed_app::{AppError, packs};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{ContextPack, RecheckTrigger, RegressionMetric, ReviewRole};
use deed_pack::{AcceptedRegression, Bundle, Draft, Observation, PinnedEnvironment, RecheckRecord, lint};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Show what a pack allows: intents, tools with their modes, gates, decisions, overlays.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack show ./support
  deed pack show ctxpack.support@1.0.0 --layer policy_layer")]
pub(crate) struct Show {
    /// Folder of the pack, such as ./support, or a version such as ctxpack.a@1.0.0.
    pack: String,
    /// Print only this layer of the document.
    #[arg(long)]
    layer: Option<String>,
    /// Print the whole document.
    #[arg(long, conflicts_with = "layer")]
    document: bool,
}

/// A pack; with `--document` or `--layer` that part of its document.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is made once, and printed")]
pub(crate) enum ShownPack {
    /// A summary of what it allows.
    Summary {
        /// Its reference.
        pack_ref: String,
        /// Its hash.
        content_hash: String,
        /// Its origin: `proven` by the registry, a `folder`, or a `candidate` that was reviewed and not published.
        origin: String,
        /// The tenant that owns it.
        tenant_id: String,
        /// The issuer that signs it.
        issuer: String,
        /// The age of the registry's copy; null for what is not published.
        copy: Option<ShownCopy>,
        /// Reviews that are recorded for exactly these bytes.
        reviews: Vec<ShownReview>,
        /// Keys that signed exactly these bytes.
        signers: Vec<ShownKey>,
        /// Environments that have it pinned.
        pinned_in: Vec<ShownPin>,
        /// The first use in each environment, and without one.
        observed: Vec<ShownUse>,
        /// Regressions that are accepted for exactly these bytes.
        accepted: Vec<ShownAcceptance>,
        /// The last recheck for each trigger and each thing that changed.
        rechecks: Vec<ShownRecheck>,
        /// Steps that are left until its publication, and the keys that could take them.
        needs: Vec<ShownNeed>,
        /// The number of its golden cases.
        golden_cases: usize,
        /// The intents that it handles.
        intents: Vec<String>,
        /// The whole document.
        document: Map<String, Value>,
    },
    /// The document, or one of its layers.
    Part(Map<String, Value>),
}

/// The age of the registry's copy of a version.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownCopy {
    /// The last recorded verification: the publication, or a pin.
    taken_at: String,
    /// The instant from which it counts as stale, by `ttl_seconds` of the pack.
    fresh_until: String,
    /// True if it is stale now; it was verified again to be shown.
    stale: bool,
}

/// A key, and the person that it belongs to.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownKey {
    /// The key.
    key_id: String,
    /// The person.
    person: Option<String>,
}

/// A review that is recorded.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownReview {
    /// The role.
    role: String,
    /// The reviewer's key.
    key: ShownKey,
}

/// An environment that has a version pinned.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownPin {
    /// The environment.
    environment: String,
    /// Its tenant.
    tenant_id: String,
    /// True where the version is promoted there.
    promoted: bool,
}

/// The first use of a version.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownUse {
    /// The environment; null where the version was named directly.
    environment: Option<String>,
    /// The run or the recording.
    by: String,
}

/// A regression that is accepted.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownAcceptance {
    /// The metric.
    metric: RegressionMetric,
    /// The finding in words.
    what: String,
    /// The hash of the finding.
    finding: String,
    /// The role.
    role: String,
    /// The reason.
    reason: String,
}

/// A recheck.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownRecheck {
    /// The trigger.
    trigger: RecheckTrigger,
    /// The name of what changed.
    dependency: String,
    /// The number of errors; 0 where the version fits.
    errors: u64,
}

/// A step that is left until the publication.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct ShownNeed {
    /// The step, such as `security review`.
    step: String,
    /// The keys that could take it.
    could: Vec<ShownKey>,
}

fn key(holder: &KeyHolder) -> ShownKey {
    ShownKey { key_id: holder.key_id.clone(), person: holder.person.clone() }
}

impl From<packs::CopyAge> for ShownCopy {
    fn from(copy: packs::CopyAge) -> Self {
        Self { taken_at: copy.taken_at, fresh_until: copy.fresh_until, stale: copy.stale }
    }
}

impl From<&(ReviewRole, KeyHolder)> for ShownReview {
    fn from((role, holder): &(ReviewRole, KeyHolder)) -> Self {
        Self { role: role.to_string(), key: key(holder) }
    }
}

impl From<&(PinnedEnvironment, bool)> for ShownPin {
    fn from((place, promoted): &(PinnedEnvironment, bool)) -> Self {
        Self { environment: place.environment.clone(), tenant_id: place.tenant_id.clone(), promoted: *promoted }
    }
}

impl From<&Observation> for ShownUse {
    fn from(seen: &Observation) -> Self {
        Self { environment: seen.environment.clone(), by: seen.by.to_string() }
    }
}

impl From<&AcceptedRegression> for ShownAcceptance {
    fn from(accepted: &AcceptedRegression) -> Self {
        Self {
            metric: accepted.metric,
            what: accepted.what.clone(),
            finding: accepted.finding.to_string(),
            role: accepted.role.to_string(),
            reason: accepted.reason.clone(),
        }
    }
}

impl From<(&(RecheckTrigger, String), &RecheckRecord)> for ShownRecheck {
    fn from(((trigger, dependency), record): (&(RecheckTrigger, String), &RecheckRecord)) -> Self {
        Self { trigger: *trigger, dependency: dependency.clone(), errors: record.errors }
    }
}

impl From<&Need> for ShownNeed {
    fn from(need: &Need) -> Self {
        Self { step: need.what.to_string(), could: need.could.iter().map(key).collect() }
    }
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let session = global.session();
        let packs::ShownSource { bundle, origin } = packs::shown(&session, &self.pack)?;
        let value = bundle.document.value();
        let Some(document) = value.as_object() else { return Err(not_a_pack(lint(&bundle).report)) };
        if self.document {
            return Ok(Success::new(ShownPack::Part(document.clone()), format!("{value:#}\n")).document());
        }
        if let Some(name) = &self.layer {
            let layer = layer(document, name)?;
            let text = serde_json::to_string_pretty(&layer).map_err(AppError::internal)?;
            return Ok(Success::new(ShownPack::Part(layer.clone()), text + "\n").document());
        }
        let Some(draft) = bundle.draft() else { return Err(not_a_pack(lint(&bundle).report)) };
        let signatories = packs::signatories(&session, &draft.pack_ref, &draft.content_hash)?;
        let needs = packs::needs(&session, &bundle)?;
        let ttl = draft.pack.pack_meta.ttl_seconds;
        let copy = match origin {
            "proven" => packs::copy_age(&session, &draft.pack_ref, ttl)?,
            _ => None,
        };
        let text = summary(&draft, origin) + &age(copy.as_ref()) + &standing(&bundle, &signatories, &needs);
        let data = ShownPack::Summary {
            pack_ref: draft.pack_ref.to_string(),
            content_hash: draft.content_hash.to_string(),
            origin: origin.to_owned(),
            copy: copy.map(ShownCopy::from),
            reviews: signatories.reviewers.iter().map(ShownReview::from).collect(),
            signers: signatories.signers.iter().map(key).collect(),
            pinned_in: signatories.pins.iter().map(ShownPin::from).collect(),
            observed: signatories.observations.iter().map(ShownUse::from).collect(),
            accepted: signatories.accepted.iter().map(ShownAcceptance::from).collect(),
            rechecks: signatories.rechecks.iter().map(ShownRecheck::from).collect(),
            needs: needs.iter().map(ShownNeed::from).collect(),
            golden_cases: bundle.golden.len(),
            tenant_id: draft.pack.pack_meta.tenant.tenant_id.clone(),
            issuer: draft.pack.contract_meta.issuer.clone(),
            intents: draft.pack.intents().into_iter().map(|intent| intent.to_string()).collect(),
            document: document.clone(),
        };
        Ok(Success::new(data, text))
    }
}

/// Returns the age of the registry's copy, on a line.
fn age(copy: Option<&packs::CopyAge>) -> String {
    let mut out = String::new();
    if let Some(packs::CopyAge { taken_at, fresh_until, stale }) = copy {
        let standing = if *stale { "stale since" } else { "fresh until" };
        let again = if *stale { ", verified again now" } else { "" };
        let _ = writeln!(out, "copy      of {taken_at}, {standing} {fresh_until}{again}");
    }
    out
}

/// Finds a layer of a document: a member that is an object.
fn layer<'d>(document: &'d Map<String, Value>, name: &str) -> Result<&'d Map<String, Value>, AppError> {
    document.get(name).and_then(Value::as_object).ok_or_else(|| {
        let names: Vec<&str> =
            document.iter().filter(|(_, layer)| layer.is_object()).map(|(name, _)| name.as_str()).collect();
        let help =
            did_you_mean(name, names.iter().copied()).unwrap_or_else(|| format!("there are {}", names.join(", ")));
        let message = format!("the pack has no layer {}", quote(name));
        AppError::refused(Diagnostic::error(codes::UNKNOWN_LAYER_NAME, message).stage("show").help(help))
    })
}

/// Returns the golden cases, the reviews and signatures that are recorded, and what is left until the publication.
fn standing(bundle: &Bundle, signatories: &Signatories, needs: &[Need]) -> String {
    let mut out = String::new();
    if !bundle.golden.is_empty() {
        let _ = writeln!(out, "golden    {}", bundle.golden.len());
    }
    for (role, holder) in &signatories.reviewers {
        let _ = writeln!(out, "reviewed  {role} by {holder}");
    }
    for holder in &signatories.signers {
        let _ = writeln!(out, "signed    by {holder}");
    }
    for (place, promoted) in &signatories.pins {
        let promoted = if *promoted { ", promoted" } else { "" };
        let _ = writeln!(out, "pinned    in {} of {}{promoted}", place.environment, place.tenant_id);
    }
    for seen in &signatories.observations {
        let place = seen.environment.as_ref().map_or_else(|| "by its version".to_owned(), |e| format!("in {e}"));
        let _ = writeln!(out, "observed  {place}: {}", seen.by);
    }
    for accepted in &signatories.accepted {
        let AcceptedRegression { metric, what, role, reason, .. } = accepted;
        let _ = writeln!(out, "accepted  {metric} as {role}: {what} ({reason})");
    }
    for ((trigger, dependency), record) in &signatories.rechecks {
        let verdict = if record.errors == 0 {
            "fits".to_owned()
        } else {
            format!("{} error{}", record.errors, plural(record.errors as usize))
        };
        let _ = writeln!(out, "rechecked {trigger} {dependency}: {verdict}");
    }
    for need in needs {
        let could: Vec<String> = need.could.iter().map(ToString::to_string).collect();
        let from = match (could.is_empty(), need.what) {
            (false, _) => format!(" by {}", could.join(" or ")),
            (true, NeededStep::Lint | NeededStep::Publication) => String::new(),
            (true, _) => ": no trusted key can; see `deed keys trust`".to_owned(),
        };
        let _ = writeln!(out, "left      {}{from}", need.what);
    }
    out
}

fn summary(draft: &Draft, origin: &str) -> String {
    let pack: &ContextPack = &draft.pack;
    let meta = &pack.pack_meta;
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", draft.pack_ref, draft.content_hash);
    let _ = writeln!(out, "origin    {origin}");
    let _ = writeln!(out, "tenant    {}{}", meta.tenant.tenant_id, if meta.shared { " (shared)" } else { "" });
    let _ = writeln!(out, "issuer    {}", pack.contract_meta.issuer);
    let _ = writeln!(out, "intents   {}", pack.intents().join(", "));
    for permission in &pack.tooling_layer.permissions {
        let adapter = pack.tooling_layer.adapter_registry.iter().find(|a| a.adapter_id == permission.adapter_id);
        let mode = adapter
            .and_then(|a| a.capabilities.iter().find(|c| c.id() == permission.capability).map(|c| c.declared_mode(a)))
            .map_or("unknown", |m| m.as_str());
        let gate = permission.requires_approval_gate.as_ref().map_or(String::new(), |g| format!(", gate {g}"));
        let allow = if permission.allow { "" } else { ", withheld" };
        let _ = writeln!(out, "tool      {}.{} ({mode}{gate}{allow})", permission.adapter_id, permission.capability);
    }
    for (bundle, rule) in pack.rules() {
        let _ = writeln!(
            out,
            "rule      {} ({})  {}",
            rule.rule_id,
            bundle.bundle_id,
            rule.rationale.as_deref().unwrap_or("-")
        );
    }
    for gate in &pack.policy_layer.approval_gates {
        let _ = writeln!(out, "gate      {} ({}, {} s)", gate.gate_id, gate.required_approver_role, gate.ttl_seconds);
    }
    for spec in &pack.decision_layer.decision_specs {
        let _ = writeln!(
            out,
            "decision  {} ({}): {}",
            spec.decision_key,
            spec.approval_mode,
            spec.allowed_outcomes.join(", ")
        );
    }
    for overlay in &meta.overlays {
        let _ = writeln!(out, "overlay   {overlay}");
    }
    let roles: Vec<&str> = pack.policy_layer.required_reviews().into_iter().map(|r| r.as_str()).collect();
    let _ = writeln!(out, "reviews   needs {}", roles.join(", "));
    out
}
