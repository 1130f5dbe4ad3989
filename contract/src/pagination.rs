//! Pagination of lists with opaque cursors.

use serde::{Deserialize, Serialize};

/// The default number of items per page.
pub const LIMIT_DEFAULT: u32 = 50;

/// The maximum number of items per page.
pub const LIMIT_MAX: u32 = 200;

/// A page of a list, newest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Page<T> {
    /// The items of the page.
    pub items: Vec<T>,
    /// The cursor of the next page; `null` on the last page.
    pub next_cursor: Option<String>,
}

impl<T> Page<T> {
    /// Returns the page with each item converted by `convert`.
    pub fn map<U>(self, convert: impl FnMut(T) -> U) -> Page<U> {
        Page { items: self.items.into_iter().map(convert).collect(), next_cursor: self.next_cursor }
    }
}

/// The schema names the items by their component. The derived one would contain them.
#[cfg(feature = "openapi")]
mod schema {
    use std::borrow::Cow;

    use utoipa::{
        PartialSchema, ToSchema,
        openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema, Type, schema::SchemaType},
    };

    use super::Page;

    impl<T: ToSchema> PartialSchema for Page<T> {
        fn schema() -> RefOr<Schema> {
            let items = ArrayBuilder::new()
                .description(Some("The items of the page."))
                .items(Ref::from_schema_name(T::name()));
            let next_cursor = ObjectBuilder::new()
                .description(Some("The cursor of the next page; `null` on the last page."))
                .schema_type(SchemaType::from_iter([Type::String, Type::Null]));
            let page = ObjectBuilder::new().description(Some("A page of a list, newest first."));
            let page = page.property("items", items).required("items");
            page.property("next_cursor", next_cursor).into()
        }
    }

    impl<T: ToSchema> ToSchema for Page<T> {
        fn name() -> Cow<'static, str> {
            format!("Page_{}", T::name()).into()
        }

        fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
            schemas.push((T::name().into_owned(), T::schema()));
            T::schemas(schemas);
        }
    }
}
