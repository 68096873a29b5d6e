//! The two dialects of rules.

use std::fmt;
use std::str::FromStr;

/// The semantics that a program is compiled for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Deed's own reading: no coercion, a missing variable or a mixed comparison is an error.
    #[default]
    Strict,
    /// The results of json-logic-js, read from own properties only.
    Compat,
}

/// A mode name that is neither `strict` nor `compat`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown mode, expected `strict` or `compat`")]
pub struct UnknownMode;

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Mode::Strict => "strict",
            Mode::Compat => "compat",
        })
    }
}

impl FromStr for Mode {
    type Err = UnknownMode;

    fn from_str(text: &str) -> Result<Mode, UnknownMode> {
        match text {
            "strict" => Ok(Mode::Strict),
            "compat" => Ok(Mode::Compat),
            _ => Err(UnknownMode),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for mode in [Mode::Strict, Mode::Compat] {
            assert_eq!(mode.to_string().parse(), Ok(mode));
        }
        assert_eq!("Strict".parse::<Mode>(), Err(UnknownMode));
    }
}
