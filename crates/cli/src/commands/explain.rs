//! `deed explain`: what a code means, why it happens and how to fix it.

use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_diag::{Code, Diagnostic, did_you_mean, explain, pages, quote};
use serde_json::json;

const NO_SUCH_CODE: Code = Code::new("D0010");

/// Explain a diagnostic code; without one, list them all.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// A code such as D0203.
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let Some(code) = &self.code else {
            let list: String = pages().map(|p| format!("{}  {}\n", p.code, p.title)).collect();
            let data = pages().map(|p| json!({ "code": p.code, "title": p.title })).collect();
            return Ok(Success::new(data, list));
        };
        match explain(code) {
            Some(page) => {
                let data = json!({ "code": page.code, "title": page.title, "text": page.text });
                Ok(Success::new(data, page.text))
            }
            None => Err(AppError::refused(
                Diagnostic::error(NO_SUCH_CODE, format!("there is no code {}", quote(code))).stage("explain").help(
                    did_you_mean(&code.to_uppercase(), pages().map(|p| p.code))
                        .unwrap_or_else(|| "`deed explain` lists all codes".to_owned()),
                ),
            )),
        }
    }
}
