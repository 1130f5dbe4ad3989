//! The time zone in which pages show times to a user.

use chrono::{DateTime, Offset as _, TimeZone as _};
use chrono_tz::{OffsetName as _, TZ_VARIANTS, Tz};
use contract::time::Timestamp;
use entity::user as table;
use sea_orm::{ActiveValue::Set, ColumnTrait, QueryFilter, sea_query::ExprTrait};

use crate::{
    SignedIn,
    access::{audit_logs::AuditLogs, session},
    base::{
        audit_event::Event,
        caller::Person,
        cx::Cx,
        database::update_untenanted,
        error::{Result, invalid_field},
    },
};

/// A time zone of the IANA database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeZone(Tz);

/// The first parts of the names in [`TimeZone::names`].
const AREAS: [&str; 10] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Europe",
    "Indian",
    "Pacific",
];

impl TimeZone {
    /// The zone of accounts that have none.
    const UTC: Self = Self(Tz::UTC);

    /// Returns the zone with an IANA name such as `Europe/Berlin`, without regard to case.
    pub fn from_name(name: &str) -> Option<Self> {
        TZ_VARIANTS.iter().copied().find(|zone| zone.name().eq_ignore_ascii_case(name)).map(Self)
    }

    /// Returns the IANA name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// Returns the names of UTC and of all zones with an area and a place. [`Self::from_name`] also accepts
    /// other names of the database, such as `EST`.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let has_area =
            |name: &&str| name.split_once('/').is_some_and(|(area, _)| AREAS.contains(&area));
        let places = TZ_VARIANTS.iter().copied().map(Tz::name).filter(has_area);
        std::iter::once(Self::UTC.name()).chain(places)
    }

    /// Returns the time that clocks in the zone show at `at`, as the timestamp with these digits, and the name of
    /// the offset: an abbreviation such as `CET`, or `UTC-03:00` in zones without one.
    pub fn local(self, at: Timestamp) -> (Timestamp, String) {
        let utc = DateTime::from_timestamp_millis(at.millis()).unwrap_or_default().naive_utc();
        let offset = self.0.offset_from_utc_datetime(&utc);
        let fixed = offset.fix();
        let letters = |name: &&str| name.starts_with(|first: char| first.is_ascii_alphabetic());
        let name = offset.abbreviation().filter(letters);
        let name = name.map_or_else(|| format!("UTC{fixed}"), str::to_owned);
        (at.plus_millis(i64::from(fixed.local_minus_utc()) * 1_000), name)
    }
}

/// Changes the time zone of a signed-in user to the zone with an IANA name.
///
/// Each tenant of the user records an audit event. It has no details, because a time zone is personal data.
/// Without a change, nothing is recorded.
///
/// # Errors
/// `VALIDATION_ERROR` at `/time_zone` for an unknown name.
pub async fn set_time_zone(cx: &Cx, signed_in: &SignedIn, name: &str) -> Result<()> {
    let unknown = || invalid_field("/time_zone", "unknown", "is not the name of a time zone");
    let zone = TimeZone::from_name(name.trim()).ok_or_else(unknown)?;
    let governance = &cx.governance;
    let user_id = signed_in.user_id;
    let email = session::user(governance, user_id).await?.email;
    let cx = cx.with_person(Person { user_id, email });
    let logs = AuditLogs::of_user(governance, user_id).await?;
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
