//! The mounts of a plan in the words of bubblewrap, and what is put together before it is started.
//!
//! Bubblewrap reads the whole table of mounts after each one that it makes. Where root starts it, whatever ends up
//! read-only is therefore put together beforehand and handed over as one tree; bubblewrap makes all of that
//! read-only at once. Everyone else cannot do that, and has bubblewrap do it all, one after the other. Inside there
//! are the same mounts, names and kinds of files; only the folders that lead to them belong to somebody else.

use crate::plan::{MountKind, PlannedMount};
use deed_init::{Put, Staged};
use std::path::{Path, PathBuf};

/// What is put together beforehand, and what bubblewrap is told.
#[derive(Debug, Default)]
pub(super) struct Walls {
    pub(super) staged: Vec<Staged>,
    pub(super) words: Vec<String>,
}

/// All mounts, by bubblewrap alone.
pub(super) fn one_by_one(mounts: &[PlannedMount]) -> Walls {
    let words = mounts.iter().flat_map(|mount| words(&mount.kind, &mount.inside, text)).collect();
    Walls { staged: Vec::new(), words }
}

/// All mounts, most of them put together beforehand.
pub(super) fn as_a_tree(mounts: &[PlannedMount]) -> Walls {
    let sealed = mounts.iter().filter(|mount| mount.kind == MountKind::Sealed).map(|mount| mount.inside.as_path());
    let mut tree = Tree { sealed: sealed.collect(), grounds: Vec::new(), walls: Walls::default(), places: 0 };
    tree.lay("--ro-bind", Path::new("/"), Put::Folder);
    mounts.iter().for_each(|mount| tree.add(mount));
    tree.walls
}

struct Tree<'a> {
    sealed: Vec<&'a Path>,
    grounds: Vec<Ground<'a>>,
    walls: Walls,
    places: usize,
}

/// What other mounts stand on: put together beforehand at some place, or not there before bubblewrap has made it.
struct Ground<'a> {
    inside: &'a Path,
    place: Option<PathBuf>,
}

impl<'a> Tree<'a> {
    fn add(&mut self, mount: &'a PlannedMount) {
        if mount.kind == MountKind::Sealed {
            return self.seal(mount);
        }
        let Some(to) = self.place_of(&mount.inside) else {
            return self.tell(mount);
        };
        let what = match &mount.kind {
            MountKind::ReadOnly(host) | MountKind::Device(host) => Put::Bind(host.clone()),
            MountKind::Link(target) => Put::Link(target.clone()),
            MountKind::Folder | MountKind::Sealed => Put::Folder,
            MountKind::Memory(_) | MountKind::Writable(_) | MountKind::Processes => {
                self.ground(mount);
                Put::Folder
            }
        };
        self.walls.staged.push(Staged { to, what });
    }

    /// Something that others stand on. Memory in which nothing can be changed later is no more than a folder.
    fn ground(&mut self, mount: &'a PlannedMount) {
        let inside = mount.inside.as_path();
        if matches!(mount.kind, MountKind::Memory(_)) && self.sealed.contains(&inside) {
            self.lay("--dev-bind", inside, Put::Ground);
        } else {
            self.grounds.push(Ground { inside, place: None });
            self.tell(mount);
        }
    }

    /// Where something is put that is seen here, if what it stands on is put together beforehand.
    fn place_of(&self, inside: &Path) -> Option<PathBuf> {
        let below = self.grounds.iter().filter(|ground| inside.starts_with(ground.inside));
        let ground = below.max_by_key(|ground| ground.inside.components().count())?;
        let rest = inside.strip_prefix(ground.inside).ok().filter(|rest| !rest.as_os_str().is_empty())?;
        Some(ground.place.as_ref()?.join(rest))
    }

    /// Begins a part of the tree that bubblewrap puts there as a whole.
    fn lay(&mut self, word: &str, inside: &'a Path, what: Put) {
        let place = next(&mut self.places);
        self.walls.words.extend([word.to_owned(), text(&place), text(inside)]);
        self.walls.staged.push(Staged { to: place.clone(), what });
        self.grounds.push(Ground { inside, place: Some(place) });
    }

    /// Bubblewrap keeps what is sealed as it is, and makes the tree itself read-only.
    fn seal(&mut self, mount: &PlannedMount) {
        let ground = self.grounds.iter().find(|ground| ground.inside == mount.inside);
        match ground.and_then(|ground| ground.place.clone()) {
            Some(_) if mount.inside == Path::new("/") => {}
            Some(to) => self.walls.staged.push(Staged { to, what: Put::Seal }),
            None => self.tell(mount),
        }
    }

    /// Leaves one mount to bubblewrap; where its source cannot be walked to, that is put within reach first.
    fn tell(&mut self, mount: &PlannedMount) {
        let (staged, places) = (&mut self.walls.staged, &mut self.places);
        let said = words(&mount.kind, &mount.inside, |host| {
            if !mount.private {
                return text(host);
            }
            let to = next(places);
            staged.push(Staged { to: to.clone(), what: Put::Bind(host.to_owned()) });
            text(&to)
        });
        self.walls.words.extend(said);
    }
}

fn next(places: &mut usize) -> PathBuf {
    *places += 1;
    PathBuf::from(format!("/tmp/{places}"))
}

/// One mount, from a source that is named by `source`.
fn words(kind: &MountKind, inside: &Path, mut source: impl FnMut(&Path) -> String) -> Vec<String> {
    let inside = text(inside);
    let word = |text: &str| text.to_owned();
    match kind {
        MountKind::ReadOnly(host) => vec![word("--ro-bind"), source(host), inside],
        MountKind::Writable(host) => vec![word("--bind"), source(host), inside],
        MountKind::Device(host) => vec![word("--dev-bind"), source(host), inside],
        MountKind::Link(target) => vec![word("--symlink"), text(target), inside],
        MountKind::Memory(bytes) => vec![word("--size"), bytes.to_string(), word("--tmpfs"), inside],
        MountKind::Processes => vec![word("--proc"), inside],
        MountKind::Folder => vec![word("--dir"), inside],
        MountKind::Sealed => vec![word("--remount-ro"), inside],
    }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
