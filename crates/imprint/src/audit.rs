//! Checks the law on many schemas with their instances: a verdict on each, and a table of all.

use crate::imprint::Imprint;
use deed_canon::canonical_string;
use deed_schema::{Reason, Refused, Schema};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// A schema to check, with instances that are known to be valid or invalid.
pub struct Case {
    /// Its name.
    pub id: String,
    /// The schema, or its refusal.
    pub schema: Result<Schema, Refused>,
    /// The schema without white space, whose tokens are compared.
    pub minified: String,
    /// Instances.
    pub instances: Vec<Instance>,
}

/// An instance with its expected validity.
#[derive(Debug, Clone, PartialEq)]
pub struct Instance {
    /// True if it is valid.
    pub valid: bool,
    /// The instance.
    pub data: Value,
}

/// The verdict on one schema.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct Verdict {
    /// Its name.
    pub id: String,
    /// The named reason, if it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<&'static str>,
    /// The message of the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Valid instances that came back byte for byte.
    pub round_tripped: usize,
    /// Valid instances that came back as something else.
    pub wrong: usize,
    /// Valid instances that did not come back.
    pub valid_rejected: usize,
    /// Invalid instances that were refused.
    pub invalid_refused: usize,
    /// Invalid instances that were accepted.
    pub invalid_accepted: usize,
    /// Instances that have no canonical form, such as integers beyond 2^53.
    pub not_canonical: usize,
    /// Valid instances that the template alone, without its schema, would refuse.
    pub template_too_strict: usize,
    /// Invalid instances that the template alone would refuse.
    pub caught_by_template: usize,
    /// True if the written template, read and written again, is the same.
    pub rewritten: bool,
    /// The message about the first instance that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_fault: Option<String>,
    /// Tokens of the schema without white space.
    pub schema_tokens: usize,
    /// Tokens of the skeleton.
    pub skeleton_tokens: usize,
    /// Tokens of the head and the skeleton.
    pub template_tokens: usize,
    /// Keywords of the schema that the template does not show.
    pub unshown: Vec<String>,
}

impl Case {
    /// Checks the law on this schema.
    pub fn judge(self, tokens: &dyn Fn(&str) -> usize) -> Verdict {
        let mut verdict = Verdict { id: self.id, schema_tokens: tokens(&self.minified), ..Verdict::default() };
        let imprint = match self.schema.and_then(Imprint::new) {
            // A template whose filled form could not be judged is of no use.
            Ok(imprint) => match imprint.schema().sound() {
                Ok(()) => imprint,
                Err(refused) => return verdict.refuse(&refused),
            },
            Err(refused) => return verdict.refuse(&refused),
        };
        verdict.skeleton_tokens = tokens(imprint.skeleton());
        verdict.template_tokens = tokens(&imprint.text());
        verdict.unshown = imprint.unshown().iter().map(|unshown| unshown.what.clone()).collect();
        verdict.unshown.sort();
        verdict.unshown.dedup();
        verdict.rewritten =
            Imprint::from_text(&imprint.text()).is_ok_and(|again| again.skeleton() == imprint.skeleton());
        let shown = Schema::new(imprint.shown());
        for instance in &self.instances {
            verdict.instance(&imprint, instance);
            match (
                instance.valid,
                shown.as_ref().map_err(Clone::clone).and_then(|shown| shown.is_valid(&instance.data)),
            ) {
                (true, Ok(false)) => verdict.template_too_strict += 1,
                (false, Ok(false)) => verdict.caught_by_template += 1,
                (_, Ok(true)) => {}
                // A template that cannot be compared with its schema must not count as one that agrees.
                (_, Err(refused)) => {
                    let fault = || format!("the schema of what the template shows is refused: {refused}");
                    verdict.first_fault.get_or_insert_with(fault);
                }
            }
        }
        verdict
    }
}

impl Verdict {
    fn refuse(mut self, refused: &Refused) -> Self {
        self.refused = Some(refused.reason.as_str());
        self.message = Some(refused.to_string());
        self
    }

    fn instance(&mut self, imprint: &Imprint, instance: &Instance) {
        let Ok(expected) = canonical_string(&instance.data) else {
            self.not_canonical += 1;
            return;
        };
        let filled = imprint.fill(&instance.data);
        let lowered = imprint.lower(&filled.document, &filled.supplied);
        let back = lowered.payload.as_ref().map(canonical_string);
        match (instance.valid, back) {
            (true, Some(Ok(back))) if back == expected => self.round_tripped += 1,
            (true, Some(_)) => {
                self.wrong += 1;
                self.first_fault.get_or_insert_with(|| "it came back as something else".to_owned());
            }
            (true, None) => {
                self.valid_rejected += 1;
                let said = lowered.findings.first().map(|finding| match finding.pointer.as_str() {
                    "" => finding.message.clone(),
                    at => format!("{at}: {}", finding.message),
                });
                self.first_fault = self.first_fault.take().or(said);
            }
            (false, Some(_)) => self.invalid_accepted += 1,
            (false, None) => self.invalid_refused += 1,
        }
    }
}

/// The table of many verdicts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct Audit {
    /// Schemas tried.
    pub schemas: usize,
    /// Schemas that have a template.
    pub accepted: usize,
    /// Schemas refused, by reason.
    pub refused: BTreeMap<&'static str, usize>,
    /// Valid instances that came back byte for byte.
    pub round_tripped: usize,
    /// Valid instances that came back as something else.
    pub wrong: usize,
    /// Valid instances that did not come back.
    pub valid_rejected: usize,
    /// Invalid instances that were refused.
    pub invalid_refused: usize,
    /// Invalid instances that were accepted.
    pub invalid_accepted: usize,
    /// Instances that have no canonical form.
    pub not_canonical: usize,
    /// Valid instances that the template alone would refuse.
    pub template_too_strict: usize,
    /// Invalid instances that the template alone would refuse.
    pub caught_by_template: usize,
    /// Templates that are not the same when read and written again.
    pub not_rewritten: usize,
    /// Keywords that templates do not show, with the number of schemas.
    pub unshown: BTreeMap<String, usize>,
    /// Tokens of the skeleton, in percent of the minified schema.
    pub skeleton_percent: Spread,
    /// Tokens of head and skeleton, in percent of the minified schema.
    pub template_percent: Spread,
    #[serde(skip)]
    skeletons: Vec<f64>,
    #[serde(skip)]
    templates: Vec<f64>,
}

/// The distribution of a number.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, schemars::JsonSchema)]
pub struct Spread {
    /// A twentieth lies below.
    pub p5: f64,
    /// A quarter lies below.
    pub p25: f64,
    /// Half lies below.
    pub median: f64,
    /// A quarter lies above.
    pub p75: f64,
    /// A twentieth lies above.
    pub p95: f64,
    /// The largest.
    pub max: f64,
}

impl Audit {
    /// Adds a verdict.
    pub fn add(&mut self, verdict: &Verdict) {
        self.schemas += 1;
        if let Some(reason) = verdict.refused {
            *self.refused.entry(reason).or_default() += 1;
            return;
        }
        self.accepted += 1;
        self.round_tripped += verdict.round_tripped;
        self.wrong += verdict.wrong;
        self.valid_rejected += verdict.valid_rejected;
        self.invalid_refused += verdict.invalid_refused;
        self.invalid_accepted += verdict.invalid_accepted;
        self.not_canonical += verdict.not_canonical;
        self.template_too_strict += verdict.template_too_strict;
        self.caught_by_template += verdict.caught_by_template;
        self.not_rewritten += usize::from(!verdict.rewritten);
        for name in &verdict.unshown {
            *self.unshown.entry(name.clone()).or_default() += 1;
        }
        if verdict.schema_tokens > 0 {
            let percent = |tokens: usize| 100.0 * tokens as f64 / verdict.schema_tokens as f64;
            self.skeletons.push(percent(verdict.skeleton_tokens));
            self.templates.push(percent(verdict.template_tokens));
        }
    }

    /// Computes the distributions, once all verdicts are added.
    pub fn finish(mut self) -> Self {
        self.skeleton_percent = spread(&mut self.skeletons);
        self.template_percent = spread(&mut self.templates);
        self
    }

    /// Returns true if the law held: nothing wrong, nothing valid refused, nothing invalid accepted.
    pub fn holds(&self) -> bool {
        self.wrong == 0 && self.valid_rejected == 0 && self.invalid_accepted == 0
    }

    /// Every reason for a refusal, with its count.
    pub fn reasons(&self) -> Vec<(Reason, usize)> {
        Reason::ALL
            .into_iter()
            .map(|reason| (reason, self.refused.get(reason.as_str()).copied().unwrap_or(0)))
            .collect()
    }
}

fn spread(values: &mut [f64]) -> Spread {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let index = (part * values.len() as f64) as usize;
        let value = values.get(index.min(values.len().saturating_sub(1))).copied().unwrap_or(0.0);
        (value * 10.0).round() / 10.0
    };
    Spread { p5: at(0.05), p25: at(0.25), median: at(0.5), p75: at(0.75), p95: at(0.95), max: at(1.0) }
}
