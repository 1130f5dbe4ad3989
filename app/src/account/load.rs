//! The time zone of the signed-in user's account.

use contract::error::{ErrorCode, FieldError};
use governance::{SignedIn, TimeZone, access::account};

use super::view::TimeZoneForm;
use crate::{
    problem::Problem,
    request::{correlation_id, fields, governance, redirect, set_errors, take_form, to_problem},
    text::{time, url},
};

/// Returns the form of the time zone, with the rejected input and its errors if there are any.
pub(crate) async fn time_zone_form() -> TimeZoneForm {
    let names = TimeZone::names().map(str::to_owned).collect();
    let (_, rejected) = take_form(url::TIME_ZONE).await;
    match rejected {
        Some(rejected) => TimeZoneForm { name: rejected.form, names, errors: rejected.errors },
        None => TimeZoneForm { name: time::zone().to_owned(), names, errors: Vec::new() },
    }
}

/// Changes the time zone and redirects to the account page.
pub(crate) async fn set_time_zone(signed_in: &SignedIn, name: String) -> Result<(), Problem> {
    let cx = governance().public(correlation_id());
    match account::set_time_zone(&cx, signed_in, &name).await {
        Ok(()) => {
            redirect(&url::with_query(url::ACCOUNT, &[("done", "time-zone")]));
            Ok(())
        }
        Err(error) => match fields(&error).or_else(|| forbidden(&error)) {
            Some(errors) => set_errors(url::TIME_ZONE.to_owned(), name, errors).await,
            None => Err(to_problem(&error)),
        },
    }
}

/// Returns the refusal of a session that may not change the account, for the field of the form.
fn forbidden(error: &governance::Error) -> Option<Vec<FieldError>> {
    let is_forbidden = error.code() == ErrorCode::Forbidden;
    is_forbidden.then(|| vec![FieldError::new("/time_zone", "forbidden", error.message())])
}
