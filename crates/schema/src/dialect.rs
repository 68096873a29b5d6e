//! The versions of JSON Schema and OpenAPI that a schema can be written in, and the keywords of each.

use crate::refusal::{Reason, Refused};
use jsonschema::Draft;
use serde_json::Value;
use std::fmt;

/// A version of JSON Schema, or the variant of it that a version of OpenAPI uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// Swagger 2.0: draft 4 without unions.
    OpenApi20,
    /// OpenAPI 3.0: draft 4 with `nullable` and `discriminator`.
    OpenApi30,
    /// OpenAPI 3.1: 2020-12 with `discriminator`.
    OpenApi31,
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// Draft 2019-09.
    Draft201909,
    /// Draft 2020-12.
    Draft202012,
}

impl Dialect {
    /// Returns the dialect that a schema declares in `$schema`; `None` if it declares nothing or an unknown dialect.
    ///
    /// # Errors
    /// If the declared draft is older than draft 4.
    pub fn declared(schema: &Value) -> Result<Option<Self>, Refused> {
        let Some(uri) = schema.get("$schema").and_then(Value::as_str) else {
            return Ok(None);
        };
        let name = uri.trim_end_matches('#').trim_end_matches('/');
        let name = name.strip_prefix("http://").or_else(|| name.strip_prefix("https://")).unwrap_or(name);
        Ok(match name {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft202012),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft201909),
            "json-schema.org/draft-07/schema" => Some(Self::Draft7),
            "json-schema.org/draft-06/schema" => Some(Self::Draft6),
            "json-schema.org/draft-04/schema" => Some(Self::Draft4),
            "json-schema.org/draft-03/schema"
            | "json-schema.org/draft-02/schema"
            | "json-schema.org/draft-01/schema" => {
                return Err(Refused::new(
                    Reason::UnknownDialect,
                    format!("`{uri}` is older than draft 4, the oldest draft that is supported"),
                )
                .at("/$schema"));
            }
            _ => None,
        })
    }

    /// The draft whose validator is used.
    pub fn draft(self) -> Draft {
        match self {
            Self::OpenApi20 | Self::OpenApi30 | Self::Draft4 => Draft::Draft4,
            Self::Draft6 => Draft::Draft6,
            Self::Draft7 => Draft::Draft7,
            Self::Draft201909 => Draft::Draft201909,
            Self::OpenApi31 | Self::Draft202012 => Draft::Draft202012,
        }
    }

    /// Returns true if keywords beside a `$ref` count; before 2019-09 they are ignored.
    pub fn reference_has_siblings(self) -> bool {
        matches!(self, Self::Draft201909 | Self::Draft202012 | Self::OpenApi31)
    }

    /// Returns true if this dialect gives a keyword a meaning for validity; an unknown keyword is an annotation.
    pub fn knows(self, keyword: &str) -> bool {
        let draft = match self {
            Self::OpenApi20 | Self::OpenApi30 | Self::Draft4 => 4,
            Self::Draft6 => 6,
            Self::Draft7 => 7,
            Self::Draft201909 => 8,
            Self::OpenApi31 | Self::Draft202012 => 9,
        };
        match keyword {
            "const" | "contains" | "propertyNames" => draft >= 6,
            "if" | "then" | "else" | "contentMediaType" | "contentEncoding" => draft >= 7,
            "dependentRequired"
            | "dependentSchemas"
            | "unevaluatedProperties"
            | "unevaluatedItems"
            | "minContains"
            | "maxContains"
            | "contentSchema" => draft >= 8,
            "prefixItems" => draft >= 9,
            "additionalItems" => draft <= 8,
            "dependencies" => draft <= 7,
            "nullable" => matches!(self, Self::OpenApi30 | Self::OpenApi20),
            _ => true,
        }
    }

    /// Returns true for the dialects of OpenAPI.
    pub fn is_openapi(self) -> bool {
        matches!(self, Self::OpenApi20 | Self::OpenApi30 | Self::OpenApi31)
    }

    /// The name that reports use.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenApi20 => "openapi-2.0",
            Self::OpenApi30 => "openapi-3.0",
            Self::OpenApi31 => "openapi-3.1",
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft201909 => "2019-09",
            Self::Draft202012 => "2020-12",
        }
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
