//! `OpenAPI` schemas of the texts that stand for ids and instants.

use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// A text of a known format.
pub(crate) fn text(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(format)))
        .build()
        .into()
}
