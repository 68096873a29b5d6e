//! The state of a workspace: a fold over the events of its log, in their order.

use deed_canon::{ChainHead, ContentHash};
use deed_model::{
    FileVersion, RunOutcome, StoredContent, WorkspaceEvent, WorkspaceInput, WorkspaceLogEvent, WorkspacePerson,
    WorkspaceSettings,
};
use deed_plan::normal_path;
use std::collections::{BTreeMap, BTreeSet};

/// A file with all its versions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRecord {
    /// The path.
    pub path: String,
    /// The versions, from the first on.
    pub versions: Vec<FileVersion>,
}

impl FileRecord {
    /// Returns the newest version that counts; none if every version was written behind another file.
    pub fn latest(&self) -> Option<&FileVersion> {
        self.versions.iter().rev().find(|version| version.superseded_by.is_none())
    }

    /// Returns the version that was written last; it may be superseded.
    pub fn last(&self) -> Option<&FileVersion> {
        self.versions.last()
    }

    /// Returns the version with a number.
    pub fn version(&self, number: u64) -> Option<&FileVersion> {
        self.versions.iter().find(|version| version.version == number)
    }

    /// Returns whether the newest version that counts has content.
    pub fn is_live(&self) -> bool {
        self.latest().is_some_and(|version| version.content.is_some())
    }
}

/// A run of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeganRun {
    /// The run.
    pub run_id: String,
    /// The name of its plan.
    pub plan: String,
    /// Its place in the order of submissions, from 0.
    pub order: u64,
    /// The time of its submission.
    pub at: String,
    /// The actor who submitted it.
    pub actor: String,
    /// The file versions that it reads.
    pub inputs: Vec<WorkspaceInput>,
    /// Its outcome and the number of files that it wrote, once it has ended.
    pub ended: Option<(RunOutcome, u64)>,
}

/// The state of a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WorkspaceState {
    /// The name; empty before the first event.
    pub workspace: String,
    /// The tenant.
    pub tenant_id: String,
    /// The kind of work that it is for.
    pub purpose: Option<String>,
    /// The time of its creation.
    pub created_at: String,
    /// The person who created it.
    pub created_by: String,
    /// The settings.
    pub settings: WorkspaceSettings,
    people: BTreeMap<String, WorkspacePerson>,
    /// The events since which people hold their roles without a break, by person and role.
    held: BTreeMap<String, BTreeMap<String, ContentHash>>,
    /// The event since which there is one person only.
    sole: Option<ContentHash>,
    files: BTreeMap<String, FileRecord>,
    /// Paths of live files, by their folded forms.
    live: BTreeMap<String, String>,
    runs: BTreeMap<String, BeganRun>,
    contents: BTreeMap<ContentHash, u64>,
    versions: u64,
}

impl WorkspaceState {
    /// Returns whether anything was recorded.
    pub fn exists(&self) -> bool {
        !self.workspace.is_empty()
    }

    /// Returns the people, by identity.
    pub fn people(&self) -> impl Iterator<Item = &WorkspacePerson> {
        self.people.values()
    }

    /// Returns a person.
    pub fn person(&self, person_id: &str) -> Option<&WorkspacePerson> {
        self.people.get(person_id)
    }

    /// Returns the event since which a person holds a role without a break; none if they do not hold it.
    pub fn role_since(&self, person_id: &str, role: &str) -> Option<ContentHash> {
        self.held.get(person_id)?.get(role).copied()
    }

    /// Returns the event since which the workspace has one person only; none if it has several.
    pub fn sole_since(&self) -> Option<ContentHash> {
        self.sole
    }

    /// Returns every file, removed ones too, by path.
    pub fn files(&self) -> impl Iterator<Item = &FileRecord> {
        self.files.values()
    }

    /// Returns a file.
    pub fn file(&self, path: &str) -> Option<&FileRecord> {
        self.files.get(path)
    }

    /// Returns the runs, by name.
    pub fn runs(&self) -> impl Iterator<Item = &BeganRun> {
        self.runs.values()
    }

    /// Returns a run.
    pub fn run(&self, run_id: &str) -> Option<&BeganRun> {
        self.runs.get(run_id)
    }

    /// Returns the bytes of all versions; equal content counts once.
    pub fn bytes(&self) -> u64 {
        self.contents.values().sum()
    }

    /// Returns whether a version has this content.
    pub fn keeps(&self, sha256: &ContentHash) -> bool {
        self.contents.contains_key(sha256)
    }

    /// Returns the contents of all versions, by hash.
    pub fn contents(&self) -> impl Iterator<Item = StoredContent> {
        self.contents.iter().map(|(sha256, size)| StoredContent { sha256: *sha256, size_bytes: *size })
    }

    /// Returns the number of versions of all files.
    pub fn versions(&self) -> u64 {
        self.versions
    }

    /// Returns the live files that cannot be beside a path: another spelling of it, a file where it needs a folder, and files
    /// below it.
    pub fn in_the_way(&self, path: &str, folded: &str) -> BTreeSet<&str> {
        let above = folded.match_indices('/').filter_map(|(at, _)| folded.get(..at));
        let mut found: BTreeSet<&str> = above.filter_map(|above| self.live.get(above)).map(String::as_str).collect();
        found.extend(self.live.get(folded).map(String::as_str).filter(|other| *other != path));
        let below = format!("{folded}/");
        let beneath = self.live.range(below.clone()..).take_while(|(other, _)| other.starts_with(&below));
        found.extend(beneath.map(|(_, other)| other.as_str()));
        found
    }

    /// Applies an event; `head` is its link. The order of the log decides, never a time.
    pub fn apply(&mut self, head: &ChainHead, logged: &WorkspaceLogEvent) {
        match &logged.event {
            WorkspaceEvent::WorkspaceCreated { workspace, tenant_id, purpose } => {
                self.workspace.clone_from(workspace);
                self.tenant_id.clone_from(tenant_id);
                self.purpose.clone_from(purpose);
                self.created_at.clone_from(&logged.at);
                self.created_by.clone_from(&logged.actor);
            }
            WorkspaceEvent::SettingsChanged { settings } => self.settings = (**settings).clone(),
            WorkspaceEvent::PersonAdded { person_id, name, roles } => {
                self.listed(logged, person_id, name, roles);
                self.holding(head);
            }
            WorkspaceEvent::PersonRemoved { person_id, .. } => {
                self.people.remove(person_id);
                self.holding(head);
            }
            WorkspaceEvent::FileWritten { path, version, content, origin, superseded_by } => {
                let written = FileVersion {
                    version: *version,
                    at: logged.at.clone(),
                    actor: logged.actor.clone(),
                    content: Some(*content),
                    origin: Some(origin.clone()),
                    reason: None,
                    superseded_by: superseded_by.clone(),
                    replaced_by: None,
                    event: head.hash,
                };
                self.contents.insert(content.sha256, content.size_bytes);
                if superseded_by.is_none() {
                    self.live.insert(folded(path), path.clone());
                }
                self.versioned(path, written);
            }
            WorkspaceEvent::FileRemoved { path, version, reason, replaced_by } => {
                let removed = FileVersion {
                    version: *version,
                    at: logged.at.clone(),
                    actor: logged.actor.clone(),
                    content: None,
                    origin: None,
                    reason: Some(reason.clone()),
                    superseded_by: None,
                    replaced_by: replaced_by.clone(),
                    event: head.hash,
                };
                self.live.remove(&folded(path));
                self.versioned(path, removed);
            }
            WorkspaceEvent::RunBegan { run_id, plan, inputs } => {
                let began = BeganRun {
                    run_id: run_id.clone(),
                    plan: plan.clone(),
                    order: self.runs.len() as u64,
                    at: logged.at.clone(),
                    actor: logged.actor.clone(),
                    inputs: inputs.clone(),
                    ended: None,
                };
                self.runs.insert(run_id.clone(), began);
            }
            WorkspaceEvent::RunEnded { run_id, outcome, files } => {
                if let Some(run) = self.runs.get_mut(run_id) {
                    run.ended = Some((*outcome, *files));
                }
            }
        }
    }

    fn listed(&mut self, logged: &WorkspaceLogEvent, id: &str, name: &Option<String>, roles: &BTreeSet<String>) {
        let earlier = self.people.get(id);
        let (added_at, added_by) = match earlier {
            Some(person) => (person.added_at.clone(), person.added_by.clone()),
            None => (logged.at.clone(), logged.actor.clone()),
        };
        let person =
            WorkspacePerson { person_id: id.to_owned(), name: name.clone(), roles: roles.clone(), added_at, added_by };
        self.people.insert(id.to_owned(), person);
    }

    /// Follows who holds which role, and who is alone, after the people have changed.
    fn holding(&mut self, head: &ChainHead) {
        let earlier = std::mem::take(&mut self.held);
        let since = |person: &str, role: &str| earlier.get(person).and_then(|roles| roles.get(role)).copied();
        let roles = |person: &WorkspacePerson| {
            let held = |role: &String| (role.clone(), since(&person.person_id, role).unwrap_or(head.hash));
            person.roles.iter().map(held).collect()
        };
        self.held = self.people.values().map(|person| (person.person_id.clone(), roles(person))).collect();
        self.sole = match self.people.len() {
            1 => Some(self.sole.unwrap_or(head.hash)),
            _ => None,
        };
    }

    fn versioned(&mut self, path: &str, version: FileVersion) {
        let fresh = || FileRecord { path: path.to_owned(), versions: Vec::new() };
        self.files.entry(path.to_owned()).or_insert_with(fresh).versions.push(version);
        self.versions += 1;
    }
}

/// Returns the folded form of a path of the log. A path that has none was never written by a transition, and stands for
/// itself.
fn folded(path: &str) -> String {
    normal_path(path).map_or_else(|_| path.to_owned(), |path| path.folded)
}
