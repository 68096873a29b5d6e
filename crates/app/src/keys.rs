//! Key files: PKCS#8 and SPKI PEM, under `.deed/keys` or at a path of the user.

use crate::error::AppError;
use crate::files::{self, Access, Existing};
use crate::home::Home;
use crate::registry::{self, without_secret};
use crate::session::Session;
use deed_canon::{KeyError, KeyId, PublicKey, SigningKey};
use deed_diag::{Diagnostic, Place, codes, did_you_mean, quote};
use deed_model::{KeyStatus, ReviewRole, TrustStore, TrustedKey};
use deed_store::Outcome;
use std::path::{Path, PathBuf};

/// The name of the key that signs receipts.
pub const WORKSPACE: &str = "workspace";

/// The path of the private half of a named key.
pub fn private_path(home: &Home, name: &str) -> PathBuf {
    home.keys().join(format!("{name}.pem"))
}

/// The path of the public half of a named key.
pub fn public_path(home: &Home, name: &str) -> PathBuf {
    home.keys().join(format!("{name}.pub.pem"))
}

/// Refuses a name that cannot be the name of a key's file.
pub fn check_name(name: &str) -> Result<(), AppError> {
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    if !name.is_empty() && name.len() <= 64 && name.bytes().all(plain) {
        return Ok(());
    }
    Err(AppError::refused(
        Diagnostic::error(codes::BAD_KEY_NAME, format!("{} cannot be the name of a key", quote(name)))
            .stage("keys")
            .help("use letters, digits, `-` and `_`"),
    ))
}

/// The names of the keys under `.deed/keys`, in order.
///
/// # Errors
/// The folder is there and cannot be read.
pub fn names(home: &Home) -> Result<Vec<String>, AppError> {
    let folder = home.keys();
    let failed = |error: std::io::Error| AppError::reading(&folder, &error);
    let mut names = Vec::new();
    match std::fs::read_dir(&folder) {
        // The folder is made with the first key.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
        entries => {
            for entry in entries.map_err(failed)? {
                let file = entry.map_err(failed)?.file_name();
                // Other files are not keys: names of keys are ASCII.
                names.extend(file.to_str().and_then(|name| name.strip_suffix(".pub.pem")).map(str::to_owned));
            }
        }
    }
    names.sort();
    Ok(names)
}

/// The private key of that name or at that path.
pub fn signing_key(home: &Home, name: &str) -> Result<SigningKey, AppError> {
    files::sweep(&home.keys());
    let path = located(home, name, private_path(home, name))?;
    check_access(&path)?;
    let file = files::read(&path)?;
    let text = String::from_utf8(file.bytes).map_err(|_| bad_key_file(&path, &KeyError::Private))?;
    SigningKey::from_pem(&text).map_err(|e| bad_key_file(&path, &e))
}

/// The public key of that name, at that path, or written out in base64.
pub fn public_key(home: &Home, name: &str) -> Result<PublicKey, AppError> {
    if let Ok(key) = name.parse() {
        return Ok(key);
    }
    let path = located(home, name, public_path(home, name))?;
    let file = files::read(&path)?;
    let text = String::from_utf8(file.bytes).map_err(|_| bad_key_file(&path, &KeyError::Public))?;
    PublicKey::from_pem(&text).map_err(|e| bad_key_file(&path, &e))
}

/// The public keys under `.deed/keys`. A key that cannot be read is not trusted, and does not stop the others.
///
/// # Errors
/// The folder cannot be read.
pub fn public_keys(home: &Home) -> Result<Vec<PublicKey>, AppError> {
    Ok(names(home)?.iter().filter_map(|name| public_key(home, name).ok()).collect())
}

/// A key under `.deed/keys`.
#[derive(Debug)]
pub struct OwnKey {
    /// Its name.
    pub name: String,
    /// The public half.
    pub public: PublicKey,
    /// True if the private half is there too.
    pub can_sign: bool,
}

/// Reads the keys under `.deed/keys`, in the order of their names.
///
/// # Errors
/// A key cannot be read.
pub fn own_keys(home: &Home) -> Result<Vec<OwnKey>, AppError> {
    let own = |name: String| {
        let public = public_key(home, &name)?;
        Ok(OwnKey { public, can_sign: private_path(home, &name).is_file(), name })
    };
    names(home)?.into_iter().map(own).collect()
}

/// A key, and what it is trusted with.
#[derive(Debug, Clone, Default)]
pub struct TrustRequest {
    /// The key: its name, a PEM file, or its public half in base64.
    pub key: String,
    /// The issuer whose packs it may sign or review.
    pub issuer: String,
    /// True if it may sign packs.
    pub may_sign: bool,
    /// The roles in which it may review packs.
    pub review_roles: Vec<ReviewRole>,
    /// The key that it replaces, which may sign nothing new from now on.
    pub replaces: Option<KeyId>,
    /// The person that it belongs to; otherwise the one that it was generated for.
    pub person: Option<String>,
}

/// Trusts a key, and retires the key that it replaces.
///
/// # Errors
/// The key cannot be read, or the registry refuses.
pub fn trust(session: &Session, request: &TrustRequest) -> Result<(TrustedKey, Outcome), AppError> {
    let (home, registry) = session.registry()?;
    let stamp = session.stamp()?;
    let public_key = public_key(&home, &request.key)?;
    let mut review_roles = request.review_roles.clone();
    review_roles.sort_unstable();
    review_roles.dedup();
    let key = TrustedKey {
        key_id: public_key.id(),
        public_key,
        issuer: request.issuer.clone(),
        may_sign: request.may_sign,
        review_roles,
        person: person_of(&home, request)?,
        status: KeyStatus::Active,
    };
    let outcome = registry.trust_key(&key, request.replaces.as_ref(), &stamp).map_err(registry::error)?;
    Ok((key, outcome))
}

/// The person that a key is bound to: the one that is given, or else the one that it was generated for.
fn person_of(home: &Home, request: &TrustRequest) -> Result<Option<String>, AppError> {
    if let Some(person) = &request.person {
        return checked_person(person).map(Some);
    }
    let path = person_path(home, &request.key);
    if check_name(&request.key).is_err() || !path.is_file() {
        return Ok(None);
    }
    let text = String::from_utf8(files::read(&path)?.bytes).map_err(|_| bad_person(&path.display().to_string()))?;
    checked_person(text.trim_end()).map(Some)
}

/// Refuses a text that cannot name a person in a log that is kept forever.
fn checked_person(person: &str) -> Result<String, AppError> {
    let hidden = |c: char| {
        c.is_control() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if person.trim().is_empty() || person.chars().count() > LONGEST_PERSON || person.chars().any(hidden) {
        return Err(bad_person("--person"));
    }
    without_secret("--person", person).map(str::to_owned)
}

fn bad_person(place: &str) -> AppError {
    let message = format!("a person's name has 1 to {LONGEST_PERSON} visible characters");
    let help = "write it as `Ann Lee <ann@acme.example>`";
    let diagnostic = Diagnostic::error(codes::BAD_KEY_NAME, message).stage("keys").at(Place::file(place));
    AppError::refused(diagnostic.help(help))
}

const LONGEST_PERSON: usize = 200;

/// The path of the name of the person that a key was generated for.
fn person_path(home: &Home, name: &str) -> PathBuf {
    home.keys().join(format!("{name}.person"))
}

/// Revokes a key: nothing that it ever signed is accepted. The key is given as for [`trust`], or by its id.
///
/// # Errors
/// The key is not known, the reason holds a secret, or the registry refuses.
pub fn revoke(session: &Session, key: &str, reason: &str) -> Result<(KeyId, Outcome), AppError> {
    let (home, registry) = session.registry()?;
    let stamp = session.stamp()?;
    let id = match key.parse::<KeyId>() {
        Ok(id) => id,
        Err(_) => public_key(&home, key)?.id(),
    };
    let reason = without_secret("--reason", reason)?;
    let outcome = registry.revoke_key(&id, reason, &stamp).map_err(registry::error)?;
    Ok((id, outcome))
}

/// The trust store: the keys that the registry trusts, and with what.
///
/// # Errors
/// The registry cannot be used.
pub fn trust_store(session: &Session) -> Result<TrustStore, AppError> {
    let (_, registry) = session.registry()?;
    registry.trust_store().map_err(registry::error)
}

/// A key pair that was generated.
#[derive(Debug)]
pub struct GeneratedKey {
    /// The public half.
    pub public: PublicKey,
    /// The file of the private half, which only its owner can read.
    pub private_file: PathBuf,
    /// The file of the public half.
    pub public_file: PathBuf,
    /// The person that it belongs to.
    pub person: Option<String>,
}

/// Generates an Ed25519 key pair under `.deed/keys`, for a person if one is named.
///
/// # Errors
/// The name cannot be used, or there is a key of that name.
pub fn generate(home: &Home, name: &str, person: Option<&str>) -> Result<GeneratedKey, AppError> {
    check_name(name)?;
    let person = person.map(checked_person).transpose()?;
    files::sweep(&home.keys());
    let key = new_key()?;
    let (private_file, public_file) = (private_path(home, name), public_path(home, name));
    let pem = key.to_pem().map_err(AppError::internal)?;
    files::write(&private_file, pem.as_ref().as_bytes(), Existing::Keep, Access::Private)?;
    let public_pem = key.public().to_pem().map_err(AppError::internal)?;
    files::write(&public_file, public_pem.as_bytes(), Existing::Replace, Access::Shared)?;
    if let Some(person) = &person {
        files::write(&person_path(home, name), person.as_bytes(), Existing::Replace, Access::Shared)?;
    }
    Ok(GeneratedKey { public: key.public(), private_file, public_file, person })
}

fn new_key() -> Result<SigningKey, AppError> {
    let mut seed = [0u8; 32];
    getrandom::fill(&mut seed).map_err(AppError::internal)?;
    let key = SigningKey::from_seed(&seed);
    seed.fill(0);
    Ok(key)
}

/// The key that signs the receipts of this workspace. It is made when it is first needed.
pub fn workspace_key(home: &Home) -> Result<SigningKey, AppError> {
    let (private, public) = (private_path(home, WORKSPACE), public_path(home, WORKSPACE));
    // The private half is written first. A public half alone means that the private half is lost: with a new key, earlier
    // receipts would no longer verify.
    let shared = public.is_file();
    if !private.is_file() {
        if shared {
            return Err(lost(&private, &public));
        }
        let pem = new_key()?.to_pem().map_err(AppError::internal)?;
        // If two processes start at once, one makes the key and both use it.
        let made = files::write(&private, pem.as_ref().as_bytes(), Existing::Keep, Access::Private);
        if made.is_err() && !private.is_file() {
            made?;
        }
    }
    let key = signing_key(home, WORKSPACE)?;
    // The process that made the key may have crashed before it wrote this half.
    if !public.is_file() {
        let pem = key.public().to_pem().map_err(AppError::internal)?;
        files::write(&public, pem.as_bytes(), Existing::Replace, Access::Shared)?;
    }
    if public_key(home, WORKSPACE)?.id() != key.public().id() {
        return Err(AppError::refused(
            Diagnostic::error(codes::BAD_KEY_FILE, "the halves of the workspace's key do not belong together")
                .stage("keys")
                .at(Place::file(public.display().to_string()))
                .help(
                    "put back the file that was replaced: receipts are signed with `workspace.pem`, and verified \
                       with `workspace.pub.pem`",
                ),
        ));
    }
    Ok(key)
}

fn lost(private: &Path, public: &Path) -> AppError {
    let message = "the private half of the key that signs receipts is missing, and its public half is there";
    let help = format!(
        "restore it from a backup; to sign with a new key from now on, move `{}` elsewhere, and check earlier runs \
         with `deed receipts verify RUN --key` and that file",
        public.display()
    );
    AppError::refused(
        Diagnostic::error(codes::UNKNOWN_KEY_NAME, message)
            .stage("keys")
            .at(Place::file(private.display().to_string()))
            .help(help),
    )
}

fn located(home: &Home, name: &str, named: PathBuf) -> Result<PathBuf, AppError> {
    let given = Path::new(name);
    if check_name(name).is_ok() && named.is_file() {
        return Ok(named);
    }
    if given.is_file() {
        return Ok(given.to_owned());
    }
    // A text that is too long for a name may be the key itself, and is not repeated.
    let shown = if check_name(name).is_ok() { quote(name) } else { "of that name".to_owned() };
    let known = names(home)?;
    Err(AppError::refused(
        Diagnostic::error(codes::UNKNOWN_KEY_NAME, format!("there is no key {shown}")).stage("keys").help(
            did_you_mean(name, known.iter().map(String::as_str)).unwrap_or_else(|| {
                "`deed keys generate NAME` makes one; the path of a PEM file is accepted too".to_owned()
            }),
        ),
    ))
}

fn bad_key_file(path: &Path, error: &KeyError) -> AppError {
    AppError::refused(
        Diagnostic::error(codes::BAD_KEY_FILE, error.to_string())
            .stage("keys")
            .at(Place::file(path.display().to_string()))
            .help("`deed keys generate` writes such files, and so does `openssl genpkey -algorithm ed25519`"),
    )
}

/// Refuses a private key that other users can read.
#[cfg(unix)]
fn check_access(path: &Path) -> Result<(), AppError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map_err(|e| AppError::reading(path, &e))?.permissions().mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(AppError::refused(
        Diagnostic::error(
            codes::KEY_FILE_READABLE_BY_OTHERS,
            format!("others may read this private key (mode {:o})", mode & 0o777),
        )
        .stage("keys")
        .at(Place::file(path.display().to_string()))
        .help("`chmod 600` it; if others could have read it, make a new key and revoke this one"),
    ))
}

#[cfg(not(unix))]
fn check_access(_: &Path) -> Result<(), AppError> {
    Ok(())
}
