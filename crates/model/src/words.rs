//! Words that are stored as text and decided by as types.
//!
//! The rule for readers: a word that this version does not know is read, kept as it was written, and written back
//! unchanged (`Other`). No decision treats it as one of the known words. A new word is therefore no new version of a
//! format; a word whose meaning changes is.

/// Defines an enum of stored words with a variant for those that this version does not know.
macro_rules! stored_words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
            /// A word of another version, as it was written.
            Other(String),
        }

        impl $name {
            /// All words that this version knows.
            pub const KNOWN: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the word as it is written.
            pub fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $($word => Self::$variant,)+
                    other => Self::Other(other.to_owned()),
                }
            }
        }

        $crate::words::stored_as_text!($name);
    };
}

/// Implements the traits of a type that is written as text: `as_str` writes it, `From<&str>` reads it.
macro_rules! stored_as_text {
    ($name:ident) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                self.as_str() == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                self.as_str() == *other
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Ok(Self::from(String::deserialize(deserializer)?.as_str()))
            }
        }

        impl schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                String::schema_name()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                String::json_schema(generator)
            }
        }
    };
}

pub(crate) use {stored_as_text, stored_words};

/// Asserts that known words are read as such, and that any other text is written back unchanged.
#[cfg(test)]
pub(crate) fn check_round_trip<T>(known: &[T], is_other: impl Fn(&T) -> bool)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + std::fmt::Debug,
{
    for word in known {
        let text = serde_json::to_string(word).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), word);
        assert!(!is_other(word), "{text}");
        let other = text.to_uppercase();
        let read: T = serde_json::from_str(&other).unwrap();
        assert!(is_other(&read) || text == other, "{other}");
        assert_eq!(serde_json::to_string(&read).unwrap(), other);
    }
}
