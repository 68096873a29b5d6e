//! Keeps secrets out of everything that commands about runs print.

use crate::output::Success;
use deed_app::AppError;
use deed_app::conceal::report;
pub(crate) use deed_app::conceal::{text, value};
use std::borrow::Cow;

/// The outcome of a command, without the secrets in it.
pub(crate) fn outcome(outcome: Result<Success, AppError>) -> Result<Success, AppError> {
    match outcome {
        Ok(mut success) => {
            if !success.verbatim {
                success.data = value(success.data);
                success.text = bytes(success.text);
            }
            success.remark = success.remark.map(|remark| text(&remark).into_owned());
            success.report = report(success.report);
            Ok(success)
        }
        Err(failure) => Err(AppError { report: report(failure.report), ..failure }),
    }
}

fn bytes(bytes: Vec<u8>) -> Vec<u8> {
    match std::str::from_utf8(&bytes) {
        Ok(whole) => match text(whole) {
            Cow::Borrowed(_) => bytes,
            Cow::Owned(text) => text.into_bytes(),
        },
        // Lines of commands are text; anything else is not searched.
        Err(_) => bytes,
    }
}
