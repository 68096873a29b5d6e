//! The tables and indexes, and the rule for older and newer ones.
//!
//! `events` is the log: a row is a link of the hash chain. `head` is its end, and can be rebuilt from it.
//! The events of a pack, an environment or a key are found by indexes over the events' own text: SQLite maintains
//! them, so there is no table beside the log that could be edited to say something else. A registry has
//! exactly these objects; anything missing, changed or added is refused when it is opened.
//! A program refuses a format that it does not know. A later format brings its own migration from each
//! earlier one, and never changes a row of `events`.

use crate::error::{DATABASE, RegistryError};
use deed_diag::{Code, Diagnostic, Place, codes};
use rusqlite::{Connection, OptionalExtension};

/// The format that this version reads and writes.
const FORMAT: i64 = 2;

/// A field of an event as SQLite reads it.
macro_rules! field {
    ($name:literal) => {
        concat!("json_extract(body,'$.event.", $name, "')")
    };
}

/// The kind of an event.
pub(crate) const KIND: &str = field!("kind");
/// The name of an archive.
pub(crate) const NAME: &str = field!("name");
/// `<pack id>@<version>`.
pub(crate) const PACK_REF: &str = field!("pack_ref");
/// 1 for a pin. A version that was pinned a thousand times is found without reading its pins.
pub(crate) const IS_PIN: &str = concat!("(", field!("kind"), "='pack_pinned')");
/// The environment that a pin is for.
pub(crate) const ENVIRONMENT: &str = field!("environment");
/// The pack's id alone.
pub(crate) const PACK_ID: &str = concat!("substr(", field!("pack_ref"), ",1,instr(", field!("pack_ref"), ",'@')-1)");
/// The tenant that a pin or a publication is for.
pub(crate) const TENANT: &str = field!("tenant_id");
/// The key that was trusted or revoked; not the one that a review or signature was made with.
pub(crate) const KEY: &str = concat!(
    "CASE ",
    field!("kind"),
    " WHEN 'key_trusted' THEN ",
    field!("key.key_id"),
    " WHEN 'key_revoked' THEN ",
    field!("key_id"),
    " END"
);
/// The key that another one took over from.
pub(crate) const REPLACED_KEY: &str =
    concat!("CASE ", field!("kind"), " WHEN 'key_trusted' THEN ", field!("replaces"), " END");

/// An object that a registry's database consists of.
struct Object {
    kind: &'static str,
    name: &'static str,
    sql: String,
    /// The code of the finding if it is missing or changed.
    code: Code,
}

fn table(name: &'static str, columns: &str) -> Object {
    Object { kind: "table", name, sql: format!("CREATE TABLE {name}({columns}) STRICT"), code: codes::DATABASE_DAMAGED }
}

fn index(name: &'static str, expressions: &[&str]) -> Object {
    let sql = format!("CREATE INDEX {name} ON events({})", expressions.join(", "));
    Object { kind: "index", name, sql, code: codes::INDEX_DISAGREES }
}

fn objects() -> [Object; 7] {
    [
        table("meta", "id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL"),
        table("events", "seq INTEGER PRIMARY KEY, prev TEXT, hash TEXT NOT NULL, body TEXT NOT NULL"),
        table("head", "id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL"),
        index("events_by_pack", &[PACK_REF, IS_PIN]),
        index("events_by_environment", &[ENVIRONMENT, PACK_ID, TENANT]),
        index("events_by_key", &[KEY]),
        index("events_by_replaced_key", &[REPLACED_KEY]),
    ]
}

/// Returns whether the tables exist.
pub(crate) fn exists(conn: &Connection) -> Result<bool, RegistryError> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'meta'";
    Ok(conn.query_row(sql, [], |_| Ok(())).optional()?.is_some())
}

/// Creates the tables and indexes; the caller commits.
pub(crate) fn create(conn: &Connection) -> Result<(), RegistryError> {
    for object in objects() {
        conn.execute(&object.sql, [])?;
    }
    conn.execute("INSERT INTO meta(id, format) VALUES (1, ?1)", [FORMAT])?;
    Ok(())
}

/// Refuses a database that is not a registry of a known format, or has other tables or indexes than its format.
pub(crate) fn check(conn: &Connection) -> Result<(), RegistryError> {
    if !exists(conn)? {
        return Err(not_a_registry(Place::file(DATABASE)));
    }
    let format: Option<i64> = conn.query_row("SELECT format FROM meta WHERE id = 1", [], |r| r.get(0)).optional()?;
    match format {
        Some(FORMAT) => {}
        None => return Err(not_a_registry(Place::file(DATABASE))),
        Some(found) => return Err(unknown_format(found)),
    }
    differences(conn)?.into_iter().next().map_or(Ok(()), |found| Err(RegistryError::environment(found)))
}

/// Returns a finding for each object that is missing, changed or foreign. A trigger or a view would run inside our
/// transactions; an index with another definition would answer another question.
pub(crate) fn differences(conn: &Connection) -> Result<Vec<Diagnostic>, RegistryError> {
    let mut statement = conn.prepare_cached("SELECT type, name, coalesce(sql, '') FROM sqlite_schema")?;
    let rows = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)))?;
    let mut found: Vec<(String, String, String)> = rows.collect::<Result<_, _>>()?;
    let mut findings = Vec::new();
    for Object { kind, name, sql, code } in objects() {
        // A trigger can have the name of a table, so the kind counts too.
        match found.iter().position(|(k, n, _)| k == kind && n == name).map(|at| found.swap_remove(at)) {
            Some((_, _, its)) if its == sql => {}
            Some(_) => findings.push(difference(code, format!("the {kind} `{name}` was replaced by another"))),
            None => findings.push(difference(code, format!("the {kind} `{name}` is missing"))),
        }
    }
    findings.extend(found.into_iter().map(|(kind, name, _)| {
        let message = format!("the registry's database has an unexpected {kind} `{name}`");
        difference(codes::DATABASE_DAMAGED, message)
    }));
    Ok(findings)
}

fn difference(code: Code, message: String) -> Diagnostic {
    Diagnostic::error(code, message)
        .stage("registry")
        .at(Place::file(DATABASE))
        .help("restore the registry from a backup: another program changed the database")
}

fn unknown_format(found: i64) -> RegistryError {
    let help = if found < FORMAT {
        "use the earlier version of `deed` that created it; this version cannot read it"
    } else {
        "use the version of `deed` that created it, or a newer one"
    };
    RegistryError::environment(
        Diagnostic::error(
            codes::UNKNOWN_REGISTRY_FORMAT,
            format!("the registry has format {found}; this version reads {FORMAT}"),
        )
        .at(Place::file(DATABASE))
        .help(help),
    )
}

/// The error for a folder without a registry.
pub(crate) fn not_a_registry(place: Place) -> RegistryError {
    RegistryError::environment(
        Diagnostic::error(codes::NOT_A_REGISTRY, "there is no registry here")
            .at(place)
            .help("create one with `deed init`, or name the folder of an existing one"),
    )
}
