//! Invitations to tenants, as shown to the invited user. The mailed link opens the page.

use contract::member::PendingInvitation;
use governance::access::account::invitation;
use page_kit::prelude::*;

use crate::frame::view::TenantMembership;

/// `/invitations`
pub(crate) async fn invitations() -> PageResult {
    let content = page::or_problem(content().await);
    Ok(any_view! {
        <PublicFrame width="reading">
            <Heading title="Invitations" />
            {content}
        </PublicFrame>
    })
}

async fn content() -> PageResult {
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let invitations = request::invitations(&signed_in).await?;
    let rejected = request::take_rejected(url::INVITATIONS).await;
    let rejected =
        rejected.map(|rejected| note(Tone::Deny, Some("alert"), summary(&rejected.problem)));
    let list = if invitations.is_empty() {
        let text = "Invitations of tenants appear here until you respond.";
        empty_state("No pending invitations", text)
    } else {
        any_view! { <section class="card stack">{rows(invitations)}</section> }
    };
    Ok(any_view! {
        {rejected}
        {list}
        <p>
            <a href="/">"Your tenants"</a>
        </p>
    })
}

/// Renders a card with one row per invitation and its heading, or nothing if there is none.
pub(crate) fn card(invitations: Vec<PendingInvitation>) -> Option<AnyView> {
    (!invitations.is_empty()).then(|| {
        any_view! {
            <section class="card stack">
                <h2>"Invitations"</h2>
                {rows(invitations)}
            </section>
        }
    })
}

/// Renders one row per invitation, with buttons to accept and to decline.
fn rows(invitations: Vec<PendingInvitation>) -> AnyView {
    let row = |invitation: PendingInvitation| {
        let tenant = invitation.tenant_id.to_string();
        let label = |act| format!("{act} the invitation of {}", isolated(&invitation.tenant_name));
        let (accept, decline) = (label("Accept"), label("Decline"));
        view! {
            <dt>
                <bdi class="font-semibold">{invitation.tenant_name}</bdi>
            </dt>
            <dd class="row">
                <span>{messages::role(invitation.role)}</span>
                <span class="text-muted">
                    "Invited " {minute_by(invitation.created_at, invitation.invited_by)}
                </span>
                <form method="post" action=AcceptInvitation::url() data-once="">
                    <input type="hidden" name="tenant" value=tenant.clone() />
                    <button class="primary" aria-label=accept>
                        "Accept"
                    </button>
                </form>
                <form method="post" action=DeclineInvitation::url() data-once="">
                    <input type="hidden" name="tenant" value=tenant />
                    <button aria-label=decline>"Decline"</button>
                </form>
            </dd>
        }
    };
    any_view! {
        <p class="text-muted">
            "A tenant that invites you cannot act in your name. You get its role when you accept."
        </p>
        <dl class="facts">{invitations.into_iter().map(row).collect_view()}</dl>
    }
}

/// Accepts the invitation of a tenant and redirects to it.
#[server(prefix = "/console", endpoint = "accept-invitation", output = JsonCodec)]
async fn accept_invitation(tenant: TenantId) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let cx = request::governance().public(request::correlation_id());
    match invitation::accept(&cx, &signed_in, tenant).await {
        Ok(membership) => {
            let name = membership.tenant_name;
            request::redirect(&TenantMembership { tenant, name, role: membership.role }.start());
            Ok(())
        }
        Err(error) => {
            request::set_rejected(error.into(), url::INVITATIONS.to_owned(), String::new()).await
        }
    }
}

/// Declines the invitation of a tenant and redirects to the other invitations.
#[server(prefix = "/console", endpoint = "decline-invitation", output = JsonCodec)]
async fn decline_invitation(tenant: TenantId) -> Result<(), Problem> {
    let signed_in = request::signed_in(url::INVITATIONS)?;
    let cx = request::governance().public(request::correlation_id());
    let declined = invitation::decline(&cx, &signed_in, tenant).await.map_err(Problem::from);
    request::respond(declined, url::INVITATIONS, url::INVITATIONS, String::new()).await
}
