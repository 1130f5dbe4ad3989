//! The tenant of each public ID, readable before the tenant of a request is known.

use contract::string_enum::StringEnum;
use sea_orm::entity::prelude::*;

use crate::column::TextEnum;

/// The kind of object that a public ID identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicKind {
    Decision,
    Chain,
    Form,
}

impl StringEnum for PublicKind {
    const ALL: &'static [Self] = &[Self::Decision, Self::Chain, Self::Form];
    const NAMES: &'static [&'static str] = &["decision", "chain", "form"];

    fn as_str(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Chain => "chain",
            Self::Form => "form",
        }
    }
}

/// An ID that can be used in a public path.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "public_ids")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub tenant_id: Uuid,
    pub kind: TextEnum<PublicKind>,
}

table!();
