//! `deed keys generate`: a new Ed25519 key pair.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, keys};
use serde_json::json;

/// Make a key pair under `.deed/keys`; the private half is readable by its owner alone.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// What to call it.
    name: String,
}

impl Generate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let key = keys::generate(&global.session().home()?, &self.name)?;
        let id = key.public.id();
        let data = json!({
            "name": self.name,
            "key_id": id,
            "public_key": key.public,
            "private_file": key.private_file.display().to_string(),
            "public_file": key.public_file.display().to_string(),
        });
        Ok(Success::new(data, format!("{id}\n"))
            .remark(format!("next: `deed keys trust {} --issuer ISSUER --sign`", self.name)))
    }
}
