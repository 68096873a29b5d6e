//! All adapters, by name.

use crate::adapter::{Adapter, Loss, Run};
use crate::tables::{aggregate, delimited_to_delimited, delimited_to_rows, join, rows_to_delimited, rows_to_rows};
use crate::{archives, objects, reports};

const CSV: &str = "table.csv";
const TSV: &str = "table.tsv";
const ROWS: &str = "table.json_rows";
#[cfg(feature = "parquet")]
const PARQUET: &str = "table.parquet";
const AGGREGATED: &str = "dataset.aggregated_rows";
const JOINED: &str = "dataset.joined_rows";
const JSON: &str = "object.json";
const YAML: &str = "object.yaml";

const READ_TYPES: &str = "the spelling of numbers and booleans, and the difference between an empty cell and none";
const WRITE_TYPES: &str = "types and the difference between null, absent and empty, which the row schema brings back";

/// Every adapter of this build.
pub fn adapters() -> &'static [Adapter] {
    ADAPTERS
}

/// The adapter of that name.
pub fn find(id: &str) -> Option<&'static Adapter> {
    ADAPTERS.iter().find(|adapter| adapter.id == id)
}

const fn one(
    id: &'static str,
    from: &'static [&'static str],
    to: &'static str,
    (loss, drops): (Loss, &'static str),
    run: Run,
) -> Adapter {
    Adapter { id, from, roles: &[], to, loss, drops, run }
}

static ADAPTERS: &[Adapter] = &[
    one("csv_to_json_rows.v1", &[CSV], ROWS, (Loss::Typed, READ_TYPES), delimited_to_rows::csv),
    one("tsv_to_json_rows.v1", &[TSV], ROWS, (Loss::Typed, READ_TYPES), delimited_to_rows::tsv),
    one("json_rows_to_csv.v1", &[ROWS], CSV, (Loss::Typed, WRITE_TYPES), rows_to_delimited::csv),
    one("json_rows_to_tsv.v1", &[ROWS], TSV, (Loss::Typed, WRITE_TYPES), rows_to_delimited::tsv),
    one("csv_to_tsv.v1", &[CSV], TSV, (Loss::None, ""), delimited_to_delimited::csv_to_tsv),
    one("tsv_to_csv.v1", &[TSV], CSV, (Loss::None, ""), delimited_to_delimited::tsv_to_csv),
    #[cfg(feature = "parquet")]
    one(
        "json_rows_to_parquet.v1",
        &[ROWS],
        PARQUET,
        (Loss::Typed, "the difference between null and absent, and digits of numbers beyond a double"),
        crate::tables::parquet::write::run,
    ),
    #[cfg(feature = "parquet")]
    one(
        "parquet_to_json_rows.v1",
        &[PARQUET],
        ROWS,
        (Loss::Typed, "widths of numbers, units of instants, row groups and metadata"),
        crate::tables::parquet::read::run,
    ),
    one("json_to_yaml.v1", &[JSON], YAML, (Loss::None, ""), objects::json_to_yaml::run),
    one("yaml_to_json.v1", &[YAML], JSON, (Loss::Typed, "comments, layout and styles"), objects::yaml_to_json::run),
    one(
        "markdown_to_html.v1",
        &["report.markdown"],
        "report.html",
        (Loss::Lossy, "the Markdown itself, HTML within it as HTML, addresses with schemes that are not allowed"),
        reports::markdown_to_html::run,
    ),
    one(
        "zip_to_batch_manifest.v1",
        &["file.archive.zip"],
        "file.batch_manifest",
        (Loss::Lossy, "the bytes of the entries, folders, times and modes"),
        archives::zip_to_manifest::run,
    ),
    one(
        "json_rows_to_aggregated_rows.v1",
        &[ROWS],
        AGGREGATED,
        (Loss::Lossy, "the single rows, and columns that are neither key nor measure"),
        aggregate::run,
    ),
    Adapter {
        roles: &["left", "right"],
        ..one(
            "joined_rows.v1",
            &[ROWS, ROWS],
            JOINED,
            (Loss::Lossy, "rows of the second table without a partner, and which table a column came from"),
            join::run,
        )
    },
    one("aggregated_rows_to_json_rows.v1", &[AGGREGATED], ROWS, (Loss::None, ""), rows_to_rows::run),
    one("joined_rows_to_json_rows.v1", &[JOINED], ROWS, (Loss::None, ""), rows_to_rows::run),
];
