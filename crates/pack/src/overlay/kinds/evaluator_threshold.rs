//! `evaluator_threshold`: a stricter score target.

use super::super::edit::Edit;
use super::super::shown::shown;
use super::super::tighten::{self, Strictness};
use super::{Refusal, Subject, proof};
use crate::pointer::pointer;
use deed_diag::{codes, did_you_mean};
use deed_model::{Metric, MetricDirection};
use serde_json::{Number, Value};

pub(super) fn prove(subject: &Subject<'_>, intent: &str, metric: &str, value: &Number) -> Result<Edit, Refusal> {
    let targets = &subject.state.pack.evaluation_layer.eval_targets;
    let Some((index, target)) = targets.iter().enumerate().find(|(_, t)| t.intent == intent) else {
        let help = did_you_mean(intent, targets.iter().map(|t| t.intent.as_str()));
        return Err(subject.unknown("intent", format!("no score target is for the intent {}", shown(intent)), help));
    };
    let Ok(measured) = metric.parse::<Metric>() else {
        let list: Vec<String> = Metric::ALL.iter().map(|m| format!("`{m}`")).collect();
        let help = did_you_mean(metric, Metric::ALL.iter().map(|m| m.as_str()));
        let help = help.unwrap_or_else(|| format!("the metrics are {}", list.join(", ")));
        return Err(subject.unknown("metric", format!("{} is not a metric", shown(metric)), Some(help)));
    };
    let to = in_range(subject, measured, value)?;
    let strictness = tighten::target(measured, target.get(measured), to);
    if let Strictness::Looser(why) | Strictness::Unproven(why) = &strictness {
        let stands = target.get(measured).map_or_else(String::new, |from| format!(", and the present one is `{from}`"));
        let message = format!("the target `{value}` for `{measured}` is looser than before: {why}{stands}");
        let help = "give a stricter target, or loosen it in the pack itself, under review";
        return Err(Box::new(subject.refuse(codes::LOOSER_TARGET, "value", message).help(help)));
    }
    Ok(Edit {
        pointer: pointer!("evaluation_layer", "eval_targets", index, measured),
        after: Value::Number(value.clone()),
        proof: proof(&strictness),
    })
}

fn in_range(subject: &Subject<'_>, metric: Metric, value: &Number) -> Result<f64, Refusal> {
    let (highest, range) = match metric.aim() {
        MetricDirection::Higher => (1.0, "0 to 1, since it is a share of runs"),
        MetricDirection::Lower => (f64::INFINITY, "0 or more"),
    };
    match value.as_f64() {
        Some(to) if (0.0..=highest).contains(&to) => Ok(to),
        Some(_) | None => {
            let message = format!("`{value}` is out of range for `{metric}`");
            Err(Box::new(
                subject.refuse(codes::VALUE_OUT_OF_RANGE, "value", message).help(format!("the range is {range}")),
            ))
        }
    }
}
