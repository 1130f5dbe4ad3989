//! `OpenAPI` schemas that cannot be derived: strings for IDs and timestamps.

use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Returns the schema of a string with a known format.
pub(crate) fn string_with_format(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(format)))
        .build()
        .into()
}
