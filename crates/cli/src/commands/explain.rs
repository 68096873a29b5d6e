//! `deed explain`: the page of a diagnostic code.

use crate::output::Success;
use crate::terminal::{self, Stream};
use clap::Args;
use deed_app::AppError;
use deed_diag::{Diagnostic, codes, did_you_mean, explain, pages, quote};
use schemars::JsonSchema;
use serde::Serialize;

/// Explain a diagnostic code; without one, list them all.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed explain D0203
  deed explain | grep -i approval")]
pub(crate) struct Explain {
    /// Code such as D0203.
    code: Option<String>,
}

/// The page of a code, or the list of all codes.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Explained {
    /// All codes.
    List(Vec<Code>),
    /// One page.
    Page {
        /// The code.
        code: String,
        /// Its title.
        title: String,
        /// The page, in Markdown.
        text: String,
    },
}

/// A code of the list.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Code {
    /// The code.
    code: String,
    /// Its title.
    title: String,
}

impl Explain {
    pub(crate) fn run(&self) -> Result<Success, AppError> {
        let Some(code) = &self.code else {
            let list: String = pages().map(|p| format!("{}  {}\n", p.code, p.title)).collect();
            let codes = pages().map(|p| Code { code: p.code.to_string(), title: p.title.to_owned() }).collect();
            return Ok(Success::new(Explained::List(codes), list));
        };
        match explain(code) {
            Some(page) => {
                let (code, title, text) = (page.code.to_string(), page.title.to_owned(), page.text.to_owned());
                let shown = terminal::filled(Stream::Stdout, page.text);
                Ok(Success::new(Explained::Page { code, title, text }, shown).document())
            }
            None => Err(AppError::refused(
                Diagnostic::error(codes::UNKNOWN_CODE, format!("there is no code {}", quote(code)))
                    .stage("explain")
                    .help(
                        did_you_mean(&code.to_uppercase(), pages().map(|p| p.code.as_str()))
                            .unwrap_or_else(|| "`deed explain` lists all codes".to_owned()),
                    ),
            )),
        }
    }
}
