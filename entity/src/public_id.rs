//! Where a public look-up must go.

use sea_orm::entity::prelude::*;

use crate::column::{Vocabulary, Word};

/// What a public id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicKind {
    /// A recorded decision.
    Decision,
    /// A chain of decisions.
    Chain,
    /// A hosted form.
    Form,
}

impl Vocabulary for PublicKind {
    const ALL: &'static [Self] = &[Self::Decision, Self::Chain, Self::Form];

    fn word(self) -> &'static str {
        match self {
            Self::Decision => "decision",
            Self::Chain => "chain",
            Self::Form => "form",
        }
    }
}

/// An id that a public path can name.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "public_ids")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Whose it is.
    pub tenant_id: Uuid,
    /// What it names.
    pub kind: Word<PublicKind>,
}

table!();
