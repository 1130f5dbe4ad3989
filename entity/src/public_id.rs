//! The tenant of each public ID, readable before the tenant of a request is known.

use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

contract::named_enum! {
    /// The kind of object that a public ID identifies.
    pub enum PublicKind {
        Decision = "decision",
        Chain = "chain",
        Form = "form",
    }
}

table! {
    /// An ID that can be used in a public path.
    "public_ids" [id: Uuid] {
        pub tenant_id: Uuid,
        pub kind: TextEnum<PublicKind>,
    }
}
