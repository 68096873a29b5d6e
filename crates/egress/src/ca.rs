//! The certificate authority of one run, with which the proxy stands in for servers. Its key is only in memory.

use deed_reach::Host;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa, KeyPair,
    KeyUsagePurpose, PKCS_ECDSA_P256_SHA256, SanType,
};
use rustls::ServerConfig;
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::{ClientHello, ResolvesServerCert};
use rustls::sign::CertifiedKey;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};
use thiserror::Error;

/// The time before now from which certificates hold, for clocks that are behind.
const BEFORE: Duration = Duration::from_secs(24 * 3600);
/// Their lifetime: longer than any run waits for an approval without a restart.
const AFTER: Duration = Duration::from_secs(90 * 24 * 3600);
/// The latest time that certificates can name, in the year 9999, with some room before it.
const LATEST: Duration = Duration::from_secs(250_000_000_000);
/// The number of hosts whose certificates are cached.
const REMEMBERED: usize = 1024;

/// The certificate authority of one run.
pub struct RunCa {
    pem: String,
    issuer: CertifiedIssuer<'static, KeyPair>,
    /// The key of all certificates that it issues.
    leaf: KeyPair,
    provider: Arc<CryptoProvider>,
    now: Duration,
    servers: Mutex<HashMap<Host, Arc<ServerConfig>>>,
    refusing: Arc<ServerConfig>,
}

/// An authority that could not be made, or could not issue a certificate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CaError {
    /// A certificate could not be made.
    #[error("a certificate cannot be made: {0}")]
    Certificate(String),
    /// TLS cannot be set up.
    #[error("tls cannot be set up: {0}")]
    Tls(String),
}

impl From<rcgen::Error> for CaError {
    fn from(error: rcgen::Error) -> Self {
        Self::Certificate(error.to_string())
    }
}

impl From<rustls::Error> for CaError {
    fn from(error: rustls::Error) -> Self {
        Self::Tls(error.to_string())
    }
}

impl fmt::Debug for RunCa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RunCa(…)")
    }
}

impl RunCa {
    /// Makes a new authority with a new key.
    pub fn generate(now: SystemTime) -> Result<Self, CaError> {
        let now = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().min(LATEST);
        let mut params = valid(CertificateParams::default(), now);
        params.distinguished_name.push(DnType::CommonName, "deed run");
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages =
            vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign, KeyUsagePurpose::DigitalSignature];
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?)?;
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let refusing = server(&provider, None)?;
        let leaf = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256)?;
        Ok(Self { pem: issuer.pem(), issuer, leaf, provider, now, servers: Mutex::default(), refusing })
    }

    /// The certificate in PEM: all that clients in the sandbox have to trust, since all TLS ends at the proxy.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// Returns the TLS configuration with which the proxy stands in for a host.
    pub(crate) fn server_for(&self, host: &Host) -> Result<Arc<ServerConfig>, CaError> {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(server) = servers.get(host) {
            return Ok(server.clone());
        }
        let made = server(&self.provider, Some(self.certified(host)?))?;
        if servers.len() >= REMEMBERED {
            servers.clear();
        }
        servers.insert(host.clone(), made.clone());
        Ok(made)
    }

    /// Returns a TLS configuration without a certificate, which ends the handshake with an alert.
    pub(crate) fn server_for_none(&self) -> Arc<ServerConfig> {
        self.refusing.clone()
    }

    fn certified(&self, host: &Host) -> Result<Arc<CertifiedKey>, CaError> {
        let mut params = valid(CertificateParams::default(), self.now);
        params.distinguished_name.push(DnType::CommonName, "deed stands in");
        params.subject_alt_names = vec![match host {
            Host::Name(name) => SanType::DnsName(name.as_str().try_into()?),
            Host::Address(address) => SanType::IpAddress(*address),
        }];
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        params.is_ca = IsCa::ExplicitNoCa;
        let certificate = params.signed_by(&self.leaf, &self.issuer)?;
        let chain: Vec<CertificateDer<'static>> = vec![certificate.der().clone(), self.issuer.der().clone()];
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(self.leaf.serialize_der()));
        Ok(Arc::new(CertifiedKey::new(chain, self.provider.key_provider.load_private_key(key)?)))
    }
}

fn valid(mut params: CertificateParams, now: Duration) -> CertificateParams {
    let epoch = rcgen::date_time_ymd(1970, 1, 1);
    params.not_before = epoch + now.saturating_sub(BEFORE);
    params.not_after = epoch + now.saturating_add(AFTER);
    params
}

fn server(provider: &Arc<CryptoProvider>, key: Option<Arc<CertifiedKey>>) -> Result<Arc<ServerConfig>, CaError> {
    let builder = ServerConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions()?;
    let mut config = builder.with_no_client_auth().with_cert_resolver(Arc::new(FixedCertificate(key)));
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// Always returns the same certificate; the name was compared before.
#[derive(Debug)]
struct FixedCertificate(Option<Arc<CertifiedKey>>);

impl ResolvesServerCert for FixedCertificate {
    fn resolve(&self, _hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        self.0.clone()
    }
}
