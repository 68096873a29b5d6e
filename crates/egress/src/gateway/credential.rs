//! The credential of a rule, read outside the sandbox for each request that needs it.

use super::conceal::Concealed;
use super::{Admission, Gateway};
use crate::error::FetchError;
use deed_diag::Invariant as _;
use deed_model::EgressCredential;
use deed_ports::Secret;
use deed_reach::secret_name;
use http::{HeaderName, HeaderValue};
use std::sync::{Arc, PoisonError};

/// The shortest secret. A shorter one would be found everywhere in an answer, and could not be concealed.
const SHORTEST: usize = 4;

/// A header that carries a secret.
pub(super) struct Credential {
    pub(super) header: HeaderName,
    pub(super) value: HeaderValue,
}

impl Gateway {
    /// Reads the credential of the rule that admitted a request. From here on its secret is concealed in all answers.
    pub(super) async fn credential(&self, admitted: &Admission) -> Result<Option<Credential>, FetchError> {
        let Some(wanted) = self.rule(admitted).and_then(|rule| rule.credential.as_ref()) else { return Ok(None) };
        let name = secret_name(&wanted.secret).invariant("rules that were read name a secret").to_owned();
        let (secrets, asked) = (self.inner.config.secrets.clone(), name.clone());
        let read = tokio::task::spawn_blocking(move || secrets.secret(&asked)).await;
        let found = read.map_err(|ended| {
            self.ended(ended);
            // Nothing has left yet, which `Broken` would leave open.
            FetchError::Credential { message: format!("the secret `{name}` could not be read") }
        })?;
        let secret = found.map_err(|error| FetchError::Credential { message: error.to_string() })?;
        let credential = carried(wanted, &name, &secret)?;
        self.remember(&name, &secret);
        Ok(Some(credential))
    }

    fn remember(&self, name: &str, secret: &Secret) {
        let mut sent = self.inner.sent.lock().unwrap_or_else(PoisonError::into_inner);
        let concealed = Concealed::new(name, secret);
        if !sent.iter().any(|known| **known == concealed) {
            sent.push(Arc::new(concealed));
        }
    }
}

/// Returns the reason why a secret cannot be sent by a rule, if it cannot. Checked before anything runs.
pub fn unfit_secret(wanted: &EgressCredential, name: &str, secret: &Secret) -> Option<String> {
    match carried(wanted, name, secret) {
        Err(FetchError::Credential { message }) => Some(message),
        _ => None,
    }
}

fn carried(wanted: &EgressCredential, name: &str, secret: &Secret) -> Result<Credential, FetchError> {
    let refuse = |why: &str| FetchError::Credential { message: format!("the secret `{name}` {why}") };
    if secret.expose().len() < SHORTEST {
        return Err(refuse("is too short to be concealed in answers"));
    }
    let text = match &wanted.format {
        Some(format) => format.replacen("{}", secret.expose(), 1),
        None => secret.expose().to_owned(),
    };
    let printable = text.bytes().all(|b| b.is_ascii_graphic() || b == b' ');
    let value = HeaderValue::from_str(&text).ok().filter(|_| printable);
    let mut value = value.ok_or_else(|| refuse("has characters that no header carries"))?;
    value.set_sensitive(true);
    let header = HeaderName::from_bytes(wanted.header.as_bytes()).map_err(|_| refuse("has no header to stand in"))?;
    Ok(Credential { header, value })
}
