//! `deed keys generate`: a new Ed25519 key pair.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::{AppError, keys};
use deed_canon::PublicKey;
use schemars::JsonSchema;
use serde::Serialize;

/// Make a key pair under `.deed/keys`; only its owner can read the private half.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  deed keys generate acme
  deed keys generate ann --person \"Ann Lee <ann@acme.example>\"")]
pub(crate) struct Generate {
    /// Name of the key.
    name: String,
    /// Person that it belongs to, such as "Ann Lee <ann@acme.example>"; recorded when the key is trusted.
    #[arg(long, value_name = "NAME")]
    person: Option<String>,
}

/// A key pair that was made.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct GeneratedKey {
    /// Its name.
    name: String,
    /// Its id.
    key_id: String,
    /// The public half, in base64.
    #[schemars(with = "String")]
    public_key: PublicKey,
    /// The file of the private half.
    private_file: String,
    /// The file of the public half.
    public_file: String,
    /// The person that it belongs to.
    person: Option<String>,
}

impl Generate {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        let key = keys::generate(&global.session().home()?, &self.name, self.person.as_deref())?;
        let id = key.public.id();
        let data = GeneratedKey {
            name: self.name.clone(),
            key_id: id.to_string(),
            public_key: key.public.clone(),
            private_file: key.private_file.display().to_string(),
            public_file: key.public_file.display().to_string(),
            person: key.person,
        };
        Ok(Success::new(data, format!("{id}\n"))
            .remark(format!("next: `deed keys trust {} --issuer ISSUER --sign`", self.name)))
    }
}
