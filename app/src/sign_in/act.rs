//! Sign-in, reauthentication, sign-out and tenant memberships.

use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    flash::RejectedForm,
    frame::view::{Person, TenantMembership},
    invitation::view::Invitation,
    problem::Problem,
};

#[cfg(feature = "ssr")]
const LOGIN: &str = "/login";

/// Returns the tenants of the signed-in user and the tenants that have invited the user. If there is exactly
/// one tenant and no invitation, it also redirects to that tenant.
#[server(prefix = "/console", endpoint = "home", output = JsonCodec)]
pub(crate) async fn read_home() -> Result<(Vec<TenantMembership>, Vec<Invitation>), Problem> {
    use crate::request;
    let signed_in = request::signed_in("/")?;
    let session =
        governance::access::session::session_info(&request::governance(), &signed_in).await;
    let memberships = crate::frame::view::memberships(&request::into_problem(session)?);
    let invitations = request::invitations(&signed_in).await?;
    if let ([only], []) = (memberships.as_slice(), invitations.as_slice()) {
        request::redirect(&only.start());
    }
    Ok((memberships, invitations))
}

/// Returns the data that surrounds every page of a tenant: the user, the tenant and its counters.
#[cfg(feature = "ssr")]
pub(crate) async fn read_frame(
    tenant: contract::id::TenantId,
) -> Result<crate::frame::view::Frame, Problem> {
    use crate::frame::view::Frame;
    use crate::request;
    let signed_in = request::signed_in(&request::current_page())?;
    let tenants = request::user_tenants(&signed_in).await?;
    let time = request::session_time(&signed_in);
    let frame = Frame::of(tenants.session(), time, tenant);
    let mismatch = || request::to_problem(&governance::base::error::tenant_mismatch().into());
    let frame = frame.ok_or_else(mismatch)?;
    let cx = request::human(tenant).await?;
    let counts = request::navigation_counts(&cx).await;
    Ok(Frame {
        inbox: counts.actionable_since.len() as u64,
        open_alerts: counts.open_alerts,
        dead_deliveries: counts.dead_deliveries.unwrap_or_default(),
        ..frame
    })
}

/// Returns why the last sign-in was rejected. A user who is already signed in is redirected to `next`.
#[server(prefix = "/console", endpoint = "login", output = JsonCodec)]
pub(crate) async fn read_login(next: String) -> Result<Option<RejectedForm>, Problem> {
    use crate::request;
    if request::parts().extensions.get::<governance::SignedIn>().is_some() {
        request::redirect(&next);
        return Ok(None);
    }
    Ok(request::take_rejected_cookie(LOGIN))
}

/// Signs a user in and redirects to `next`. The sign-in dialog of a page gets the error of a failed sign-in as the
/// response.
#[server(prefix = "/console", endpoint = "log-in", output = JsonCodec)]
pub(crate) async fn log_in(email: String, password: String, next: String) -> Result<(), Problem> {
    use crate::request;
    let governance = request::governance();
    let body = contract::session::SignInRequest { email: email.clone(), password };
    let client = request::client();
    let signed_in = governance::access::session::sign_in(&governance, &client, body).await;
    let result = match (signed_in, request::session()) {
        (Ok(signed_in), Some(session)) => {
            governance::access::session::start(&session, &signed_in, &client).await
        }
        (Ok(_), None) => return Err(request::write_error()),
        (Err(error), _) => Err(error),
    };
    match result {
        Ok(()) => request::redirect(&next),
        Err(error) => {
            let problem = request::to_problem(&error);
            if !request::wants_page() {
                return Err(problem);
            }
            request::set_rejected_cookie(&problem, &email, LOGIN);
            request::redirect(&crate::text::url::with_query(LOGIN, &[("next", &next)]));
        }
    }
    Ok(())
}

/// Extends the session, as every request does, and redirects to the current page.
#[server(prefix = "/console", endpoint = "stay-signed-in", output = JsonCodec)]
pub(crate) async fn stay_signed_in() -> Result<(), Problem> {
    use crate::request;
    let page = request::current_page();
    request::signed_in(&page)?;
    request::redirect(&page);
    Ok(())
}

/// Signs the user out and redirects to the sign-in page.
#[server(prefix = "/console", endpoint = "log-out", output = JsonCodec)]
pub(crate) async fn log_out() -> Result<(), Problem> {
    use crate::request;
    if let Some(session) = request::session() {
        request::into_problem(
            governance::access::session::destroy(&request::governance(), &session).await,
        )?;
    }
    request::redirect("/login");
    Ok(())
}

/// Returns the signed-in user and why the last reauthentication was rejected, for the page that asks for the
/// password again.
#[server(prefix = "/console", endpoint = "confirmation", output = JsonCodec)]
pub(crate) async fn read_confirmation(
    next: String,
) -> Result<(Person, Option<RejectedForm>), Problem> {
    use crate::request;
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = request::signed_in(&page)?;
    let session =
        governance::access::session::session_info(&request::governance(), &signed_in).await;
    let person = Person::from(&request::into_problem(session)?);
    Ok((person, request::take_rejected(&page).await))
}

/// Reauthenticates the user with the password and redirects to `next`.
#[server(prefix = "/console", endpoint = "confirm", output = JsonCodec)]
pub(crate) async fn confirm(password: String, next: String) -> Result<(), Problem> {
    use crate::request;
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = request::signed_in(&page)?;
    let body = contract::session::ReauthenticationRequest { password };
    let client = request::client();
    match governance::access::session::confirm(&request::governance(), &signed_in, &client, body)
        .await
    {
        Ok(confirmed) => {
            let session = request::session().ok_or_else(request::write_error)?;
            request::into_problem(governance::access::session::renew(&session, &confirmed).await)?;
            request::redirect(&next);
        }
        Err(error) => {
            request::set_rejected(request::to_problem(&error), page, String::new()).await?;
        }
    }
    Ok(())
}
