//! Heads of the journal as they are written on a command line: `RUN@SEQ:HASH` for a run, `SEQ:HASH` for the list of runs
//! or for the run that a command is about.

use crate::error::AppError;
use deed_canon::ChainHead;
use deed_diag::{Diagnostic, codes};
use std::str::FromStr;

/// A head that was kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The run; none where only place and hash were written.
    pub run_id: Option<String>,
    /// Place and hash.
    pub head: ChainHead,
}

impl FromStr for Head {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (run_id, rest) = match text.split_once('@') {
            Some((run, rest)) => (Some(run.to_owned()), rest),
            None => (None, text),
        };
        let head = rest
            .split_once(':')
            .and_then(|(seq, hash)| Some(ChainHead { seq: seq.parse().ok()?, hash: hash.parse().ok()? }));
        match head {
            Some(head) if run_id.as_deref() != Some("") => Ok(Self { run_id, head }),
            _ => Err("write `RUN@SEQ:sha256:…`, as `deed runs show` and `deed journal verify` print it".to_owned()),
        }
    }
}

/// A head as it is printed.
pub fn written(run_id: Option<&str>, head: &ChainHead) -> String {
    let run = run_id.map_or_else(String::new, |run| format!("{run}@"));
    format!("{run}{}:{}", head.seq, head.hash)
}

/// Refuses a journal that does not contain a head.
pub fn extends(
    given: &[Head],
    about: Option<&str>,
    contains: impl Fn(Option<&str>, &ChainHead) -> Result<bool, AppError>,
) -> Result<(), AppError> {
    for Head { run_id, head } in given {
        let of = run_id.as_deref().or(about);
        if let (Some(of), Some(about)) = (of, about)
            && of != about
        {
            let message = format!("the head is one of run `{of}`, and not of `{about}`");
            let help = format!("give a head of `{about}`, as `deed runs show {about}` printed it");
            return Err(AppError::usage(
                Diagnostic::error(codes::HEAD_NOT_IN_JOURNAL, message).stage("journal").help(help),
            ));
        }
        if !contains(of, head)? {
            let of = of.map_or_else(|| "the list of runs".to_owned(), |run| format!("the journal of run `{run}`"));
            let message = format!("{of} does not contain event {} with the hash {}", head.seq, head.hash);
            let help = "it was cut off, rolled back or rewritten since that head was printed; restore the newest copy";
            return Err(AppError::refused(
                Diagnostic::error(codes::HEAD_NOT_IN_JOURNAL, message).stage("journal").help(help),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use deed_canon::ContentHash;

    #[test]
    fn heads_are_read_as_they_are_printed() {
        let head = ChainHead { seq: 14, hash: ContentHash::of_bytes(b"a") };
        for run in [Some("march"), None] {
            let read: Head = written(run, &head).parse().unwrap();
            assert_eq!(read, Head { run_id: run.map(str::to_owned), head });
        }
        for wrong in ["", "14", "@14:sha256:00", "march@14", "march@x:sha256:00", "14:sha256:00", "14:nonsense"] {
            assert!(wrong.parse::<Head>().is_err(), "{wrong}");
        }
    }
}
