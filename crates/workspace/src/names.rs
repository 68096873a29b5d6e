//! Names of workspaces, people and roles.

use deed_diag::{Code, Diagnostic, codes, quote};

const LONGEST_NAME: usize = 64;
const LONGEST_IDENTITY: usize = 128;

/// Checks the name of a workspace: it is a folder on every system, and a word in commands.
///
/// # Errors
/// The name has other characters, or is too long.
pub fn check_workspace_name(name: &str) -> Result<(), Vec<Diagnostic>> {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'_');
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    let is_path = deed_plan::normal_path(name).is_ok_and(|path| path.text == name);
    if begins && name.len() <= LONGEST_NAME && name.bytes().all(plain) && is_path {
        return Ok(());
    }
    let message = format!("{} does not name a workspace", quote(name));
    let help = "write at most 64 lowercase letters, digits, `-` and `_`, beginning with a letter or a digit";
    Err(refused(codes::BAD_WORKSPACE_NAME, message, help))
}

/// Checks the identity of a person: the actor that is recorded.
///
/// # Errors
/// The identity is blank, too long, or has characters that cannot be seen.
pub fn check_person_id(person_id: &str) -> Result<(), Vec<Diagnostic>> {
    identity(person_id, "person", "write the name that is recorded as the actor, such as `rosa`")
}

/// Checks the name of a role, as approval gates have it.
///
/// # Errors
/// The role is blank, too long, or has characters that cannot be seen.
pub(crate) fn check_role(role: &str) -> Result<(), Vec<Diagnostic>> {
    identity(role, "role", "write the `approver_role` of a gate, such as `finance`, or `owner`")
}

fn identity(text: &str, what: &str, help: &str) -> Result<(), Vec<Diagnostic>> {
    let hidden = |c: char| deed_diag::visible(c) != c;
    let is_plain = !text.trim().is_empty() && text.trim() == text && !text.chars().any(hidden);
    if is_plain && text.len() <= LONGEST_IDENTITY {
        return Ok(());
    }
    Err(refused(codes::BAD_PERSON, format!("{} does not name a {what}", quote(text)), help))
}

pub(crate) fn refused(code: Code, message: String, help: impl Into<String>) -> Vec<Diagnostic> {
    vec![Diagnostic::error(code, message).stage("workspace").help(help.into())]
}
