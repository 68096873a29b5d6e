//! The configuration of the model: golden cases are compiled with its tokenizer, and held to its context window.

use super::document::{hashed, read, without_golden};
use super::{Checked, Found};
use crate::release::Release;
use deed_context::{
    CachedPack, DEFAULT_TOKENIZER, Evidence, Hydrations, Inputs, Memory, Outcome, PackMaterial, ReadInput, Request,
    Run, compare_prefix, compile, hydrate, tokenizer,
};
use deed_diag::{Diagnostic, Document, Invariant as _, Report, codes, quote};
use deed_model::{BundleInputs, CompiledContext, ModelConfig};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn check(checked: &Checked<'_>, document: &Document) -> Result<Found, Report> {
    let config: ModelConfig = read(document)?;
    if tokenizer(&config.tokenizer).is_none() {
        let mut report = Report::default();
        report.add_source(document.source().clone());
        report.push(
            Diagnostic::error(
                codes::DEPENDENCY_NOT_READABLE,
                format!("unknown tokenizer {}", quote(&config.tokenizer)),
            )
            .stage("recheck")
            .at(document.place("/tokenizer"))
            .help("there are `o200k_base`, `cl100k_base` and, as an estimate, `bytes/4`"),
        );
        return Err(report);
    }
    let mut findings: Vec<Diagnostic> =
        without_golden(checked, "no prompt was counted with the tokenizer").into_iter().collect();
    if let Some(release) = Release::of((checked.bundle, &[]), None) {
        for (name, request) in release.candidate.golden() {
            let material =
                PackMaterial { selected: request.case.overlays.clone(), ..release.candidate.material.clone() };
            let compared = Case { name: &name, material: &material, inputs: &request.inputs, cache: checked.cache };
            findings.extend(compared.check(&config, request.document, document));
        }
    }
    Ok(Found { name: config.model, hash: hashed(document.value())?, findings, replaced: None })
}

/// A golden case, compiled with the tokenizer of its run and with that of the configuration.
struct Case<'c> {
    name: &'c str,
    material: &'c PackMaterial,
    inputs: &'c BundleInputs,
    cache: &'c Hydrations,
}

impl Case<'_> {
    /// Compares the two compiles. A case that cannot be compiled as it is is left to the replay gate.
    fn check(&self, config: &ModelConfig, case: &Document, document: &Document) -> Vec<Diagnostic> {
        let before = self.inputs.run.get("tokenizer").and_then(Value::as_str).unwrap_or(DEFAULT_TOKENIZER);
        let Some(old) = self.prepared(before) else { return Vec::new() };
        let new = self.prepared(&config.tokenizer).invariant("a case that is read is read with any known tokenizer");
        self.compare(&old.compiled(), &new.compiled(), config, case, document)
    }

    fn prepared(&self, tokenizer: &str) -> Option<Prepared<'_>> {
        let mut run = self.inputs.run.clone();
        run.as_object_mut()?.insert("tokenizer".to_owned(), json!(tokenizer));
        let run = Run::from_value(run).ok()?;
        Some(Prepared {
            request: Request::from_value(self.inputs.request.clone()).ok()?,
            evidence: Evidence::from_value(self.inputs.evidence.clone()).ok()?,
            memory: Memory::from_value(self.inputs.memory.clone()).ok()?,
            pack: hydrate(self.material, &run, self.cache).ok()?,
            run,
        })
    }

    fn compare(
        &self,
        old: &Outcome<'_>,
        new: &Outcome<'_>,
        config: &ModelConfig,
        case: &Document,
        document: &Document,
    ) -> Vec<Diagnostic> {
        let name = quote(self.name);
        let (before, after) = (described(old), described(new));
        if before != after {
            let message = format!("{name} ends with {after}, and with {before} before");
            return vec![
                Diagnostic::error(codes::CASE_ENDS_OTHERWISE, message)
                    .at(document.place("/tokenizer"))
                    .related(case.place("/expect"), "the case")
                    .help("give the budget more room in a new version of the pack"),
            ];
        }
        let (Some(old), Some(new)) = (old.context(), new.context()) else { return Vec::new() };
        let mut found = Vec::new();
        let lost: Vec<String> = dropped(new).difference(&dropped(old)).cloned().collect();
        if !lost.is_empty() {
            let message = format!("{name} loses the blocks `{}`", lost.join("`, `"));
            found.push(
                Diagnostic::error(codes::CASE_ENDS_OTHERWISE, message)
                    .at(document.place("/tokenizer"))
                    .related(case.place("/run"), "the case")
                    .help("give their buckets more room in a new version of the pack"),
            );
        }
        let prompt = new.budget_report.head_tokens.sum().saturating_add(new.budget_report.tokens_used_at_compile);
        let needed = prompt.saturating_add(config.max_output_tokens);
        if needed > config.context_window_tokens {
            let message = format!(
                "{name} needs {needed} tokens ({prompt} and an answer of {}), and the window has {}",
                config.max_output_tokens, config.context_window_tokens
            );
            found.push(
                Diagnostic::error(codes::CONTEXT_WINDOW_EXCEEDED, message)
                    .at(document.place("/context_window_tokens"))
                    .related(case.place("/run"), "the case"),
            );
        }
        if let Some(part) = compare_prefix(old, new).broken_by {
            let message = format!("the stable prefix of {name} changes at {}", quote(&part));
            found.push(Diagnostic::warning(codes::PREFIX_CHANGED, message).at(document.place("/tokenizer")));
        }
        found
    }
}

/// The inputs of a compile with one tokenizer.
struct Prepared<'c> {
    request: Request,
    run: Run,
    evidence: Evidence,
    memory: Memory,
    pack: CachedPack<'c>,
}

impl Prepared<'_> {
    fn compiled(&self) -> Outcome<'_> {
        let Self { request, run, evidence, memory, pack } = self;
        compile(pack, Inputs { request, run, evidence, memory })
    }
}

fn described(outcome: &Outcome<'_>) -> String {
    match outcome {
        Outcome::Refused(refusal) => format!("`refused` ({})", refusal.diagnostic.code),
        Outcome::Compiled(_) | Outcome::MustEscalate(_) | Outcome::MustRefuse(_) => format!("`{}`", outcome.as_str()),
    }
}

fn dropped(context: &CompiledContext<'_>) -> BTreeSet<String> {
    context.budget_report.dropped_blocks.iter().map(|block| block.block_id.clone().into_owned()).collect()
}
