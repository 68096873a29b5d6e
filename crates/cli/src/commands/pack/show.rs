//! `deed pack show`: what a pack allows, at a glance, or its document.

use super::overlay::not_a_pack;
use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, packs};
use deed_diag::{Code, Diagnostic, did_you_mean, quote};
use deed_model::ContextPack;
use deed_pack::{Draft, lint};
use serde_json::json;
use std::fmt::Write as _;

const NO_LAYER: Code = Code::new("D0018");

/// Show what a pack allows: intents, tools with their modes, gates, decisions, overlays.
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The pack's folder, or a reference.
    pack: String,
    /// Print this layer of the document instead.
    #[arg(long)]
    layer: Option<String>,
    /// Print the whole document instead.
    #[arg(long, conflicts_with = "layer")]
    document: bool,
}

impl Show {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let bundle = packs::bundle(&global.session(), &self.pack)?;
        let value = bundle.document.value();
        if self.document {
            return Ok(Success::new(value.clone(), format!("{value:#}\n")));
        }
        if let Some(name) = &self.layer {
            let layers = value.as_object();
            return match layers.and_then(|l| l.get(name)) {
                Some(layer) => Ok(Success::new(layer.clone(), format!("{layer:#}\n"))),
                None => {
                    let names = layers.map(|l| l.keys().map(String::as_str).collect::<Vec<_>>()).unwrap_or_default();
                    Err(AppError::refused(
                        Diagnostic::error(NO_LAYER, format!("the pack has no layer {}", quote(name)))
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
        let data = json!({
            "pack_ref": draft.pack_ref,
            "content_hash": draft.content_hash,
            "tenant_id": draft.pack.pack_meta.tenant.tenant_id,
            "issuer": draft.pack.contract_meta.issuer,
            "intents": draft.pack.intents(),
            "document": value,
        });
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
    let _ = writeln!(out, "reviews   {}", roles.join(", "));
    out
}
