//! Personal data in a memory, as far as detectors know it.

use deed_detect::{PersonalKind, scan_personal_value};
use serde_json::Value;

/// Every detector of personal data. Secrets are refused before anything is captured.
const KINDS: [PersonalKind; 10] = [
    PersonalKind::Pan,
    PersonalKind::CreditCard,
    PersonalKind::Email,
    PersonalKind::Phone,
    PersonalKind::Iban,
    PersonalKind::Aadhaar,
    PersonalKind::Ssn,
    PersonalKind::NhsNumber,
    PersonalKind::Cpf,
    PersonalKind::Dni,
];

/// Returns true if one of the texts, or a text or number inside the value, is personal data. The key is the name that the
/// value has: digits are a telephone number under `phone`.
pub fn holds_personal_data<'t>(texts: impl IntoIterator<Item = &'t str>, key: Option<&str>, value: &Value) -> bool {
    texts.into_iter().any(|text| is_personal(None, text)) || in_value(key, value)
}

fn in_value(key: Option<&str>, value: &Value) -> bool {
    match value {
        Value::String(text) => is_personal(key, text),
        Value::Number(number) => is_personal(key, &number.to_string()),
        Value::Array(items) => items.iter().any(|item| in_value(key, item)),
        Value::Object(fields) => fields.iter().any(|(own, item)| is_personal(None, own) || in_value(Some(own), item)),
        Value::Null | Value::Bool(_) => false,
    }
}

fn is_personal(key: Option<&str>, text: &str) -> bool {
    !scan_personal_value(key, text, &KINDS).is_empty()
}
