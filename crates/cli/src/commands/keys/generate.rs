//! `deed keys generate`: a new Ed25519 key pair.

use super::local::{check_name, private_path, public_path};
use crate::args::Global;
use crate::failure::Failure;
use crate::files::{self, Access, Existing};
use crate::home::Home;
use crate::output::Success;
use clap::Args;
use deed_canon::SigningKey;
use serde_json::json;

/// Make a key pair under `.deed/keys`; the private half is readable by its owner alone.
#[derive(Debug, Args)]
pub(crate) struct Generate {
    /// What to call it.
    name: String,
}

impl Generate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, Failure> {
        check_name(&self.name)?;
        let home = Home::find(global.home.as_deref())?;
        files::sweep(&home.keys());
        let mut seed = [0u8; 32];
        getrandom::fill(&mut seed).map_err(Failure::internal)?;
        let key = SigningKey::from_seed(&seed);
        seed.fill(0);
        let (private, public) = (private_path(&home, &self.name), public_path(&home, &self.name));
        let pem = key.to_pem().map_err(Failure::internal)?;
        files::write(&private, pem.as_ref().as_bytes(), Existing::Keep, Access::Private)?;
        let public_pem = key.public().to_pem().map_err(Failure::internal)?;
        files::write(&public, public_pem.as_bytes(), Existing::Replace, Access::Shared)?;
        let id = key.public().id();
        let data = json!({
            "name": self.name,
            "key_id": id,
            "public_key": key.public(),
            "private_file": private.display().to_string(),
            "public_file": public.display().to_string(),
        });
        Ok(Success::new(data, format!("{id}\n"))
            .remark(format!("next: `deed keys trust {} --issuer ISSUER --sign`", self.name)))
    }
}
