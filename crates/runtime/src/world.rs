//! Everything of the outside world that a run is given.

use crate::site::Site;
use crate::trust::Trust;
use deed_canon::{KeyId, PublicKey, SigningKey};
use deed_catalog::Catalog;
use deed_egress::Resolver;
use deed_ports::{BlobRead, BlobWrite, Clock, Evaluator, JournalRead, JournalWrite, Secrets};
use std::path::PathBuf;
use std::sync::Arc;

/// A journal that is read and written.
pub trait Journal: JournalRead + JournalWrite {}
impl<T: JournalRead + JournalWrite> Journal for T {}

/// A store of bytes that is read and written.
pub trait Blobs: BlobRead + BlobWrite {}
impl<T: BlobRead + BlobWrite> Blobs for T {}

/// Everything of the outside world that a run is given.
#[derive(Clone)]
pub struct World {
    /// Where events go.
    pub journal: Arc<dyn Journal>,
    /// Where bytes go.
    pub blobs: Arc<dyn Blobs>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// Where secrets are kept.
    pub secrets: Arc<dyn Secrets>,
    /// Who judges.
    pub evaluator: Arc<dyn Evaluator>,
    /// The key that signs for this workspace.
    pub signer: Arc<SigningKey>,
    /// The types that plans are compiled with.
    pub catalog: Arc<Catalog>,
    /// The sandbox and what this machine offers it.
    pub sandbox: Arc<Site>,
    /// How names become addresses.
    pub resolver: Arc<dyn Resolver>,
    /// Whose certificates are believed outside.
    pub roots: Arc<Trust>,
    /// Where steps are staged: a folder of our own, on the disk of the blobs.
    pub stage: PathBuf,
    /// What serves bridges and proxies.
    pub reactor: tokio::runtime::Handle,
    /// Roles whose gates are approved as they come, and in whose name.
    pub approver: Option<Approver>,
    /// Keys of people whose decisions at gates count, besides the workspace's own.
    pub deciders: Vec<PublicKey>,
    /// How this process is called in the journal.
    pub process: String,
    /// Whether it was told to continue with a journal that lacks events which were there.
    pub accepts_rollback: bool,
}

impl World {
    /// Whose decisions count: those of this workspace, and of whoever it knows.
    pub(crate) fn knows_decider(&self) -> impl Fn(&KeyId) -> Option<PublicKey> {
        let own = self.knows();
        move |id| own(id).or_else(|| self.deciders.iter().find(|key| key.id() == *id).cloned())
    }

    /// Whose receipts count: those of this workspace.
    pub(crate) fn knows(&self) -> impl Fn(&KeyId) -> Option<PublicKey> + use<> {
        let key = self.signer.public();
        move |id| (*id == key.id()).then(|| key.clone())
    }
}

/// Somebody who approves as gates come: they have said so before.
#[derive(Debug, Clone)]
pub struct Approver {
    /// Who.
    pub name: String,
    /// In which roles.
    pub roles: Vec<String>,
}
