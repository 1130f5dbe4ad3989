//! `OpenAPI` schemas that cannot be derived: texts that stand for ids and instants, and enumerations made by macros.

use utoipa::openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, Type};

/// A text of a known format.
pub(crate) fn text(format: KnownFormat) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(format)))
        .build()
        .into()
}

/// The schema of an enumeration that a macro writes. `derive` would name its variants instead of its
/// words: it does not see a `serde(rename)` that a macro fills in.
macro_rules! words {
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

pub(crate) use words;
