//! Entities that a plan declares for itself.

use crate::catalog::Catalog;
use crate::entity::Entity;
use crate::lint::{Prose, check_entity};
use deed_canon::Pointer;
use deed_diag::{Diagnostic, Document, codes, quote};
use deed_model::EntitySchemaId;
use serde_json::Value;

/// Entities that a document declares, with all findings about them.
#[derive(Debug, Default)]
pub struct DeclaredEntities {
    /// The entities, as far as they can be read.
    pub entities: Vec<Entity>,
    /// Findings about them. With errors among these, the document is not to be used.
    pub findings: Vec<Diagnostic>,
}

/// Reads the entities that stand under a key of a document: JSON Schemas by entity id. They are held to the same lint as
/// those of a folder, except that their fields need no description. None may take the name of an entity of the catalogue.
pub fn declared_entities(catalog: &Catalog, document: &Document, key: &str) -> DeclaredEntities {
    let mut declared = DeclaredEntities::default();
    let schemas = document.value().get(key).and_then(Value::as_object);
    for (name, schema) in schemas.into_iter().flatten() {
        let at = Pointer::push(&format!("/{key}"), name);
        match read(catalog, name, schema) {
            Ok(entity) => {
                declared.findings.extend(check_entity(document, &at, &entity.id, Some(&entity), Prose::Ignored));
                declared.entities.push(entity);
            }
            Err(finding) => declared.findings.push((*finding).at(document.place(&at))),
        }
    }
    declared
}

fn read(catalog: &Catalog, name: &str, schema: &Value) -> Result<Entity, Box<Diagnostic>> {
    let id: EntitySchemaId = name.parse().map_err(|error| {
        let message = format!("{} does not name an entity: {error}", quote(name));
        Box::new(Diagnostic::error(codes::NAME_NOT_CANONICAL, message))
    })?;
    if id.is_generic() {
        let message =
            format!("{name} is in the domain of generic data, which is the catalogue's own", name = quote(name));
        let finding = Diagnostic::error(codes::CATALOG_NAME_TAKEN, message).help("name it with another domain");
        return Err(Box::new(finding));
    }
    if catalog.entity(name).is_some() {
        let message = format!("there is an entity {} already", quote(name));
        let help = format!("use it as it is (`deed catalog show {name}`), or give this one another name");
        return Err(Box::new(Diagnostic::error(codes::CATALOG_NAME_TAKEN, message).help(help)));
    }
    Entity::new(id, schema.clone()).map_err(|error| {
        Box::new(Diagnostic::error(codes::NOT_AN_ENTITY, format!("it has no canonical form: {error}")))
    })
}
