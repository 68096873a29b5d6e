//! `deed pack show`: what a pack allows, at a glance, or its document.

use super::overlay::not_a_pack;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::ContextPack;
use deed_pack::{Draft, lint};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
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
    /// What it allows.
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
        document: Value,
    },
    /// A part of the document.
    Part(Value),
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::bundle(&global.session(), &self.pack)?;
        let value = bundle.document.value();
        if self.document {
            return Ok(Success::new(ShownPack::Part(value.clone()), format!("{value:#}\n")));
        }
        if let Some(name) = &self.layer {
            let layers = value.as_object();
            return match layers.and_then(|l| l.get(name)) {
                Some(layer) => Ok(Success::new(ShownPack::Part(layer.clone()), format!("{layer:#}\n"))),
                None => {
                    let names = layers.map(|l| l.keys().map(String::as_str).collect::<Vec<_>>()).unwrap_or_default();
                    Err(AppError::refused(
                        Diagnostic::error(codes::UNKNOWN_LAYER_NAME, format!("the pack has no layer {}", quote(name)))
                            .stage("show")
                            .help(
                                did_you_mean(name, names.iter().copied())
                                    .unwrap_or_else(|| format!("there are {}", names.join(", "))),
                            ),
                    ))
                }
            };
        }
        let Some(draft) = bundle.draft() else { return Err(not_a_pack(lint(&bundle).report)) };
        let data = ShownPack::Summary {
            pack_ref: draft.pack_ref.to_string(),
            content_hash: draft.content_hash.to_string(),
            tenant_id: draft.pack.pack_meta.tenant.tenant_id.clone(),
            issuer: draft.pack.contract_meta.issuer.clone(),
            intents: draft.pack.intents().into_iter().map(|intent| intent.to_string()).collect(),
            document: value.clone(),
        };
        Ok(Success::new(data, summary(&draft)))
    }
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
