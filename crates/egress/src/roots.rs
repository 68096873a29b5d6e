//! The certificate authorities that are trusted for servers.

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The authorities that servers are checked against. Loading them reads files; a clone costs nothing.
#[derive(Clone)]
pub struct Roots {
    pub(crate) client: Arc<ClientConfig>,
}

impl fmt::Debug for Roots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Roots(…)")
    }
}

/// Authorities that could not be loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RootsError {
    /// No authority was found.
    #[error("no certificate of an authority was found{0}")]
    None(String),
    /// The text is not valid PEM.
    #[error("the certificates cannot be read: {0}")]
    Pem(String),
    /// TLS cannot be set up.
    #[error("tls cannot be set up: {0}")]
    Tls(String),
}

impl Roots {
    /// Loads the authorities of this system.
    pub fn native() -> Result<Self, RootsError> {
        Self::native_and(b"")
    }

    /// Loads the authorities of this system, and more in PEM. Certificates of the system that cannot be read are skipped as
    /// long as others are left: a missing authority can only refuse.
    pub fn native_and(extra_pem: &[u8]) -> Result<Self, RootsError> {
        let found = rustls_native_certs::load_native_certs();
        let mut store = RootCertStore::empty();
        store.add_parsable_certificates(found.certs);
        add(&mut store, extra_pem)?;
        if store.is_empty() {
            let why = found.errors.iter().map(|error| format!(": {error}")).collect();
            return Err(RootsError::None(why));
        }
        Self::of_store(store)
    }

    /// Loads the authorities in a PEM text, and no others.
    pub fn of_pem(pem: &[u8]) -> Result<Self, RootsError> {
        let mut store = RootCertStore::empty();
        add(&mut store, pem)?;
        if store.is_empty() {
            return Err(RootsError::None(String::new()));
        }
        Self::of_store(store)
    }

    fn of_store(store: RootCertStore) -> Result<Self, RootsError> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let builder = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| RootsError::Tls(error.to_string()))?;
        let mut client = builder.with_root_certificates(store).with_no_client_auth();
        client.alpn_protocols = vec![b"http/1.1".to_vec()];
        Ok(Self { client: Arc::new(client) })
    }
}

fn add(store: &mut RootCertStore, pem: &[u8]) -> Result<(), RootsError> {
    for certificate in CertificateDer::pem_slice_iter(pem) {
        let certificate = certificate.map_err(|error| RootsError::Pem(error.to_string()))?;
        store.add(certificate).map_err(|error| RootsError::Pem(error.to_string()))?;
    }
    Ok(())
}
