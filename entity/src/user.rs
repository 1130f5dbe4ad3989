//! User accounts. They belong to no tenant; `member` connects users to tenants.

use contract::session::User;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "users")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub user_id: Uuid,
    /// The sign-in address in lower case.
    pub email: String,
    pub display_name: String,
    /// argon2id in PHC form; absent until the user has chosen a password.
    pub password_hash: Option<String>,
    /// Sessions from before this time are invalid.
    pub password_changed_at: Option<DateTimeUtc>,
    /// The number of password changes. Sessions of other generations are invalid.
    pub password_generation: i64,
    pub created_at: DateTimeUtc,
    /// The tenant that created the account; absent for accounts created by an operator.
    pub setup_tenant_id: Option<Uuid>,
    /// The only tenant that can use the account; absent once the address is proven.
    pub confined_tenant_id: Option<Uuid>,
    /// The IANA name of the zone of times on pages; absent for UTC.
    pub time_zone: Option<String>,
}

table!();

impl From<Model> for User {
    fn from(row: Model) -> Self {
        Self { id: row.user_id.into(), email: row.email, display_name: row.display_name }
    }
}
