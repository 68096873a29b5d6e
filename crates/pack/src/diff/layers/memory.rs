//! `memory_layer`: lifetimes, recall and write-back.

use super::{lowered, raised};
use crate::diff::class::ChangeClass::Major;
use crate::diff::effect::ChangeEffect::{Tightens, Unproven};
use crate::diff::shape::{Empty, Order, Shape, Spot, Texts, Verdict};
use crate::overlay::tighten;
use serde_json::Value;

pub(super) const LAYER: Shape = Shape::Object(&[
    (
        "memory_policy",
        Shape::Object(&[
            (
                "tier_ttls",
                Shape::Object(&[
                    ("working", Shape::Judged(lifetime)),
                    ("episodic", Shape::Judged(lifetime)),
                    ("semantic", Shape::Judged(lifetime)),
                    ("durable", Shape::Judged(lifetime)),
                ]),
            ),
            ("write_classes_allowed", Shape::Texts(&WRITE_CLASSES)),
            ("consent_gating", Shape::Object(&[("pii_write_back_allowed", Shape::Judged(write_back))])),
            ("scope", Shape::Behaviour("memory is shared differently")),
        ]),
    ),
    (
        "promotion_thresholds",
        Shape::Object(&[(
            "auto_promote_confidence",
            Shape::Judged(|spot| raised(spot, "more candidates are shown to a person")),
        )]),
    ),
    ("recall_policy", Shape::Object(&[("max_per_intent", Shape::Judged(|spot| lowered(spot, "less is recalled")))])),
]);

const WRITE_CLASSES: Texts = Texts {
    noun: "write class",
    order: Order::Free,
    added: (Major, Unproven, "more may be written back"),
    removed: (Major, Tightens, "something that was written back before no longer can be"),
    empty: Empty::Nothing,
};

fn write_back(spot: &Spot<'_>) -> Verdict {
    match (spot.before.and_then(Value::as_bool), spot.after.and_then(Value::as_bool)) {
        (Some(true), Some(false)) => Verdict::minor("personal data is no longer written back"),
        _ => Verdict::major("personal data may be written back where it was not before"),
    }
}

fn lifetime(spot: &Spot<'_>) -> Verdict {
    let seconds = |value: Option<&Value>| value.and_then(Value::as_str).and_then(seconds);
    match (seconds(spot.before), seconds(spot.after)) {
        (Some(from), Some(to)) => Verdict::of(&tighten::lower(from, to, "memories are forgotten sooner")),
        _ => Verdict::major("memories may live longer than before"),
    }
}

/// Parses a lifetime such as `1h` or `365d`; other spellings are not compared.
fn seconds(text: &str) -> Option<f64> {
    let unit = text.chars().last()?;
    let scale = match unit {
        's' => 1.0,
        'm' => 60.0,
        'h' => 3_600.0,
        'd' => 86_400.0,
        'w' => 604_800.0,
        _ => return None,
    };
    let digits = text.strip_suffix(unit)?;
    let plain = !digits.is_empty() && digits.len() <= 9 && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| digits.parse::<f64>().ok().map(|n| n * scale)).flatten()
}
