//! People. They belong to no tenant of their own; `member` says where they act.

use sea_orm::entity::prelude::*;

/// A person.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    /// The id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The address to sign in with, in lower case.
    pub email: String,
    /// The name to show.
    pub display_name: String,
    /// argon2id, in PHC form; absent until the person has set one.
    pub password_hash: Option<String>,
    /// Sessions from before are void.
    pub password_changed_at: Option<DateTimeUtc>,
    /// How often the password was changed; a session with another number is void.
    pub password_generation: i64,
    /// When it was made.
    pub created_at: DateTimeUtc,
    /// The tenant that made the account; absent for one that the operator made.
    pub setup_tenant_id: Option<Uuid>,
    /// The one tenant that may use the account; absent once the address is proven.
    pub confined_tenant_id: Option<Uuid>,
}

table!();
