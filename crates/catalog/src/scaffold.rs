//! The files of a new pack, ready to be filled in.

use crate::catalog::PackKind;

/// A new pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPack {
    /// Its kind.
    pub kind: PackKind,
    /// Its name.
    pub id: String,
    /// The domain of its entities.
    pub domain: String,
}

/// The files of a new pack, by name. Its lint says what is left to do.
pub fn scaffold(new: &NewPack) -> Vec<(String, String)> {
    let NewPack { kind, id, domain } = new;
    let rival = match kind {
        PackKind::Workflow => "normalize-transform",
        PackKind::Domain | PackKind::Generic => "data-merge-transform",
    };
    let sort = kind.as_str();
    let words = id.replace('-', " ");
    let pack = format!(
        "# A {sort} pack: what the compiler has to know of a class of work.
{sort}_pack_id: {id}
version: 1.0.0
# Which work it is for, in a sentence or two.
purpose: Work with {words}.
# Every entity has a JSON Schema in entities/<id>.json.
entity_schemas:
  - {domain}.record
# Phrases by which people ask for such work: at least three.
triggers:
  - {words}
# Where it ends and another pack begins.
disambiguation:
  - against: {rival}
    rule: This pack applies where the work is about {words}; the other one does not know them.
    terms: []
# Objectives as people write them: at least two.
example_goals:
  - Process the {words} of this month
# Other words for its terms.
synonyms:
  record: [entry]
# In which form entities travel between steps.
canonical_profiles:
  - profile_id: {domain}.table.json_rows.records.v1
    entity_schema_id: {domain}.record
    kind_key: table.json_rows
    slot: normalized_rows
    also_accepts: [table.csv, table.parquet]
typical_slots:
  inputs: [raw_files]
  outputs: [normalized_rows]
default_policy: strict.allow-normalizers.v1
"
    );
    let entity = format!(
        "{{
  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",
  \"$id\": \"urn:deed:entity:{domain}.record\",
  \"title\": \"Record\",
  \"description\": \"One record.\",
  \"type\": \"object\",
  \"properties\": {{
    \"record_id\": {{ \"type\": \"string\", \"minLength\": 1, \"description\": \"Identifies the record.\" }}
  }},
  \"required\": [\"record_id\"],
  \"additionalProperties\": false,
  \"x-deed-keys\": [[\"record_id\"]],
  \"x-deed-grain\": [\"record_id\"]
}}
"
    );
    vec![("pack.yaml".to_owned(), pack), (format!("entities/{domain}.record.json"), entity)]
}
