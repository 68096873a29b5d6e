//! The built-in detectors and their names.

use std::ops::Range;
use std::str::FromStr;

use crate::finding::Kind;
use crate::outline::Outline;

use super::{aadhaar, api_key, cpf, credit_card, dni, email, iban, nhs, pan, phone, ssn};

/// A built-in detector, addressed by name in redaction rules.
///
/// `pan` is the Indian permanent account number of taxpayers, not the primary account number of a
/// card: the contract lists `pan` and `credit_card` side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PersonalKind {
    /// The Indian taxpayer's permanent account number.
    Pan,
    /// A payment card number that passes Luhn.
    CreditCard,
    /// An email address outside the reserved example domains.
    Email,
    /// A telephone number written with `+`, separators or a telling name.
    Phone,
    /// An international bank account number that passes mod 97.
    Iban,
    /// The Indian resident's identity number that passes Verhoeff.
    Aadhaar,
    /// A US social security number with separators, or bare under a telling name.
    Ssn,
    /// An NHS number that passes modulo 11, grouped or under a telling name.
    NhsNumber,
    /// The Brazilian taxpayer's number whose check digits fit, as printed or under a telling name.
    Cpf,
    /// The number of a Spanish identity card, or a foreigner's, whose letter fits.
    Dni,
    /// Any secret that the standard scanner finds.
    ApiKey,
}

/// A name that no built-in detector has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownPersonalKind(pub String);

impl std::fmt::Display for UnknownPersonalKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = PersonalKind::ALL.iter().map(|kind| format!("`{kind}`")).collect();
        write!(f, "unknown detector `{}`, known are {}", self.0, names.join(", "))
    }
}

impl std::error::Error for UnknownPersonalKind {}

impl PersonalKind {
    /// Every built-in detector.
    pub const ALL: [Self; 11] = [
        Self::Pan,
        Self::CreditCard,
        Self::Email,
        Self::Phone,
        Self::Iban,
        Self::Aadhaar,
        Self::Ssn,
        Self::NhsNumber,
        Self::Cpf,
        Self::Dni,
        Self::ApiKey,
    ];

    /// The name in contracts, such as `credit_card`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pan => "pan",
            Self::CreditCard => "credit_card",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Iban => "iban",
            Self::Aadhaar => "aadhaar",
            Self::Ssn => "ssn",
            Self::NhsNumber => "nhs_number",
            Self::Cpf => "cpf",
            Self::Dni => "dni",
            Self::ApiKey => "api_key",
        }
    }

    /// A title such as `payment card number`.
    pub fn title(self) -> &'static str {
        match self {
            Self::Pan => "Indian permanent account number",
            Self::CreditCard => "payment card number",
            Self::Email => "email address",
            Self::Phone => "telephone number",
            Self::Iban => "bank account number (IBAN)",
            Self::Aadhaar => "Aadhaar number",
            Self::Ssn => "US social security number",
            Self::NhsNumber => "NHS number",
            Self::Cpf => "Brazilian taxpayer number (CPF)",
            Self::Dni => "Spanish identity number (DNI or NIE)",
            Self::ApiKey => "API key or other secret",
        }
    }

    /// The kind of its findings: credentials or personal data.
    pub fn of(self) -> Kind {
        match self {
            Self::ApiKey => Kind::Secret,
            Self::Pan
            | Self::CreditCard
            | Self::Email
            | Self::Phone
            | Self::Iban
            | Self::Aadhaar
            | Self::Ssn
            | Self::NhsNumber
            | Self::Cpf
            | Self::Dni => Kind::Personal,
        }
    }

    /// Returns true if a text of this outline can hold a value of this kind at all.
    pub(crate) fn may_be_in(self, outline: &Outline) -> bool {
        match self {
            Self::Pan => outline.after_five_capitals,
            Self::CreditCard => outline.most_digits >= 13,
            Self::Email => outline.at_sign,
            Self::Phone => outline.most_digits >= if outline.plus { 8 } else { 9 },
            Self::Iban => outline.after_two_capitals,
            Self::Aadhaar => outline.most_digits >= 12,
            Self::Ssn => outline.most_digits >= 9,
            Self::NhsNumber => outline.most_digits >= 10,
            Self::Cpf => outline.most_digits >= 11,
            Self::Dni => outline.most_digits >= 7,
            Self::ApiKey => true,
        }
    }

    pub(super) fn ranges(self, text: &str) -> Vec<Range<usize>> {
        match self {
            Self::Pan => pan::find(text),
            Self::CreditCard => credit_card::find(text),
            Self::Email => email::find(text),
            Self::Phone => phone::find(text),
            Self::Iban => iban::find(text),
            Self::Aadhaar => aadhaar::find(text),
            Self::Ssn => ssn::find(text),
            Self::NhsNumber => nhs::find(text),
            Self::Cpf => cpf::find(text),
            Self::Dni => dni::find(text),
            Self::ApiKey => api_key::find(text),
        }
    }
}

/// The built-in detector of this name, if there is one.
pub fn personal(name: &str) -> Option<PersonalKind> {
    name.parse().ok()
}

impl std::fmt::Display for PersonalKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PersonalKind {
    type Err = UnknownPersonalKind;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownPersonalKind(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_contract() {
        let names: Vec<_> = PersonalKind::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(
            names,
            ["pan", "credit_card", "email", "phone", "iban", "aadhaar", "ssn", "nhs_number", "cpf", "dni", "api_key"]
        );
        for kind in PersonalKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
        }
        assert_eq!(
            "passport".parse::<PersonalKind>().unwrap_err().to_string(),
            "unknown detector `passport`, known are `pan`, `credit_card`, `email`, `phone`, \
             `iban`, `aadhaar`, `ssn`, `nhs_number`, `cpf`, `dni`, `api_key`"
        );
        assert_eq!(personal("ssn"), Some(PersonalKind::Ssn));
    }
}
