//! The change of a user's time zone.

use entity::user as table;
use sea_orm::sea_query::ExprTrait;

use crate::{
    SignedIn,
    access::{session, time_zone::TimeZone},
    base::prelude::*,
};

/// Changes the time zone of a signed-in user to the zone with an IANA name.
///
/// Each tenant of the user records an audit event. It has no details, because a time zone is personal data.
/// Without a change, nothing is recorded.
///
/// # Errors
/// `VALIDATION_ERROR` at `/time_zone` for an unknown name; `FORBIDDEN` for a session of an identity provider and an account
/// that other tenants share.
pub async fn set_time_zone(cx: &Cx, signed_in: &SignedIn, name: &str) -> Result<()> {
    let unknown = || invalid_field("/time_zone", "unknown", "is not the name of a time zone");
    let zone = TimeZone::from_name(name.trim()).ok_or_else(unknown)?;
    let governance = &cx.governance;
    let user_id = signed_in.user_id;
    let account = session::user(governance, user_id).await?;
    signed_in.require_whole_account(&account)?;
    let cx = cx.with_person(Person { user_id, email: account.email });
    let logs = signed_in.audit_logs(governance).await?;
    let tx = logs.begin(&cx).await?;
    let name = (zone != TimeZone::UTC).then(|| zone.name().to_owned());
    let column = table::Column::TimeZone;
    let is_other = match &name {
        Some(name) => column.is_null().or(column.ne(name.as_str())),
        None => column.is_not_null(),
    };
    let changes = table::ActiveModel { time_zone: Set(name), ..Default::default() };
    let update = update_untenanted::<table::Entity>().set(changes);
    let update = update.filter(table::Column::UserId.eq(user_id.0)).filter(is_other);
    let is_changed = update.exec(tx.connection()).await?.rows_affected > 0;
    let event = is_changed.then(|| Event::new("user.change_time_zone", "user", user_id));
    logs.commit(tx, &cx, event.as_slice()).await
}
