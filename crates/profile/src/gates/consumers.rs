//! Gate 3, consumers: every binding is that of a consumer, at its place, and once.

use super::GateInput;
use deed_canon::Pointer;
use deed_diag::{Diagnostic, codes, did_you_mean, quote};
use deed_model::{BindingSlot, ModelConsumer};

pub(super) fn run(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = alias(input);
    findings.extend(keys(input));
    findings.extend(cross_checks(input));
    findings
}

/// `pass_c` is an alias of `pass_d`: accepted, reported, and not allowed beside it.
fn alias(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let phases = &input.profile.planner_phase_bindings;
    if phases.pass_c.is_none() {
        return Vec::new();
    }
    let place = input.file.document.key_place("/planner_phase_bindings/pass_c");
    let finding = match phases.pass_d {
        Some(_) => Diagnostic::error(codes::PHASE_ALIAS, "`pass_c` and `pass_d` are the same phase")
            .related(input.file.document.key_place("/planner_phase_bindings/pass_d"), "bound here too"),
        None => Diagnostic::info(codes::PHASE_ALIAS, "`pass_c` is read as `pass_d`, the resolution of skills"),
    };
    vec![finding.at(place).help("write `pass_d`; pass C is the compiler, which asks no model")]
}

/// Keys of `consumer_bindings`.
fn keys(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for key in input.profile.consumer_bindings.keys() {
        let place = input.file.document.key_place(&Pointer::push("/consumer_bindings", key));
        match key.parse::<ModelConsumer>() {
            Err(()) => findings.push(unknown(key).at(place)),
            Ok(consumer) => {
                let slots = BindingSlot::all().into_iter().filter(|slot| slot.consumer() == consumer);
                let elsewhere: Vec<String> = slots
                    .map(BindingSlot::pointer)
                    .filter(|pointer| !pointer.starts_with("/consumer_bindings/"))
                    .map(|pointer| format!("`{}`", pointer.trim_start_matches('/').replace('/', ".")))
                    .collect();
                if !elsewhere.is_empty() {
                    let message = format!("{} is bound elsewhere", quote(key));
                    let help = format!("bind it under {}", elsewhere.join(" and "));
                    findings.push(Diagnostic::error(codes::UNKNOWN_CONSUMER, message).at(place).help(help));
                }
            }
        }
    }
    findings
}

/// `consumer_key` names the consumer of the place.
fn cross_checks(input: &GateInput<'_>) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for placed in input.bindings() {
        let Some(key) = &placed.binding.consumer_key else { continue };
        let place = input.file.place(&format!("{}/consumer_key", placed.pointer));
        match (key.parse::<ModelConsumer>(), placed.slot) {
            (Err(()), _) => findings.push(unknown(key).at(place)),
            (Ok(_), None) => findings.push(
                Diagnostic::error(codes::UNKNOWN_CONSUMER, "the default binding is that of every consumer")
                    .at(place)
                    .help("leave `consumer_key` out here"),
            ),
            (Ok(consumer), Some(slot)) if consumer != slot.consumer() => findings.push(
                Diagnostic::error(
                    codes::UNKNOWN_CONSUMER,
                    format!("{} does not ask here; {} does", quote(key), quote(slot.consumer().as_str())),
                )
                .at(place)
                .help(format!("write `consumer_key: {}`, or leave it out", slot.consumer())),
            ),
            (Ok(_), Some(_)) => {}
        }
    }
    findings
}

fn unknown(key: &str) -> Diagnostic {
    let known = ModelConsumer::ALL.into_iter().map(ModelConsumer::as_str);
    let help = did_you_mean(key, known).unwrap_or_else(|| {
        let all: Vec<&str> = ModelConsumer::ALL.into_iter().map(ModelConsumer::as_str).collect();
        format!("the consumers are {}", all.join(", "))
    });
    Diagnostic::error(codes::UNKNOWN_CONSUMER, format!("unknown consumer {}", quote(key))).help(help)
}
