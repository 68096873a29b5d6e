//! Named secrets: a workspace knows their names and where they come from, and never a value.

use super::refused;
use crate::error::AppError;
use crate::runs::ProjectSecrets;
use deed_diag::codes;
use deed_model::{FrozenWorkspace, SecretSource};
use deed_ports::{Secret, SecretError, Secrets};
use std::collections::BTreeMap;

const HELP: &str = "write `--secret stripe`, `--secret stripe=file:stripe_live` or `--secret stripe=env:STRIPE_KEY`; \
                    values belong below `.deed/secrets` or into the environment, and nowhere else";

/// Reads a secret with its source. What stands for the source is not repeated in messages: it may be a value.
pub(super) fn named_secret(text: &str) -> Result<(String, SecretSource), AppError> {
    let (name, source) = text.split_once('=').map_or((text, None), |(name, source)| (name, Some(source)));
    let name = secret_name_of(name)?;
    let source = match source {
        None | Some("project") => SecretSource::Project,
        Some(source) => {
            let file = source.strip_prefix("file:").filter(|file| is_secret_name(file));
            let variable = source.strip_prefix("env:").filter(|variable| is_variable(variable));
            match (file, variable) {
                (Some(file), _) => SecretSource::File { file: file.to_owned() },
                (None, Some(variable)) => SecretSource::Environment { variable: variable.to_owned() },
                (None, None) => {
                    let message = format!("the source of the secret `{name}` is none");
                    return Err(refused(codes::BAD_SECRET_SOURCE, message, HELP));
                }
            }
        }
    };
    Ok((name.to_owned(), source))
}

/// Checks the name of a secret. It is not repeated in the message: it may be a value.
pub(super) fn secret_name_of(name: &str) -> Result<&str, AppError> {
    match is_secret_name(name) {
        true => Ok(name),
        false => {
            let message = "the name of a secret has lowercase letters, digits, `_`, `-` and `.`".to_owned();
            Err(refused(codes::BAD_SECRET_SOURCE, message, HELP))
        }
    }
}

fn is_secret_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-' | b'.');
    !name.is_empty() && name.len() <= 100 && name.bytes().all(plain) && !name.starts_with('.')
}

fn is_variable(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    let begins = name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_');
    begins && name.len() <= 100 && name.bytes().all(plain)
}

/// The secrets of a run: those of the project, or those that the workspace of the run names.
#[derive(Debug)]
pub(crate) struct RunSecrets {
    project: ProjectSecrets,
    workspace: Option<(String, BTreeMap<String, SecretSource>)>,
}

impl RunSecrets {
    /// The secrets of a run; in a workspace only those that were frozen with the run.
    pub(crate) fn new(project: ProjectSecrets, workspace: Option<&FrozenWorkspace>) -> Self {
        Self { project, workspace: workspace.map(|of| (of.workspace.clone(), of.secrets.clone())) }
    }
}

impl Secrets for RunSecrets {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        let Some((workspace, named)) = &self.workspace else { return self.project.secret(name) };
        match named.get(name) {
            None => {
                let why = format!("the workspace `{workspace}` does not name it: `deed workspace set --secret {name}`");
                Err(SecretError::Unreadable { name: name.to_owned(), why })
            }
            Some(SecretSource::Project) => self.project.secret(name),
            Some(SecretSource::File { file }) => self.project.file(file),
            Some(SecretSource::Environment { variable }) => match std::env::var(variable) {
                Ok(text) => Ok(Secret::new(text)),
                Err(_) => {
                    let why = format!("the variable `{variable}` is not set");
                    Err(SecretError::Unreadable { name: name.to_owned(), why })
                }
            },
        }
    }
}
