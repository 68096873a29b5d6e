//! Everything of the outside world that a run is given.

use crate::models::ModelSource;
use crate::site::Site;
use crate::trust::Trust;
use deed_canon::{KeyId, PublicKey, SigningKey};
use deed_catalog::Catalog;
use deed_egress::Resolver;
use deed_ports::{BlobRead, BlobWrite, Clock, Directory, Evaluator, JournalRead, JournalWrite, Secrets};
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
    /// The journal.
    pub journal: Arc<dyn Journal>,
    /// The blobs.
    pub blobs: Arc<dyn Blobs>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// The secrets.
    pub secrets: Arc<dyn Secrets>,
    /// The people of workspaces.
    pub directory: Arc<dyn Directory>,
    /// The evaluator.
    pub evaluator: Arc<dyn Evaluator>,
    /// The source of replies of models.
    pub models: ModelSource,
    /// The key that signs for this workspace.
    pub signer: Arc<SigningKey>,
    /// The types that plans are compiled with.
    pub catalog: Arc<Catalog>,
    /// The sandbox and what this machine offers it.
    pub sandbox: Arc<Site>,
    /// The resolver of host names.
    pub resolver: Arc<dyn Resolver>,
    /// The certificate authorities that servers must be vouched for by.
    pub roots: Arc<Trust>,
    /// The folder in which steps are staged, on the disk of the blobs.
    pub stage: PathBuf,
    /// The tokio runtime that serves bridges and proxies.
    pub reactor: tokio::runtime::Handle,
    /// Roles whose gates are approved as they come, and in whose name.
    pub approver: Option<Approver>,
    /// Keys of people whose decisions at gates count, besides the workspace's own.
    pub deciders: Vec<PublicKey>,
    /// The name of this process in the journal.
    pub process: String,
    /// True if it continues with a journal that lacks events which were there.
    pub accepts_rollback: bool,
}

impl World {
    /// Returns the keys whose decisions count: the workspace's own, and those that it knows.
    pub(crate) fn knows_decider(&self) -> impl Fn(&KeyId) -> Option<PublicKey> {
        let own = self.knows();
        move |id| own(id).or_else(|| self.deciders.iter().find(|key| key.id() == *id).cloned())
    }

    /// Returns the keys whose receipts count: the workspace's own.
    pub(crate) fn knows(&self) -> impl Fn(&KeyId) -> Option<PublicKey> + use<> {
        let key = self.signer.public();
        move |id| (*id == key.id()).then(|| key.clone())
    }
}

/// An approver who decides at once: they approved beforehand.
#[derive(Debug, Clone)]
pub struct Approver {
    /// The approver.
    pub name: String,
    /// In which roles.
    pub roles: Vec<String>,
}
