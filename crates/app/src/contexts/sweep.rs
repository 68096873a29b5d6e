//! Compiles the same inputs with one or two values varied, and finds where the result changes.

use super::assign::Assignment;
use super::load::LoadedContext;
use crate::error::AppError;
use deed_context::{Hydrated, compile};
use deed_diag::{Diagnostic, codes, quote};
use deed_model::CompiledContext;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

/// The most points of one sweep.
pub const MOST_POINTS: usize = 10_000;

/// A path, and the values that it takes one after another.
#[derive(Debug, Clone, PartialEq)]
pub struct Variation {
    path: String,
    values: Vec<Value>,
}

impl Variation {
    /// Reads `PATH=FROM..TO`, `PATH=FROM..TO..STEP` (both ends included) or `PATH=A,B,C`.
    ///
    /// # Errors
    /// It is none of these, or has more than [`MOST_POINTS`] values.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        let refuse = |help: &str| {
            let message = format!("{} varies nothing", quote(text));
            let diagnostic = Diagnostic::error(codes::INPUT_SHAPE, message).stage("usage").help(help);
            AppError::usage(crate::conceal::diagnostic(diagnostic))
        };
        const FORMS: &str = "write `PATH=FROM..TO`, `PATH=FROM..TO..STEP` or `PATH=A,B,C`";
        let (path, values) = text.split_once('=').ok_or_else(|| refuse(FORMS))?;
        let parts: Vec<&str> = values.split("..").collect();
        let values = match parts.as_slice() {
            [list] => list.split(',').map(literal).collect(),
            [from, to] => range(from, to, "1").ok_or_else(|| refuse(FORMS))?,
            [from, to, step] => range(from, to, step).ok_or_else(|| refuse(FORMS))?,
            _ => return Err(refuse(FORMS)),
        };
        if values.is_empty() || values.len() > MOST_POINTS {
            return Err(refuse("a sweep has 1 to 10,000 points: choose another step"));
        }
        Assignment::new(path, Value::Null)?;
        Ok(Self { path: path.to_owned(), values })
    }

    /// The path, as rules read it.
    pub fn path(&self) -> &str {
        &self.path
    }
}

/// A value as JSON, or text where it is none.
fn literal(text: &str) -> Value {
    deed_canon::parse(text.as_bytes()).unwrap_or_else(|_| Value::from(text))
}

/// The numbers of a range, in exact decimal steps; none if there would be more than [`MOST_POINTS`].
fn range(from: &str, to: &str, step: &str) -> Option<Vec<Value>> {
    let places = [from, to, step].iter().map(|text| text.split_once('.').map_or(0, |(_, rest)| rest.len())).max()?;
    let scale = 10_i64.checked_pow(u32::try_from(places).ok()?)?;
    let scaled = |text: &str| {
        let (sign, digits) = text.trim().strip_prefix('-').map_or((1, text.trim()), |rest| (-1, rest));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let padded = format!("{fraction:0<places$}");
        let fraction: i64 = if padded.is_empty() { 0 } else { padded.parse().ok()? };
        let whole: i64 = whole.parse().ok()?;
        whole.checked_mul(scale)?.checked_add(fraction)?.checked_mul(sign)
    };
    let (from, to, step) = (scaled(from)?, scaled(to)?, scaled(step)?);
    let count = usize::try_from(to.checked_sub(from)?.checked_div(step)?).ok()?;
    // The caller refuses a variation without points.
    if step <= 0 || count >= MOST_POINTS {
        return Some(Vec::new());
    }
    let number = |at: i64| if scale == 1 { json!(at) } else { json!(at as f64 / scale as f64) };
    Some((0..=count as i64).map(|index| number(from + index * step)).collect())
}

/// The results of a sweep.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Sweep {
    /// The paths that were varied, the slowest first.
    pub paths: Vec<String>,
    /// The points, in their order.
    pub points: Vec<SweepPoint>,
}

/// The result of one point.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SweepPoint {
    /// The values, in the order of the paths.
    pub values: Vec<Value>,
    /// The outcome: `refused`, or the verdict of the compile.
    pub outcome: String,
    /// The code of a refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
    /// The capabilities on the surface.
    pub tools: Vec<String>,
    /// The active approval gates.
    pub gates: Vec<String>,
    /// The rules that fired, with their verdicts.
    pub rules: Vec<String>,
    /// The decisions whose evidence is not sufficient.
    pub insufficient: Vec<String>,
    /// The hash of the compiled context.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compiled_context_hash: Option<String>,
    /// True if outcome, surface, gates, rules or evidence differ from the point before. The first point of a row is
    /// compared with the first of the row before.
    pub changed: bool,
    /// True if the hash of the compiled context differs from that point: the value is read, or is part of an input.
    pub hash_changed: bool,
}

impl LoadedContext {
    /// Compiles every point of a variation, or of two crossed with each other, under a pack that was made ready by
    /// [`LoadedContext::hydrate`]. A point that refuses is a result.
    ///
    /// # Errors
    /// A path leads through something that is not an object or is not one that can be set, or there are too many points.
    pub fn sweep(&self, pack: &Hydrated, variations: &[Variation]) -> Result<Sweep, AppError> {
        let many = |points: usize, more: &Variation| points.saturating_mul(more.values.len());
        if variations.iter().fold(1, many) > MOST_POINTS {
            let message = format!("a sweep has at most {MOST_POINTS} points");
            let diagnostic = Diagnostic::error(codes::INPUT_SHAPE, message).stage("usage");
            return Err(AppError::usage(diagnostic.help("choose larger steps, or vary one value")));
        }
        let width = variations.last().map_or(1, |inner| inner.values.len());
        let mut points: Vec<SweepPoint> = Vec::new();
        for values in crossed(variations) {
            let assignments = variations.iter().zip(&values);
            let assignments = assignments.map(|(variation, value)| Assignment::new(&variation.path, value.clone()));
            let mut point = self.point(pack, &assignments.collect::<Result<Vec<_>, _>>()?)?;
            let earlier = if points.len().is_multiple_of(width) { width } else { 1 };
            let before = points.len().checked_sub(earlier).and_then(|at| points.get(at));
            point.changed = before.is_none_or(|before| !before.is_like(&point));
            point.hash_changed =
                before.is_none_or(|before| before.compiled_context_hash != point.compiled_context_hash);
            points.push(point);
        }
        Ok(Sweep { paths: variations.iter().map(|variation| variation.path.clone()).collect(), points })
    }

    fn point(&self, pack: &Hydrated, assignments: &[Assignment]) -> Result<SweepPoint, AppError> {
        let values = assignments.iter().map(|assignment| assignment.value().clone()).collect();
        let varied = match self.assigned(assignments)? {
            Ok(varied) => varied,
            Err(refusal) => return Ok(SweepPoint::refused(values, refusal.diagnostic.code.as_str())),
        };
        let inputs = varied.inputs(self);
        Ok(match compile(pack, inputs).into_result() {
            Ok(context) => SweepPoint::of(values, &context),
            Err(refusal) => SweepPoint::refused(values, refusal.diagnostic.code.as_str()),
        })
    }
}

/// Every combination of the values of variations, the last one fastest.
fn crossed(variations: &[Variation]) -> Vec<Vec<Value>> {
    variations.iter().fold(vec![Vec::new()], |rows, variation| {
        let widened = |row: &Vec<Value>| {
            let row = row.clone();
            variation.values.iter().map(move |value| row.iter().chain([value]).cloned().collect())
        };
        rows.iter().flat_map(widened).collect()
    })
}

impl SweepPoint {
    fn refused(values: Vec<Value>, code: &str) -> Self {
        Self {
            values,
            outcome: "refused".to_owned(),
            code: Some(code.to_owned()),
            tools: Vec::new(),
            gates: Vec::new(),
            rules: Vec::new(),
            insufficient: Vec::new(),
            compiled_context_hash: None,
            changed: false,
            hash_changed: false,
        }
    }

    fn of(values: Vec<Value>, context: &CompiledContext<'_>) -> Self {
        let ledger = &context.context_ledger;
        let surfaced = ledger.tools.iter().filter(|tool| tool.surfaced);
        let decided = ledger.policy_decisions.iter();
        let open = context.decisions.iter().filter(|decision| !decision.sufficient);
        Self {
            values,
            outcome: context.outcome.to_string(),
            code: None,
            tools: surfaced.map(|tool| format!("{}.{}", tool.adapter_id, tool.capability)).collect(),
            gates: context.runtime_controls.approval_gates_active.iter().map(ToString::to_string).collect(),
            rules: decided.map(|rule| format!("{} {}", rule.rule_id, rule.verdict.as_str())).collect(),
            insufficient: open.map(|decision| decision.decision_key.to_string()).collect(),
            compiled_context_hash: ledger.compiled_context_hash.map(|hash| hash.to_string()),
            changed: false,
            hash_changed: false,
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        self.outcome == other.outcome
            && self.code == other.code
            && self.tools == other.tools
            && self.gates == other.gates
            && self.rules == other.rules
            && self.insufficient == other.insufficient
    }
}

#[cfg(test)]
mod tests {
    use super::{Variation, crossed};
    use serde_json::{Value, json};

    fn values(text: &str) -> Vec<Value> {
        Variation::parse(text).unwrap().values
    }

    #[test]
    fn two_variations_are_crossed_and_the_last_is_fastest() {
        let variations = [Variation::parse("a=1,2").unwrap(), Variation::parse("b=x,y").unwrap()];
        let expected: Vec<Vec<Value>> =
            [(1, "x"), (1, "y"), (2, "x"), (2, "y")].into_iter().map(|(a, b)| vec![json!(a), json!(b)]).collect();
        assert_eq!(crossed(&variations), expected);
    }

    #[test]
    fn ranges_have_both_ends_and_lists_their_order() {
        assert_eq!(values("a.b=1..4"), [json!(1), json!(2), json!(3), json!(4)]);
        assert_eq!(values("a.b=0..0.3..0.1"), [json!(0.0), json!(0.1), json!(0.2), json!(0.3)]);
        assert_eq!(values("a.b=-1..1"), [json!(-1), json!(0), json!(1)]);
        assert_eq!(values("a.b=true,x,3"), [json!(true), json!("x"), json!(3)]);
        for malformed in
            ["a", "a=1..", "a=1..x", "a=5..1", "a=1..2..0", "a=1..2..-1", "a=0..100000", "=1,2", "a=1..2..3..4"]
        {
            assert!(Variation::parse(malformed).is_err(), "{malformed}");
        }
    }
}
