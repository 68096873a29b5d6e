//! `deed pack show`: a summary of what a pack allows, or its document.

use super::overlay::not_a_pack;
use crate::args::Global;
use crate::output::Success;
use crate::text::writeln;
use clap::Args;
use deed_app::{AppError, packs};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::ContextPack;
use deed_pack::{Draft, lint};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Write as _;

/// Show what a pack allows: intents, tools with their modes, gates, decisions, overlays.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed pack show support
  deed pack show ctxpack.support@1.0.0 --layer policy_layer")]
pub(crate) struct Show {
    /// Folder of the pack, or a reference.
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
pub(crate) enum ShownPack {
    /// A summary of what it allows.
    Summary {
        /// Its reference.
        pack_ref: String,
        /// Its hash.
        content_hash: String,
        /// The tenant that owns it.
        tenant_id: String,
        /// The issuer that signs it.
        issuer: String,
        /// The intents that it handles.
        intents: Vec<String>,
        /// The whole document.
        document: Map<String, Value>,
    },
    /// The document, or one of its layers.
    Part(Map<String, Value>),
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::bundle(&global.session(), &self.pack)?;
        let value = bundle.document.value();
        let Some(document) = value.as_object() else { return Err(not_a_pack(lint(&bundle).report)) };
        if self.document {
            return Ok(Success::new(ShownPack::Part(document.clone()), format!("{value:#}\n")));
        }
        if let Some(name) = &self.layer {
            let layer = layer(document, name)?;
            let text = serde_json::to_string_pretty(&layer).map_err(AppError::internal)?;
            return Ok(Success::new(ShownPack::Part(layer.clone()), text + "\n"));
        }
        let Some(draft) = bundle.draft() else { return Err(not_a_pack(lint(&bundle).report)) };
        let data = ShownPack::Summary {
            pack_ref: draft.pack_ref.to_string(),
            content_hash: draft.content_hash.to_string(),
            tenant_id: draft.pack.pack_meta.tenant.tenant_id.clone(),
            issuer: draft.pack.contract_meta.issuer.clone(),
            intents: draft.pack.intents().into_iter().map(|intent| intent.to_string()).collect(),
            document: document.clone(),
        };
        Ok(Success::new(data, summary(&draft)))
    }
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

fn summary(draft: &Draft) -> String {
    let pack: &ContextPack = &draft.pack;
    let meta = &pack.pack_meta;
    let mut out = String::new();
    let _ = writeln!(out, "{}  {}", draft.pack_ref, draft.content_hash);
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
