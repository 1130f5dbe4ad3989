//! Tokens that open forms; of each only its digest.

use sea_orm::entity::prelude::*;

/// A token of a form.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "form_tokens")]
pub struct Model {
    /// Its tenant.
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// The form that it opens.
    pub form_id: Uuid,
    /// HMAC-SHA-256 of the token under the pepper.
    pub digest: Vec<u8>,
    /// How many submissions it is good for; without end when absent.
    pub max_uses: Option<i32>,
    /// How many it was used for.
    pub uses: i32,
    /// When it ends.
    pub expires_at: Option<DateTimeUtc>,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// By whom.
    pub created_by: Option<String>,
    /// When it was revoked.
    pub revoked_at: Option<DateTimeUtc>,
}

table!(TenantOwned, Identified);
