//! `artifact.put`: writes a file that the contract lists, whole or not at all.

use super::{CallResult, Failed, PreparedCall, Work, members, text};
use crate::attempt::Attempt;
use crate::bridge::call::{lost, refuse};
use crate::bridge::error::BridgeError;
use crate::conceal::shown_name;
use crate::fault::{FailureExt, fault};
use crate::steps::unusable;
use deed_canon::ContentHash;
use deed_diag::codes;
use deed_model::{BridgeErrorKind, Budget, FailureClass, is_set};
use serde_json::{Value, json};
use std::fs::{self, Metadata};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown};
use std::path::Path;

pub(super) const DEFINITION: (&str, &[(&str, &str)]) = (
    "writes a file that the contract lists",
    &[("path", "one of the contract's write paths"), ("text", "its content as text"), ("json", "its content as JSON")],
);

pub(super) fn prepare(attempt: &Attempt, arguments: &Value) -> Result<PreparedCall, BridgeError> {
    let members = members(arguments, DEFINITION.1)?;
    let path =
        text(members, "path")?.ok_or_else(|| BridgeError::new(BridgeErrorKind::BadArguments, "`path` is missing"))?;
    // A path that is itself a set names no file.
    if is_set(path) || !attempt.contract.writes(path) {
        let path = shown_name(&path.escape_debug().to_string());
        let message = format!("the contract does not list `{path}` among what is written");
        let failure = fault(FailureClass::PolicyViolation, codes::UNDECLARED_WRITE, message.clone());
        return Err(refuse(attempt, failure, BridgeError::new(BridgeErrorKind::NotAllowed, message)));
    }
    let bytes = match (text(members, "text")?, members.get("json")) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(value)) => {
            let mut bytes = deed_canon::to_canonical(value)
                .map_err(|e| BridgeError::new(BridgeErrorKind::BadArguments, e.to_string()))?;
            bytes.push(b'\n');
            bytes
        }
        _ => return Err(BridgeError::new(BridgeErrorKind::BadArguments, "give `text` or `json`, and not both")),
    };
    let summary = format!("write {} bytes to {path}", bytes.len());
    let work = Work::Put { path: path.to_owned(), bytes };
    Ok(PreparedCall {
        work,
        most: Budget::default(),
        repeatable: true,
        summary,
        effect: None,
        blocks: false,
        identity: None,
        item: None,
        escalations: Vec::new(),
    })
}

pub(super) fn execute(attempt: &Attempt, path: &str, bytes: &[u8]) -> Result<CallResult, Box<Failed>> {
    write(attempt, path, bytes).map_err(|error| {
        let message = format!("`{path}` cannot be written: {error}");
        // Code can take the rights to its own folders away; that is its own error, and is not repaired.
        let unusable = unusable(&format!("`{path}` cannot be written"), &error);
        if let Some(unusable) = unusable.filter(|_| error.kind() != ErrorKind::PermissionDenied) {
            return Box::new(Failed {
                error: lost(attempt, &unusable),
                spent: Budget::default(),
                settled: Budget::default(),
                failure: None,
            });
        }
        let failure = fault(FailureClass::ToolBridge, codes::TOOL_FAILED, message.clone()).about(path);
        Box::new(Failed {
            error: BridgeError::new(BridgeErrorKind::Failed, message),
            spent: Budget::default(),
            settled: Budget::default(),
            failure: Some(failure),
        })
    })?;
    let sha256 = ContentHash::of_bytes(bytes);
    let value = json!({ "path": path, "sha256": sha256, "bytes": bytes.len() });
    Ok(CallResult { value: value.clone(), spent: Budget::default(), settled: Budget::default(), proof: value })
}

/// Writes the file beside the outputs and moves it there: code may have put anything in its place, and a link that it made
/// must not be followed.
fn write(attempt: &Attempt, path: &str, bytes: &[u8]) -> std::io::Result<()> {
    let target = attempt.stage.output(path);
    let root = attempt.stage.outputs();
    let mut folder = root.clone();
    let owner = fs::symlink_metadata(attempt.stage.output("output"))?;
    let parents = std::path::Path::new(path).parent().into_iter().flat_map(std::path::Path::components);
    for part in parents {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => return Err(std::io::Error::other("a parent of it is not a folder")),
            Err(_) => {
                fs::create_dir(&folder)?;
                hand_over(&folder, &owner)?;
            }
        }
    }
    let mut file = tempfile::NamedTempFile::new_in(attempt.stage.inputs())?;
    file.write_all(bytes)?;
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644))?;
    hand_over(file.path(), &owner)?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Gives a file that was written for code to the user that the code runs as, so that it can write to it.
fn hand_over(path: &Path, owner: &Metadata) -> std::io::Result<()> {
    let facts = fs::symlink_metadata(path)?;
    if (facts.uid(), facts.gid()) == (owner.uid(), owner.gid()) {
        return Ok(());
    }
    // Code may have put a link in the place of a folder; that is what it gets, and not what it leads to.
    lchown(path, Some(owner.uid()), Some(owner.gid()))
}
