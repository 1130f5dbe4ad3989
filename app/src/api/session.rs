//! Signing in, confirming, signing out, and where a person belongs.

use contract::id::TenantId;
use leptos::prelude::server;

use super::codec::Answer;
use crate::{
    problem::Problem,
    view::{
        frame::{Frame, Person, Place},
        invitation::Invitation,
        kept::Kept,
    },
};

/// The page that signs people in.
#[cfg(feature = "ssr")]
const LOGIN: &str = "/login";

/// The tenants that the signed-in person chooses from, and those that have invited the person; with only one
/// and no invitation, the answer redirects there.
#[server(prefix = "/console", endpoint = "home", output = Answer)]
pub(crate) async fn read_home() -> Result<(Vec<Place>, Vec<Invitation>), Problem> {
    use super::ssr;
    let signed_in = ssr::signed_in("/")?;
    let session = governance::session::who(&ssr::governance(), &signed_in).await;
    let places = crate::view::frame::places(&ssr::answer(session)?);
    let invitations = ssr::invitations(&signed_in).await?;
    if let ([only], []) = (places.as_slice(), invitations.as_slice()) {
        ssr::go(&only.start());
    }
    Ok((places, invitations))
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
    let client = ssr::client();
    let signed_in = governance::session::log_in(&governance, &client, body).await;
    let begun = match (signed_in, ssr::session()) {
        (Ok(signed_in), Some(session)) => {
            governance::session::begin(&session, &signed_in, &client).await
        }
        (Ok(_), None) => return Err(ssr::store_fault()),
        (Err(error), _) => Err(error),
    };
    match begun {
        Ok(()) => ssr::go(&next),
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
        ssr::answer(governance::session::end(&ssr::governance(), &session).await)?;
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
    let client = ssr::client();
    match governance::session::confirm(&ssr::governance(), &signed_in, &client, body).await {
        Ok(confirmed) => {
            let session = ssr::session().ok_or_else(ssr::store_fault)?;
            ssr::answer(governance::session::renew(&session, &confirmed).await)?;
            ssr::go(&next);
        }
        Err(error) => ssr::keep(ssr::refuse(&error), page, String::new()).await?,
    }
    Ok(())
}
