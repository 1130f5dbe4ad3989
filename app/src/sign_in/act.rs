//! Sign-in, reauthentication, sign-out and tenant memberships.

use leptos::prelude::server;

use crate::{
    codec::JsonCodec,
    problem::Problem,
    sign_in::view::{Confirmation, LoginContent},
};
#[cfg(feature = "ssr")]
use crate::{sign_in::view::ProviderLink, text::url::LOGIN};

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

/// Returns why the last sign-in was rejected, and the identity providers of `tenant`, or of the tenant of the last
/// sign-in in this browser. A user who is already signed in is redirected to `next`, unless the page shows a `problem`.
#[server(prefix = "/console", endpoint = "login", output = JsonCodec)]
pub(crate) async fn read_login(
    next: String,
    tenant: String,
    #[server(default)] problem: String,
) -> Result<LoginContent, Problem> {
    use crate::request;
    use governance::access::oidc;
    let is_signed_in = request::parts().extensions.get::<governance::SignedIn>().is_some();
    if is_signed_in && problem.is_empty() {
        request::redirect(&next);
        return Ok(LoginContent { rejected: None, providers: Vec::new() });
    }
    let tenant = Some(tenant).filter(|tenant| !tenant.is_empty()).or_else(request::last_tenant);
    let providers = match tenant.and_then(|tenant| tenant.parse().ok()) {
        Some(tenant) => {
            let governance = request::governance();
            request::into_problem(oidc::providers(&governance, tenant).await)?
        }
        None => Vec::new(),
    };
    let link = |provider: oidc::SignInProvider| ProviderLink {
        name: provider.name,
        address: crate::text::url::with_query(&provider.path.sign_in(), &[("next", &next)]),
    };
    let providers = providers.into_iter().map(link).collect();
    Ok(LoginContent { rejected: request::take_rejected_cookie(LOGIN), providers })
}

/// Signs a user in and redirects to `next`, or to the page of the second factor. The sign-in dialog of a page gets the error
/// of a failed sign-in as the response, also if the account has a second factor.
#[server(prefix = "/console", endpoint = "log-in", output = JsonCodec)]
pub(crate) async fn log_in(email: String, password: String, next: String) -> Result<(), Problem> {
    use crate::request;
    use governance::access::session::SignIn;
    let governance = request::governance();
    let body = contract::session::SignInRequest { email: email.clone(), password };
    let client = request::client();
    let signed_in = governance::access::sign_in::sign_in(&governance, &client, body).await;
    let session = request::session().ok_or_else(request::write_error)?;
    let result = match signed_in {
        Ok(SignIn::Complete(signed_in)) => {
            governance::access::session::start(&session, &signed_in, &client).await
        }
        Ok(SignIn::Pending(pending)) => {
            request::into_problem(
                governance::access::session::start_pending(&session, &pending).await,
            )?;
            if !request::wants_page() {
                return Err(request::second_factor_missing(pending.methods()));
            }
            request::redirect(&crate::text::url::with_query(
                crate::text::url::SECOND_FACTOR,
                &[("next", &next)],
            ));
            return Ok(());
        }
        Err(error) => Err(error),
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

/// Signs the user out and redirects to the sign-in page, or to the sign-out of the identity provider that signed the user
/// in.
#[server(prefix = "/console", endpoint = "log-out", output = JsonCodec)]
pub(crate) async fn log_out() -> Result<(), Problem> {
    use crate::request;
    let parts = request::parts();
    let signed_in = parts.extensions.get::<governance::SignedIn>();
    if signed_in.is_some_and(|signed_in| signed_in.provider.is_some()) {
        request::redirect(crate::text::url::SIGN_OUT_AT_PROVIDER);
        return Ok(());
    }
    if let Some(session) = request::session() {
        request::into_problem(
            governance::access::session::destroy(&request::governance(), &session).await,
        )?;
    }
    request::delete_sign_ins();
    request::redirect(LOGIN);
    Ok(())
}

/// Returns the signed-in user, the second factors of the account, why the last reauthentication was rejected, and the
/// identity provider that signed the user in, for the page that asks to sign in again.
#[server(prefix = "/console", endpoint = "confirmation", output = JsonCodec)]
pub(crate) async fn read_confirmation(next: String) -> Result<Confirmation, Problem> {
    use crate::{frame::view::Person, request, second_factor::view::Factors};
    use governance::access::{oidc, second_factor};
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = request::signed_in(&page)?;
    let session =
        governance::access::session::session_info(&request::governance(), &signed_in).await;
    let person = Person::from(&request::into_problem(session)?);
    let provider = match signed_in.provider {
        Some(provider) => {
            let name = oidc::name(&request::governance(), provider).await;
            let path =
                oidc::ProviderPath { tenant: provider.tenant_id, provider: provider.provider_id };
            let query = [("fresh", "1"), ("next", next.as_str())];
            let address = crate::text::url::with_query(&path.sign_in(), &query);
            Some(ProviderLink { name: request::into_problem(name)?, address })
        }
        None => None,
    };
    let factors = if provider.is_some() {
        Factors::default()
    } else {
        let kinds = second_factor::methods(&request::governance(), &signed_in).await;
        Factors::of(&request::into_problem(kinds)?)
    };
    Ok(Confirmation { person, factors, rejected: request::take_rejected(&page).await, provider })
}

/// Reauthenticates the user and redirects to `next`: with the password, and with a code if the account has a second
/// factor; or with a passkey.
#[server(prefix = "/console", endpoint = "confirm", output = JsonCodec)]
pub(crate) async fn confirm(
    #[server(default)] password: String,
    #[server(default)] code: String,
    #[server(default)] credential: String,
    next: String,
) -> Result<(), Problem> {
    use crate::{request, second_factor::view::UsedFactor};
    let page = crate::text::url::with_query("/login/confirm", &[("next", &next)]);
    let signed_in = request::signed_in(&page)?;
    // Only the form of the passkey has no password.
    let used = if password.is_empty() { UsedFactor::Passkey } else { UsedFactor::Code };
    let form = crate::second_factor::load::Reauthentication { password, code, credential };
    match crate::second_factor::load::confirm(&signed_in, form).await {
        Ok(()) => {
            request::redirect(&next);
            Ok(())
        }
        Err(problem) => request::set_rejected(problem, page, used.word().to_owned()).await,
    }
}
