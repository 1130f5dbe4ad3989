//! Signing in, confirming, signing out, and where a person belongs.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        frame::{Frame, Person, Place},
        kept::Kept,
    },
};

/// The page that signs people in.
#[cfg(feature = "ssr")]
const LOGIN: &str = "/login";

/// The tenants that the signed-in person chooses from; with only one, the answer leads there.
#[server(prefix = "/console", endpoint = "home", output = Answer)]
pub(crate) async fn read_home() -> Result<Vec<Place>, Problem> {
    use super::ssr;
    let signed_in = ssr::signed_in("/")?;
    let session = governance::session::who(&ssr::governance(), &signed_in).await;
    let places = crate::view::frame::places(&ssr::answer(session)?);
    if let [only] = places.as_slice() {
        ssr::go(&only.start());
    }
    Ok(places)
}

/// Who is here, and where: what surrounds every page of a tenant.
#[server(prefix = "/console", endpoint = "frame", output = Answer)]
pub(crate) async fn read_frame(tenant: TenantId) -> Result<Frame, Problem> {
    use super::ssr;
    let signed_in = ssr::signed_in(&ssr::page())?;
    let session = governance::session::who(&ssr::governance(), &signed_in).await;
    let frame = Frame::of(&ssr::answer(session)?, tenant);
    let foreign = || ssr::refuse(&governance::error::foreign_tenant().into());
    let frame = frame.ok_or_else(foreign)?;
    let cx = ssr::human(tenant).await?;
    let open_alerts = ssr::answer(ssr::alert::open(&cx).await)?;
    let dead_deliveries = ssr::webhook::dead(&cx).await;
    Ok(Frame { open_alerts, dead_deliveries, ..frame })
}

/// The sign-in page: what was refused before. Whoever is signed in already is led on to `next`.
#[server(prefix = "/console", endpoint = "login", output = Answer)]
pub(crate) async fn read_login(next: String) -> Result<Option<Kept>, Problem> {
    use super::ssr;
    if ssr::parts().extensions.get::<governance::SignedIn>().is_some() {
        ssr::go(&next);
        return Ok(None);
    }
    Ok(ssr::refused(LOGIN))
}

/// Signs a person in and leads on to `next`.
#[server(prefix = "/console", endpoint = "log-in", output = Answer)]
pub(crate) async fn log_in(email: String, password: String, next: String) -> Result<(), Problem> {
    use super::ssr;
    let governance = ssr::governance();
    let body = contract::session::LogIn { email: email.clone(), password };
    let ip = ssr::client_ip();
    match governance::session::log_in(&governance, ip, body).await {
        Ok(signed_in) => {
            let session = ssr::session().ok_or_else(ssr::store_fault)?;
            ssr::answer(governance::session::begin(&session, &signed_in).await)?;
            ssr::go(&next);
        }
        Err(error) => {
            ssr::keep_refused(&ssr::refuse(&error), &email, LOGIN);
            ssr::go(&crate::text::url::with_query(LOGIN, &[("next", &next)]));
        }
    }
    Ok(())
}

/// Signs the person out.
#[server(prefix = "/console", endpoint = "log-out", output = Answer)]
pub(crate) async fn log_out() -> Result<(), Problem> {
    use super::ssr;
    if let Some(session) = ssr::session() {
        ssr::answer(governance::session::end(&session).await)?;
    }
    ssr::go("/login");
    Ok(())
}

/// The page that asks for the password again: who is asked, and what was refused before.
#[server(prefix = "/console", endpoint = "confirmation", output = Answer)]
pub(crate) async fn read_confirmation(next: String) -> Result<(Person, Option<Kept>), Problem> {
    use super::ssr;
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = ssr::signed_in(&page)?;
    let session = governance::session::who(&ssr::governance(), &signed_in).await;
    let person = Person::from(&ssr::answer(session)?);
    Ok((person, ssr::kept(&page).await))
}

/// Takes the password again and leads back to `next`.
#[server(prefix = "/console", endpoint = "confirm", output = Answer)]
pub(crate) async fn confirm(password: String, next: String) -> Result<(), Problem> {
    use super::ssr;
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = ssr::signed_in(&page)?;
    let body = contract::session::Confirm { password };
    let ip = ssr::client_ip();
    match governance::session::confirm(&ssr::governance(), &signed_in, ip, body).await {
        Ok(confirmed) => {
            let session = ssr::session().ok_or_else(ssr::store_fault)?;
            ssr::answer(governance::session::begin(&session, &confirmed).await)?;
            ssr::go(&next);
        }
        Err(error) => ssr::keep(ssr::refuse(&error), page, String::new()).await?,
    }
    Ok(())
}
