//! The mails that people and API keys have caused, and that accounts have received, within an hour.

use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail_counts")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub tenant_id: Uuid,
    /// The kind of mail, and whether the subject caused or received it.
    #[sea_orm(primary_key, auto_increment = false)]
    pub kind: String,
    /// The ID of the person, the API key or the account.
    #[sea_orm(primary_key, auto_increment = false)]
    pub subject: Uuid,
    /// The beginning of the hour.
    pub started_at: DateTimeUtc,
    pub mails: i32,
}

table!(TenantOwned);
