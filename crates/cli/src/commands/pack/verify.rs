//! `deed pack verify`: what holds, what does not, and what was not proved.

use crate::args::Global;
use crate::output::Success;
use clap::Args;
use deed_app::AppError;
use deed_app::files;
use deed_app::registry::{self, pack_ref, report_of};
use deed_canon::{ContentHash, Envelope};
use deed_diag::{Code, Diagnostic, Place};
use deed_model::TrustStore;
use deed_pack::{OfflineProof, Purpose, read_envelope, verify_offline};
use deed_store::{LoadedPack, Verification};
use serde_json::json;
use std::path::{Path, PathBuf};

const BAD_ENVELOPE: Code = Code::new("D1320");
const BAD_TRUST_STORE: Code = Code::new("D1321");
const RETIRED: Code = Code::new("D1314");

/// Verify a version, an environment's pin, the whole registry, or, with --envelope, files alone.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// A reference; with --env a pack's id; with --envelope a pack folder. Nothing: the whole registry.
    pack: Option<String>,
    /// Verify what this environment has pinned.
    #[arg(long = "env", value_name = "NAME", requires = "pack")]
    environment: Option<String>,
    /// Whose environment; the registry's tenant otherwise.
    #[arg(long, requires = "environment")]
    tenant: Option<String>,
    /// The log's end as it was noted earlier; finds a log that was cut off or written anew.
    #[arg(long, value_name = "HASH", conflicts_with_all = ["pack", "envelope"])]
    head: Option<ContentHash>,
    /// The issuer's envelope: verify files alone, without a registry.
    #[arg(long, value_name = "FILE", requires_all = ["pack", "trust"], conflicts_with = "environment")]
    envelope: Option<PathBuf>,
    /// The trust store to believe, as `deed keys list --export` prints it.
    #[arg(long, value_name = "FILE", requires = "envelope")]
    trust: Option<PathBuf>,
    /// A reviewer's envelope, or a folder of `*.review.json`; may be given more than once.
    #[arg(long = "review", value_name = "FILE", requires = "envelope")]
    reviews: Vec<PathBuf>,
    /// Accept signatures of keys that have handed over since, on your own word that they were made before.
    #[arg(long, requires = "envelope")]
    accept_retired: bool,
}

impl Verify {
    pub(crate) fn run(&self, global: &Global) -> Result<Success, AppError> {
        match (&self.pack, &self.envelope, &self.trust, &self.environment) {
            (Some(pack), Some(envelope), Some(trust), _) => self.files(pack, envelope, trust),
            (Some(pack), _, _, Some(environment)) => self.pinned(global, pack, environment),
            (Some(pack), _, _, None) => version(global, pack),
            (None, _, _, _) => self.everything(global),
        }
    }

    fn files(&self, pack: &str, envelope: &Path, trust: &Path) -> Result<Success, AppError> {
        let bundle = files::pack_bundle(Path::new(pack))?;
        let store = trust_store(trust)?;
        let signed = envelope_file(envelope)?;
        let mut reviews = Vec::new();
        for path in &self.reviews {
            for file in review_files(path)? {
                reviews.push(envelope_file(&file)?);
            }
        }
        let overlays: Vec<_> = bundle.overlays.values().map(|d| d.value().clone()).collect();
        let proof = verify_offline(bundle.document.value(), &overlays, &signed, &reviews, &store)
            .map_err(|found| AppError::from(report_of(found)))?;
        if let Some(key) = proof.retired.first().filter(|_| !self.accept_retired) {
            return Err(AppError::refused(
                Diagnostic::error(
                    RETIRED,
                    format!("`{key}` has handed over; whether it signed before that is not known here"),
                )
                .stage("verify")
                .at(Place::file(pack))
                .help("ask the registry with `deed pack verify REF`, or accept it with `--accept-retired`"),
            ));
        }
        Ok(offline(&proof))
    }

    fn pinned(&self, global: &Global, pack_id: &str, environment: &str) -> Result<Success, AppError> {
        let (home, registry) = global.session().registry()?;
        let tenant = self.tenant.as_ref().unwrap_or(&home.config.tenant);
        let loaded = registry.load_pinned(environment, pack_id, tenant).map_err(registry::error)?;
        Ok(proved(&loaded, &format!("pinned in {environment}")))
    }

    fn everything(&self, global: &Global) -> Result<Success, AppError> {
        let (_, registry) = global.session().registry()?;
        let Verification { findings, head, events } = registry.verify(self.head).map_err(registry::error)?;
        let report = report_of(findings);
        if report.has_errors() {
            return Err(report.into());
        }
        let data = json!({ "events": events, "head": head });
        let text = head.map_or_else(|| "empty\n".to_owned(), |h| format!("{events} events, head {}\n", h.hash));
        let note = if self.head.is_some() {
            "everything holds, up to the head that was given"
        } else {
            "everything holds; without --head, a log that was cut off or written anew as a whole is not seen"
        };
        Ok(Success::new(data, text).remark(note).report(report))
    }
}

fn version(global: &Global, reference: &str) -> Result<Success, AppError> {
    let reference = pack_ref(reference)?;
    let (_, registry) = global.session().registry()?;
    let loaded = registry.load(&reference, Purpose::Replay).map_err(registry::error)?;
    let history = registry.history(&reference).map_err(registry::error)?;
    let state = match &history.deprecation {
        Some(ending) => format!("deprecated, for replay only: {}", ending.reason),
        None => "published".to_owned(),
    };
    Ok(proved(&loaded, &state))
}

fn proved(loaded: &LoadedPack, state: &str) -> Success {
    let candidate = &loaded.candidate;
    let reviews: Vec<_> = loaded.proof.reviews.iter().map(|r| json!({ "role": r.role, "key_id": r.key_id })).collect();
    let data = json!({
        "pack_ref": candidate.pack_ref(),
        "content_hash": candidate.content_hash(),
        "issuer": candidate.issuer(),
        "signer": loaded.proof.signer,
        "reviews": reviews,
        "state": state,
    });
    let roles: Vec<String> = loaded.proof.reviews.iter().map(|r| r.role.to_string()).collect();
    let text = format!(
        "{} {}\nsigned by {} for {}\nreviewed: {}\n{state}\n",
        candidate.pack_ref(),
        candidate.content_hash(),
        loaded.proof.signer,
        candidate.issuer(),
        roles.join(", "),
    );
    Success::new(data, text).remark("holds: bytes, hashes, signature, reviews and state agree")
}

fn offline(proof: &OfflineProof) -> Success {
    let data = json!({
        "pack_ref": proof.pack_ref,
        "content_hash": proof.content_hash,
        "issuer": proof.issuer,
        "signer": proof.signer,
        "proved": proof.proved,
        "not_proved": proof.not_proved,
    });
    let proved: String = proof.proved.iter().map(|p| format!("proved      {p}\n")).collect();
    let open: String = proof.not_proved.iter().map(|p| format!("not proved  {p}\n")).collect();
    Success::new(data, format!("{} {}\n{proved}{open}", proof.pack_ref, proof.content_hash))
}

/// The file itself, or the reviews of a folder in order of their names.
fn review_files(path: &Path) -> Result<Vec<PathBuf>, AppError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = std::fs::read_dir(path).map_err(|e| AppError::reading(path, &e))?;
    let paths = entries.map(|entry| entry.map(|e| e.path()).map_err(|e| AppError::reading(path, &e)));
    let mut files: Vec<PathBuf> = paths
        .collect::<Result<Vec<_>, _>>()?
        .into_iter()
        .filter(|p| p.file_name().and_then(|n| n.to_str()).is_some_and(|n| n.ends_with(".review.json")))
        .collect();
    files.sort();
    Ok(files)
}

fn envelope_file(path: &Path) -> Result<Envelope, AppError> {
    let file = files::read(path)?;
    read_envelope(&file.bytes).map_err(|why| {
        AppError::refused(
            Diagnostic::error(BAD_ENVELOPE, format!("this is not a signed envelope: {why}"))
                .stage("verify")
                .at(Place::file(file.name.clone()))
                .help("`deed pack sign --out FILE` and `deed pack review --out DIR` write them"),
        )
    })
}

fn trust_store(path: &Path) -> Result<TrustStore, AppError> {
    let document = files::document(path)?;
    serde_json::from_value(document.value().clone()).map_err(|error| {
        AppError::refused(
            Diagnostic::error(BAD_TRUST_STORE, format!("this is not a trust store: {error}"))
                .stage("verify")
                .at(Place::file(path.display().to_string()))
                .help("`deed keys list --export` writes one"),
        )
    })
}
