//! Texts that the bounds and patterns of the schema decide: a list whose items the item schema tells from the whole text, and
//! a percentage where no number above 1 is allowed.

use crate::climb::Cx;
use crate::rungs::about::about;
use deed_imprint::{Expected, ValueKind};
use deed_model::StructuralFix;
use deed_schema::Schema;
use serde_json::Value;

/// Longer texts are no short lists.
const LONGEST: usize = 400;
/// Marks between items, the surest first.
const BETWEEN: [&str; 5] = [";", "|", "\n", ",", " "];

/// The reading of a text that the schema of its place alone decides.
pub(super) fn read(cx: Cx<'_>, at: &str, value: &Value, expected: &Expected<'_>) -> Option<(StructuralFix, Value)> {
    let text = value.as_str().map(str::trim).filter(|text| !text.is_empty() && text.len() <= LONGEST)?;
    let schema = cx.ladder.imprint.schema().value();
    if expected.takes_only(ValueKind::List) {
        let about = about(schema, &format!("{at}/0"));
        let items = about.only()?;
        return list(text, items).map(|list| (StructuralFix::ParseText, list));
    }
    if expected.takes_only(ValueKind::Number) {
        let about = about(schema, at);
        let share = share(text, about.only()?, &about.description)?;
        return Some((StructuralFix::ReadScalar, share));
    }
    None
}

/// The items of a text, if the text as a whole is none, nor are two neighbours together.
fn list(text: &str, items: &Value) -> Option<Value> {
    let has = |name: &str| items.get(name).is_some();
    let is_integer = items.get("type").and_then(Value::as_str) == Some("integer") && (has("maximum") || has("enum"));
    let is_text = items.get("type").and_then(Value::as_str) == Some("string") && has("pattern");
    if !(is_integer || is_text) || text.contains(['[', '{', '"', '\'']) {
        return None;
    }
    let schema = Schema::new(items.clone()).ok()?;
    let allows = |value: &Value| schema.is_valid(value).unwrap_or(true);
    let mark = BETWEEN.into_iter().find(|mark| text.contains(mark))?;
    let parts: Vec<&str> = text.split(mark).map(str::trim).filter(|part| !part.is_empty()).collect();
    let item = |part: &str| match is_integer {
        true => part.parse::<i64>().ok().filter(|number| number.to_string() == part).map(Value::from),
        false => Some(Value::from(part)),
    };
    let read: Vec<Value> = parts.iter().map(|part| item(part)).collect::<Option<_>>()?;
    let joined = |between: &str| parts.windows(2).map(|pair| pair.join(between)).collect::<Vec<_>>();
    // Any two neighbours may be one item that has the mark in it, or the groups of one number.
    let ways = [mark.to_owned(), format!("{mark} "), " ".to_owned(), String::new()];
    let is_one = |run: &str| item(run).is_some_and(|value| allows(&value));
    // Behind a mark with a blank no group of digits follows.
    let is_apart = mark != " " && (mark != "," || text.matches(',').count() == text.matches(", ").count());
    let may_join = !(is_integer && is_apart);
    let is_joined = is_one(text) || may_join && ways.iter().flat_map(|between| joined(between)).any(|run| is_one(&run));
    (parts.len() > 1 && !is_joined && read.iter().all(allows)).then_some(Value::Array(read))
}

/// The share that a percentage is, where the schema allows numbers from 0 to 1 alone and the number itself is none of them.
fn share(text: &str, schema: &Value, description: &str) -> Option<Value> {
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    let digits = text.strip_suffix('%')?.trim_end();
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let number: f64 = digits.parse().ok()?;
    let is_plain = !whole.is_empty() && whole.len() <= 3 && is_digits(whole) && is_digits(fraction);
    let speaks_of_percent = description.to_lowercase().contains("percent");
    let is_share = bound("minimum").is_some_and(|least| least >= 0.0) && bound("maximum") == Some(1.0);
    if !is_plain || speaks_of_percent || !is_share || number <= 1.0 || number > 100.0 {
        return None;
    }
    // The point moves by two digits, without rounding.
    let padded = format!("{whole:0>3}");
    let (ones, hundredths) = padded.split_at_checked(padded.len() - 2)?;
    deed_canon::parse(format!("{ones}.{hundredths}{fraction}").as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use super::{list, share};
    use serde_json::json;

    #[test]
    fn lists_are_split_where_no_item_could_be_more() {
        let ports = json!({ "type": "integer", "minimum": 1, "maximum": 65535 });
        assert_eq!(list("80,443", &ports), Some(json!([80, 443])));
        assert_eq!(list("80,44", &ports), None);
        let serials = json!({ "type": "string", "pattern": "^SN\\d{4}$" });
        assert_eq!(list("SN0041 SN0042", &serials), Some(json!(["SN0041", "SN0042"])));
        assert_eq!(list("SN0041 SN42", &serials), None);
        assert_eq!(list("red, green", &json!({ "type": "string" })), None);
        assert_eq!(list("a b", &json!({ "type": "string", "pattern": "^[a-z ]+$" })), None);
        let bytes = json!({ "type": "integer", "minimum": 0, "maximum": 255 });
        assert_eq!(list("240 128 12", &bytes), Some(json!([240, 128, 12])));
        assert_eq!(list("1 20", &bytes), None);
    }

    #[test]
    fn a_percentage_is_a_share_where_nothing_above_one_is_allowed() {
        let schema = json!({ "type": "number", "minimum": 0, "maximum": 1 });
        assert_eq!(share("85%", &schema, ""), Some(json!(0.85)));
        assert_eq!(share("8.5 %", &schema, ""), Some(json!(0.085)));
        assert_eq!(share("100%", &schema, ""), Some(json!(1)));
        for text in ["0.5%", "1%", "120%", "85", "eighty%"] {
            assert_eq!(share(text, &schema, ""), None, "{text}");
        }
        assert_eq!(share("85%", &json!({ "type": "number" }), ""), None);
    }
}
