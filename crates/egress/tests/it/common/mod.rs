//! A small world on the loopback: servers that are scripted, names that lead to them, a witness that remembers.

pub mod wire;
pub mod witness;

use deed_egress::{Gateway, GatewayConfig, Limits, Mode, Proxy, Resolver, Resolving, Roots, RunCa};
use deed_model::{EgressCredential, EgressRepeat, EgressRule, EgressScheme};
use deed_ports::{Secret, SecretError, Secrets};
use deed_reach::Rules;
use deed_testkit::loopback::{Authority, Server};
use std::collections::HashMap;
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tempfile::TempDir;
use tokio::net::UnixListener;
use witness::Book;

pub const HOME: &str = "127.0.0.1";
pub const TOKEN: &str = "tok-0123456789abcdef";

/// A meter that lets everything leave.
pub struct Unmetered;

impl deed_egress::Meter for Unmetered {
    fn leaving(&self, _bytes: u64) -> Result<(), deed_egress::Stop> {
        Ok(())
    }

    fn stayed(&self, _bytes: u64) {}
}

/// A resolver that says what it is told, and counts how often it is asked.
#[derive(Default)]
pub struct Names {
    pub known: Mutex<HashMap<String, Vec<IpAddr>>>,
    pub asked: Mutex<Vec<String>>,
}

impl Names {
    pub fn set(&self, name: &str, addresses: &[&str]) {
        let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
        self.known.lock().unwrap().insert(name.to_owned(), addresses);
    }
}

impl Resolver for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> Resolving<'a> {
        self.asked.lock().unwrap().push(name.to_owned());
        let found = self.known.lock().unwrap().get(name).cloned();
        Box::pin(async move { found.ok_or_else(|| io::ErrorKind::NotFound.into()) })
    }
}

pub struct Keys;

impl Secrets for Keys {
    fn secret(&self, name: &str) -> Result<Secret, SecretError> {
        match name {
            "token" => Ok(Secret::new(TOKEN)),
            "short" => Ok(Secret::new("ab")),
            "lines" => Ok(Secret::new("abcdef\r\nX-Evil: 1")),
            _ => Err(SecretError::Unknown(name.to_owned())),
        }
    }
}

/// A rule for a host at an address of the loopback.
pub fn rule(host: &str, server: &Server) -> EgressRule {
    EgressRule {
        endpoint: None,
        base_path: None,
        scheme: if server.scheme() == "https" { EgressScheme::Https } else { EgressScheme::Http },
        host: host.to_owned(),
        subdomains: false,
        port: Some(server.port),
        paths: Vec::new(),
        methods: Vec::new(),
        private_addresses: true,
        credential: None,
        headers: Vec::new(),
        repeat: EgressRepeat::Never,
        price_micros: None,
    }
}

pub fn bearer(name: &str) -> Option<EgressCredential> {
    Some(EgressCredential {
        secret: format!("secret://{name}"),
        header: "Authorization".to_owned(),
        format: Some("Bearer {}".to_owned()),
    })
}

pub struct World {
    pub names: Arc<Names>,
    pub book: Arc<Book>,
    pub gateway: Gateway,
    pub limits: Limits,
}

/// What a world is made of; change what matters.
pub struct Plan {
    pub rules: Vec<EgressRule>,
    pub mode: Mode,
    pub limits: Limits,
    pub book: Book,
    /// The resolver, in place of the names of the world.
    pub resolver: Option<Arc<dyn Resolver>>,
    pub secrets: Arc<dyn Secrets>,
}

impl Plan {
    pub fn new(rules: Vec<EgressRule>) -> Self {
        let (limits, book) = (Limits::default(), Book::default());
        Self { rules, mode: Mode::Enforce, limits, book, resolver: None, secrets: Arc::new(Keys) }
    }

    pub fn build(self, authority: &Authority) -> World {
        let names = Arc::new(Names::default());
        for name in ["api.example.test", "other.example.test", "pypi.example.test", "files.example.test"] {
            names.set(name, &[HOME]);
        }
        let book = Arc::new(self.book);
        let gateway = Gateway::new(GatewayConfig {
            origin: deed_egress::Origin::default(),
            rules: Rules::read(self.rules).unwrap(),
            mode: self.mode,
            secrets: self.secrets,
            resolver: self.resolver.unwrap_or_else(|| names.clone()),
            witness: book.clone(),
            roots: Roots::of_pem(authority.pem.as_bytes()).unwrap(),
            reveals: |text| text.contains("SECRET"),
            limits: self.limits,
        });
        World { names, book, gateway, limits: self.limits }
    }
}

pub struct Served {
    pub proxy: Proxy,
    pub socket: PathBuf,
    pub ca: Arc<RunCa>,
    pub folder: TempDir,
}

impl World {
    pub fn serve(&self) -> Served {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("proxy.sock");
        let ca = Arc::new(RunCa::generate(SystemTime::now()).unwrap());
        let proxy = Proxy::serve(UnixListener::bind(&socket).unwrap(), self.gateway.clone(), ca.clone());
        Served { proxy, socket, ca, folder }
    }
}
