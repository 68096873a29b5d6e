//! Structured names. Each is parsed, so that a text that is not such a name cannot be used as one.

use deed_canon::Invariant as _;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The reason why a text is not a valid name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NameError {
    /// It has a character that names must not have. Letters of other scripts may look like Latin ones.
    #[error("{found:?} cannot stand in it; there are lowercase letters a to z, digits, `{joiner}` and `.`")]
    Character {
        /// The first invalid character.
        found: char,
        /// The separator of words.
        joiner: char,
    },
    /// It has too few or too many parts.
    #[error("a name of this kind is written {form}")]
    Parts {
        /// The expected form.
        form: &'static str,
    },
    /// A part is empty or does not begin with a letter.
    #[error("each part begins with a letter and is not empty")]
    Part,
    /// It does not end with `.v` and a number.
    #[error("it ends with `.v` and a number, such as `.v1`")]
    Version,
    /// It is longer than the limit.
    #[error("a name has at most {LONGEST} characters")]
    TooLong,
}

const LONGEST: usize = 160;

fn is_word(part: &str, dashes: bool) -> bool {
    part.starts_with(|c: char| c.is_ascii_lowercase())
        && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == if dashes { b'-' } else { b'_' })
}

/// The checked parts of a name.
fn parts(text: &str, dashes: bool) -> Result<Vec<&str>, NameError> {
    if text.len() > LONGEST {
        return Err(NameError::TooLong);
    }
    let known =
        |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '.' || c == if dashes { '-' } else { '_' };
    if let Some(found) = text.chars().find(|c| !known(*c)) {
        return Err(NameError::Character { found, joiner: if dashes { '-' } else { '_' } });
    }
    let parts: Vec<&str> = text.split('.').collect();
    if parts.iter().any(|part| !is_word(part, dashes)) {
        return Err(NameError::Part);
    }
    Ok(parts)
}

fn major(part: &str) -> Result<u32, NameError> {
    let digits = part.strip_prefix('v').filter(|digits| !digits.starts_with('0')).ok_or(NameError::Version)?;
    digits.parse().map_err(|_| NameError::Version)
}

macro_rules! name {
    ($name:ident, $pattern:literal, $check:expr) => {
        impl $name {
            /// Returns the name as text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = NameError;
            fn from_str(text: &str) -> Result<Self, NameError> {
                let check: fn(&str) -> Result<(), NameError> = $check;
                check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($name))
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({ "type": "string", "pattern": $pattern, "maxLength": LONGEST })
            }
        }
    };
}

/// The key of a kind: `<family>.<representation>[.<subtype>]`, such as `table.json_rows`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KindKey(String);

name!(KindKey, "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){1,2}$", |text| match parts(text, false)?.len() {
    2 | 3 => Ok(()),
    _ => Err(NameError::Parts { form: "`<family>.<representation>[.<subtype>]`" }),
});

impl KindKey {
    /// Returns the family: `table` of `table.json_rows`.
    pub fn family(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }
}

/// The id of an entity schema: `<domain>.<entity>`, such as `billing.time_entry`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntitySchemaId(String);

name!(EntitySchemaId, "^[a-z][a-z0-9_]*\\.[a-z][a-z0-9_]*$", |text| match parts(text, false)?.len() {
    2 => Ok(()),
    _ => Err(NameError::Parts { form: "`<domain>.<entity>`" }),
});

impl EntitySchemaId {
    /// Returns the domain: `billing` of `billing.time_entry`.
    pub fn domain(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// Returns true for the generic entity, which says nothing about the data.
    pub fn is_generic(&self) -> bool {
        self.domain() == "generic"
    }
}

/// The id of a profile, an entity in a form: `<scope>.<kind_key>.<semantic_name>.v<major>`, such as
/// `billing.table.json_rows.time_entries.v1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProfileId(String);

name!(ProfileId, "^[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){3,4}\\.v[1-9][0-9]*$", |text| {
    let parts = parts(text, false)?;
    if !(5..=6).contains(&parts.len()) {
        return Err(NameError::Parts { form: "`<scope>.<kind_key>.<semantic_name>.v<major>`" });
    }
    major(parts.last().copied().unwrap_or_default()).map(|_| ())
});

impl ProfileId {
    /// Returns the scope: `billing`.
    pub fn scope(&self) -> &str {
        self.0.split('.').next().unwrap_or_default()
    }

    /// Returns the key of its kind: `table.json_rows`.
    pub fn kind_key(&self) -> Option<KindKey> {
        let (_, rest) = self.0.split_once('.')?;
        let (rest, _) = rest.rsplit_once('.')?;
        let (kind, _) = rest.rsplit_once('.')?;
        kind.parse().ok()
    }

    /// Returns the major version: the number after `.v`.
    pub fn major(&self) -> u32 {
        self.0.rsplit('.').next().and_then(|part| major(part).ok()).invariant("a parsed name ends with its version")
    }
}

/// The id of a policy profile: `<strictness>.<subject>.v<major>`, such as `strict.fail-closed.v1`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PolicyProfileId(String);

name!(PolicyProfileId, "^[a-z][a-z0-9-]*\\.[a-z][a-z0-9-]*\\.v[1-9][0-9]*$", |text| {
    let parts = parts(text, true)?;
    let [_, _, last] = parts.as_slice() else {
        return Err(NameError::Parts { form: "`<strictness>.<what>.v<major>`" });
    };
    major(last).map(|_| ())
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_and_say_what_is_in_them() {
        let profile: ProfileId = "billing.table.json_rows.time_entries.v12".parse().unwrap();
        assert_eq!((profile.scope(), profile.major()), ("billing", 12));
        assert_eq!(profile.kind_key().unwrap().as_str(), "table.json_rows");
        let deep: ProfileId = "website.web.page.html.pages.v1".parse().unwrap();
        assert_eq!(deep.kind_key().unwrap().as_str(), "web.page.html");
        assert_eq!("file.archive.zip".parse::<KindKey>().unwrap().family(), "file");
        assert!("generic.record".parse::<EntitySchemaId>().unwrap().is_generic());
        assert!("strict.fail-closed.v1".parse::<PolicyProfileId>().is_ok());
    }

    #[test]
    fn what_only_looks_like_a_name_is_none() {
        let found = |text: &str| text.parse::<KindKey>().unwrap_err();
        assert_eq!(found("t\u{430}ble.csv"), NameError::Character { found: '\u{430}', joiner: '_' });
        assert_eq!(found("table"), NameError::Parts { form: "`<family>.<representation>[.<subtype>]`" });
        assert_eq!(found("table..csv"), NameError::Part);
        assert_eq!(found("Table.csv"), NameError::Character { found: 'T', joiner: '_' });
        assert_eq!(found(&format!("a.{}", "b".repeat(200))), NameError::TooLong);
        assert!("billing.time.entry".parse::<EntitySchemaId>().is_err());
        assert_eq!("a.table.csv.rows.v0".parse::<ProfileId>(), Err(NameError::Version));
        assert_eq!("a.table.csv.rows.w1".parse::<ProfileId>(), Err(NameError::Version));
        assert!("strict.fail_closed.v1".parse::<PolicyProfileId>().is_err());
    }
}
