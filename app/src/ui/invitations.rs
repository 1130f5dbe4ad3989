//! The open invitations of a user.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::invitation::{AcceptInvitation, DeclineInvitation},
    text::messages,
    view::invitation::Invitation,
};

/// A card with one row per invitation, or nothing if there is none.
#[component]
pub(crate) fn Invitations(invitations: Vec<Invitation>) -> impl IntoView {
    use messages::invitation as strings;
    if invitations.is_empty() {
        return ().into_any();
    }
    let row = |invitation: Invitation| view! { <Row invitation /> };
    view! {
        <section class="card stack">
            <h2>{strings::TITLE}</h2>
            <p class="text-muted">{strings::HELP}</p>
            <dl class="facts">{invitations.into_iter().map(row).collect_view()}</dl>
        </section>
    }
    .into_any()
}

#[component]
fn Row(invitation: Invitation) -> impl IntoView {
    use messages::invitation as strings;
    let tenant = invitation.tenant.to_string();
    let accept = strings::answer(strings::ACCEPT, &invitation.name);
    let decline = strings::answer(strings::DECLINE, &invitation.name);
    view! {
        <dt>
            <bdi class="font-semibold">{invitation.name}</bdi>
        </dt>
        <dd class="row">
            <span>{messages::role(invitation.role)}</span>
            <form method="post" action=AcceptInvitation::url() data-once="">
                <input type="hidden" name="tenant" value=tenant.clone() />
                <button class="primary" aria-label=accept>
                    {strings::ACCEPT}
                </button>
            </form>
            <form method="post" action=DeclineInvitation::url() data-once="">
                <input type="hidden" name="tenant" value=tenant />
                <button aria-label=decline>{strings::DECLINE}</button>
            </form>
        </dd>
    }
}
