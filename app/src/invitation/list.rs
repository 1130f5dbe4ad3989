//! The open invitations of a user.

use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{AcceptInvitation, DeclineInvitation},
    view::Invitation,
};
use crate::{text::messages, ui::time::MinuteBy};

/// A card with one row per invitation and its heading, or nothing if there is none.
#[component]
pub(crate) fn Invitations(invitations: Vec<Invitation>) -> impl IntoView {
    use super::words as strings;
    if invitations.is_empty() {
        return ().into_any();
    }
    view! {
        <section class="card stack">
            <h2>{strings::TITLE}</h2>
            <InvitationList invitations />
        </section>
    }
    .into_any()
}

/// One row per invitation, with buttons to accept and to decline.
#[component]
pub(crate) fn InvitationList(invitations: Vec<Invitation>) -> impl IntoView {
    use super::words as strings;
    let row = |invitation: Invitation| view! { <Row invitation /> };
    view! {
        <p class="text-muted">{strings::HELP}</p>
        <dl class="facts">{invitations.into_iter().map(row).collect_view()}</dl>
    }
}

#[component]
fn Row(invitation: Invitation) -> impl IntoView {
    use super::words as strings;
    let tenant = invitation.tenant.to_string();
    let accept = strings::answer(strings::ACCEPT, &invitation.name);
    let decline = strings::answer(strings::DECLINE, &invitation.name);
    view! {
        <dt>
            <bdi class="font-semibold">{invitation.name}</bdi>
        </dt>
        <dd class="row">
            <span>{messages::role(invitation.role)}</span>
            <span class="text-muted">
                {strings::INVITED} " "
                <MinuteBy at=invitation.invited_at by=invitation.invited_by />
            </span>
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
