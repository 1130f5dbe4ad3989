//! `OpenAPI` schemas that cannot be derived: strings for IDs and timestamps, and enumerations defined by
//! macros.

use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// Returns the schema of a string with a known format.
pub(crate) fn text(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(format)))
        .build()
        .into()
}

/// Implements the schema of an enumeration that a macro defines. `derive` does not see the `serde(rename)`
/// attributes of a macro and would use the names of the variants instead of the wire names.
macro_rules! enum_schema {
    ($name:ident, [$($word:literal),+]) => {
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::Type::String)
                    .enum_values(Some([$($word),+]))
                    .build()
                    .into()
            }
        }

        impl utoipa::ToSchema for $name {}
    };
}

pub(crate) use enum_schema;
