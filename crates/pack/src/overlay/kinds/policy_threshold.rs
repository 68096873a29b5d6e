//! `policy_threshold`: a stricter number in a rule or a gate.

use super::super::edit::Edit;
use super::super::shown::shown;
use super::super::tighten::{self, Strictness};
use super::{Refusal, Subject, proof};
use crate::pointer::{join, pointer};
use deed_canon::Pointer;
use deed_diag::{Invariant as _, codes, did_you_mean};
use deed_model::{ApprovalGate, PolicyBundle, Rule};
use serde_json::{Number, Value};

pub(super) fn prove(
    subject: &Subject<'_>,
    rule_id: Option<&str>,
    gate_id: Option<&str>,
    pointer: &str,
    value: &Number,
) -> Result<Edit, Refusal> {
    let threshold = Threshold { subject, pointer, value };
    match (rule_id, gate_id) {
        (Some(rule_id), _) => threshold.in_rule(rule_id),
        (None, Some(gate_id)) => threshold.in_gate(gate_id),
        (None, None) => Err(threshold.not_a_threshold("the change names neither a rule nor a gate")),
    }
}

struct Threshold<'a> {
    subject: &'a Subject<'a>,
    pointer: &'a str,
    value: &'a Number,
}

impl Threshold<'_> {
    fn in_rule(&self, rule_id: &str) -> Result<Edit, Refusal> {
        let (at, bundle, rule) = self.find_rule(rule_id)?;
        self.number_at(&at)?;
        let steps: Vec<String> = Pointer::tokens(self.pointer).collect();
        let parts: Vec<&str> = steps.iter().map(String::as_str).collect();
        let strictness = match parts.as_slice() {
            ["if", ..] => {
                let inside = self.pointer.strip_prefix("/if").invariant("its first step is `if`");
                let language = bundle.policy_dsl.language;
                tighten::condition(&self.subject.state.pack, language, rule, inside, self.value)
            }
            ["then" | "else", "arg_constraints", _, bound] => self.bound(&at, bound)?,
            _ => return Err(self.not_a_threshold("a rule's thresholds are numbers in `if` and in its argument bounds")),
        };
        self.judged(&at, &format!("rule `{rule_id}`"), strictness)
    }

    fn in_gate(&self, gate_id: &str) -> Result<Edit, Refusal> {
        let (at, gate) = self.find_gate(gate_id)?;
        self.number_at(&at)?;
        let strictness = match self.pointer {
            "/ttl_seconds" => {
                self.whole("an approval is valid for at least one second", 1)?;
                let why = "an approval that expires sooner allows less";
                tighten::lower(gate.ttl_seconds as f64, self.value.as_f64().invariant("a number is a float"), why)
            }
            pointer => match pointer.strip_prefix("/when") {
                Some(inside) => tighten::activation(&gate.when, inside, self.value),
                None => {
                    let help = "a gate's thresholds are the numbers in `when` and `/ttl_seconds`";
                    return Err(self.not_a_threshold(help));
                }
            },
        };
        self.judged(&at, &format!("gate `{gate_id}`"), strictness)
    }

    fn find_rule(&self, rule_id: &str) -> Result<(String, &PolicyBundle, &Rule), Refusal> {
        let bundles = self.subject.state.pack.policy_layer.policy_bundles.iter().enumerate();
        let all = bundles.flat_map(|(b, bundle)| {
            bundle.policy_dsl.rules.iter().enumerate().map(move |(r, rule)| (b, bundle, r, rule))
        });
        let mut named = all.filter(|(_, _, _, rule)| rule.rule_id == rule_id);
        match (named.next(), named.next()) {
            (Some((b, bundle, r, rule)), None) => {
                Ok((pointer!("policy_layer", "policy_bundles", b, "policy_dsl", "rules", r), bundle, rule))
            }
            (Some(_), Some(_)) => {
                let message = format!("several rules are named {}", shown(rule_id));
                Err(self.subject.unknown("rule_id", message, Some("give each rule its own id".to_owned())))
            }
            (None, _) => {
                let help = did_you_mean(rule_id, self.subject.state.pack.rules().map(|(_, r)| r.rule_id.as_str()));
                Err(self.subject.unknown("rule_id", format!("the pack has no rule {}", shown(rule_id)), help))
            }
        }
    }

    fn find_gate(&self, gate_id: &str) -> Result<(String, &ApprovalGate), Refusal> {
        let gates = &self.subject.state.pack.policy_layer.approval_gates;
        let mut named = gates.iter().enumerate().filter(|(_, gate)| gate.gate_id == gate_id);
        match (named.next(), named.next()) {
            (Some((i, gate)), None) => Ok((pointer!("policy_layer", "approval_gates", i), gate)),
            (Some(_), Some(_)) => {
                let message = format!("several gates are named {}", shown(gate_id));
                Err(self.subject.unknown("gate_id", message, Some("give each gate its own id".to_owned())))
            }
            (None, _) => {
                let help = did_you_mean(gate_id, gates.iter().map(|g| g.gate_id.as_str()));
                Err(self.subject.unknown("gate_id", format!("the pack has no gate {}", shown(gate_id)), help))
            }
        }
    }

    /// Returns the number at the pointer.
    fn number_at(&self, at: &str) -> Result<f64, Refusal> {
        let stands = self.subject.state.value.pointer(at).and_then(|whole| whole.pointer(self.pointer));
        let rooted = self.pointer.starts_with('/');
        match stands.and_then(tighten::as_number) {
            Some(number) if rooted => Ok(number),
            Some(_) | None => Err(self.not_a_threshold("there is no number at that place")),
        }
    }

    fn bound(&self, at: &str, name: &str) -> Result<Strictness, Refusal> {
        let from = self.number_at(at)?;
        if name == "max_length" {
            self.whole("a length is a whole number", 0)?;
        }
        let to = self.value.as_f64().invariant("a number is a float");
        let bounds = "the numbers of an argument bound are `min`, `max` and `max_length`";
        tighten::bound(name, from, to).ok_or_else(|| self.not_a_threshold(bounds))
    }

    fn whole(&self, help: &str, least: u64) -> Result<(), Refusal> {
        match self.value.as_u64() {
            Some(number) if number >= least => Ok(()),
            Some(_) | None => {
                let message = format!("`{}` is not allowed here", self.value);
                Err(Box::new(self.subject.refuse(codes::VALUE_OUT_OF_RANGE, "value", message).help(help)))
            }
        }
    }

    fn judged(&self, at: &str, owner: &str, strictness: Strictness) -> Result<Edit, Refusal> {
        let place = shown(self.pointer);
        match &strictness {
            Strictness::Same | Strictness::Tighter(_) => Ok(Edit {
                pointer: join(at, self.pointer),
                after: Value::Number(self.value.clone()),
                proof: proof(&strictness),
            }),
            Strictness::Looser(why) => {
                let message = format!("`{}` at {place} would widen {owner}: {why}", self.value);
                let help = "move the number the other way, or change it in the pack itself, under review";
                Err(Box::new(self.subject.refuse(codes::THRESHOLD_WIDENS, "value", message).help(help)))
            }
            Strictness::Unproven(why) => {
                let message =
                    format!("it cannot be proven that `{}` at {place} only tightens {owner}: {why}", self.value);
                let help = "change it in the pack itself, or make the comparison the last part of the rule";
                Err(Box::new(self.subject.refuse(codes::TIGHTENING_UNPROVEN, "pointer", message).help(help)))
            }
        }
    }

    fn not_a_threshold(&self, why: &str) -> Refusal {
        let message = format!("{} leads to no threshold: {why}", shown(self.pointer));
        let help = "point at a number from the rule or gate, such as `/when/>/1` or `/if/and/1/>/1`";
        Box::new(self.subject.refuse(codes::NOT_A_THRESHOLD, "pointer", message).help(help))
    }
}
