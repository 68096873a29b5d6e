//! The tables of the journal, and the rule for older and newer ones.
//!
//! `events` holds every chain: a row is a link. The chain under the empty name lists the runs: a link for each run
//! that was created and for each that was sealed, so that a run cannot go missing whole. `heads` notes the end of each
//! chain, so that one cannot be cut short unseen; it can be rebuilt from `events`. `small_blobs` holds bytes that are
//! too few for a file. Rows of `events` are never changed or removed, which triggers enforce. `listed` is an index over the
//! list of runs, so that finding a run costs the same however many others there are; it can be rebuilt from `events`,
//! and `verify` compares it with them.
//! A program refuses a format that it does not know, and a database with other objects than its format has. A later
//! format brings its own migration from each earlier one, and never changes a row of `events`.

use super::fault;
use deed_ports::{JournalExtent, StoreError, StoreErrorKind};
use rusqlite::Connection;

/// The format that this version reads and writes.
const FORMAT: i64 = 2;
/// The format before `listed`.
const WITHOUT_INDEX: i64 = 1;
/// The number of objects in that format: the first ones.
const OBJECTS_WITHOUT_INDEX: usize = 6;

const OBJECTS: [(&str, &str, &str); 8] = [
    (
        "table",
        "events",
        "CREATE TABLE events(run_id TEXT NOT NULL, seq INTEGER NOT NULL, prev TEXT, hash TEXT NOT NULL, \
         body TEXT NOT NULL, PRIMARY KEY (run_id, seq)) STRICT",
    ),
    (
        "table",
        "heads",
        "CREATE TABLE heads(run_id TEXT PRIMARY KEY, seq INTEGER NOT NULL, hash TEXT NOT NULL, stage TEXT NOT NULL) \
         STRICT, WITHOUT ROWID",
    ),
    ("table", "small_blobs", "CREATE TABLE small_blobs(sha256 TEXT PRIMARY KEY, bytes BLOB NOT NULL) STRICT"),
    (
        "trigger",
        "events_keep",
        "CREATE TRIGGER events_keep BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never removed'); END",
    ),
    (
        "trigger",
        "events_stay",
        "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END",
    ),
    (
        "trigger",
        "small_blobs_stay",
        "CREATE TRIGGER small_blobs_stay BEFORE UPDATE ON small_blobs \
         BEGIN SELECT RAISE(ABORT, 'bytes are never changed'); END",
    ),
    (
        "table",
        "listed",
        "CREATE TABLE listed(place INTEGER PRIMARY KEY, run_id TEXT NOT NULL UNIQUE, link INTEGER NOT NULL, \
         sealed INTEGER) STRICT",
    ),
    ("index", "listed_unsealed", "CREATE INDEX listed_unsealed ON listed(place) WHERE sealed IS NULL"),
];

/// The kind of a database, by its format.
pub(super) enum DatabaseKind {
    /// It has no objects.
    Empty,
    /// A journal that this version knows.
    Journal,
    /// A journal of the format before `listed`, which is migrated when it is opened.
    WithoutIndex,
}

impl DatabaseKind {
    /// The objects that such a database has.
    fn objects(&self) -> impl Iterator<Item = &'static (&'static str, &'static str, &'static str)> {
        let count = match self {
            Self::Empty => 0,
            Self::Journal => OBJECTS.len(),
            Self::WithoutIndex => OBJECTS_WITHOUT_INDEX,
        };
        OBJECTS.iter().take(count)
    }
}

/// Inspects a database, and refuses one that is neither a journal nor empty.
pub(super) fn inspect(conn: &Connection) -> Result<DatabaseKind, StoreError> {
    let found = format(conn)?;
    if matches!(found, DatabaseKind::Empty) {
        return Ok(found);
    }
    match difference(conn, &found).map_err(|e| fault::sql(&e))? {
        Some(changed) => Err(changed.refusal()),
        None => Ok(found),
    }
}

/// Reads the kind from the format alone; the tables are not compared.
pub(super) fn format(conn: &Connection) -> Result<DatabaseKind, StoreError> {
    let version: i64 = conn.query_row("PRAGMA user_version", [], |r| r.get(0)).map_err(|e| fault::sql(&e))?;
    let objects: i64 =
        conn.query_row("SELECT count(*) FROM sqlite_schema", [], |r| r.get(0)).map_err(|e| fault::sql(&e))?;
    match (version, objects) {
        (FORMAT, _) => Ok(DatabaseKind::Journal),
        (WITHOUT_INDEX, _) => Ok(DatabaseKind::WithoutIndex),
        (0, 0) => Ok(DatabaseKind::Empty),
        (0, _) => Err(fault::damaged("the database is not a journal of runs")),
        (found, _) => Err(unknown_format(found)),
    }
}

/// Creates the tables; the caller commits.
pub(super) fn create(conn: &Connection) -> rusqlite::Result<()> {
    make(conn, 0)
}

/// Adds the objects that the earlier format lacks, without rows; the caller fills them and commits.
pub(super) fn add_index(conn: &Connection) -> rusqlite::Result<()> {
    make(conn, OBJECTS_WITHOUT_INDEX)
}

fn make(conn: &Connection, from: usize) -> rusqlite::Result<()> {
    for (_, _, sql) in OBJECTS.iter().skip(from) {
        conn.execute(sql, [])?;
    }
    conn.pragma_update(None, "user_version", FORMAT)
}

/// The first object that is missing, changed or foreign. A foreign trigger would run inside our transactions.
pub(super) fn difference(conn: &Connection, format: &DatabaseKind) -> rusqlite::Result<Option<Difference>> {
    // The indexes that SQLite creates for primary keys have no SQL text.
    let mut statement = conn.prepare("SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL")?;
    let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let found: Vec<(String, String, String)> = rows.collect::<Result<_, _>>()?;
    for (kind, name, sql) in format.objects() {
        match found.iter().find(|(k, n, _)| k == kind && n == name) {
            Some((_, _, its)) if its == sql => {}
            Some(_) => {
                return Ok(Some(Difference::new(format!("the {kind} `{name}` was replaced by another"), RESTORE)));
            }
            None if *kind == "trigger" => {
                let fix = format!("put it back with sqlite3: `{sql}`");
                return Ok(Some(Difference::new(format!("the {kind} `{name}` is missing"), fix)));
            }
            None => return Ok(Some(Difference::new(format!("the {kind} `{name}` is missing"), RESTORE))),
        }
    }
    let foreign = found.iter().find(|(k, n, _)| !format.objects().any(|(kind, name, _)| k == kind && n == name));
    Ok(foreign.map(|(kind, name, _)| {
        let name = name.escape_debug();
        Difference::new(format!("it has an unexpected {kind} `{name}`"), TAKE_OUT)
    }))
}

const RESTORE: &str = "restore the folder from a backup";
const TAKE_OUT: &str = "remove it with sqlite3, or restore the folder from a backup";

/// An unexpected change of the tables, and its fix.
#[derive(Debug)]
pub(super) struct Difference {
    what: String,
    fix: String,
}

impl Difference {
    fn new(what: String, fix: impl Into<String>) -> Self {
        Self { what, fix: fix.into() }
    }

    /// The refusal to open the journal.
    pub(super) fn refusal(&self) -> StoreError {
        self.error("").help("check its events with `verify`, then restore the folder from a backup")
    }

    /// The result of verifying a journal whose links all hold.
    pub(super) fn beside(&self, sound: &JournalExtent) -> StoreError {
        let held = format!("every link of {} runs and {} events holds, but ", sound.runs, sound.events);
        self.error(&held).help(format!("{}; no event was changed, but the journal is not opened like this", self.fix))
    }

    fn error(&self, before: &str) -> StoreError {
        let message = format!("{before}the tables of the journal's database were altered: {}", self.what);
        StoreError::new(StoreErrorKind::Corrupt, message)
    }
}

fn unknown_format(found: i64) -> StoreError {
    let message = format!("the journal of runs has format {found}; this version reads {FORMAT}");
    StoreError::new(StoreErrorKind::Unavailable, message)
        .help("use the version of `deed` that created it, or a newer one; nothing in it was changed")
}
