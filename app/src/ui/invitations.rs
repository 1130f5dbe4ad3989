//! The invitations that wait for a person's answer.

use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::invitation::{AcceptInvitation, DeclineInvitation},
    text::words,
    view::invitation::Invitation,
};

/// A card with an invitation in each row; nothing where there are none.
#[component]
pub(crate) fn Invitations(invitations: Vec<Invitation>) -> impl IntoView {
    use words::invitation as say;
    if invitations.is_empty() {
        return ().into_any();
    }
    let row = |invitation: Invitation| view! { <Row invitation/> };
    view! {
        <section class="card stack">
            <h2>{say::TITLE}</h2>
            <p class="text-muted">{say::SAYS}</p>
            <dl class="facts">{invitations.into_iter().map(row).collect_view()}</dl>
        </section>
    }
    .into_any()
}

#[component]
fn Row(invitation: Invitation) -> impl IntoView {
    use words::invitation as say;
    let tenant = invitation.tenant.to_string();
    let accept = say::answer(say::ACCEPT, &invitation.name);
    let decline = say::answer(say::DECLINE, &invitation.name);
    view! {
        <dt>
            <bdi class="font-semibold">{invitation.name}</bdi>
        </dt>
        <dd class="row">
            <span>{words::role(invitation.role)}</span>
            <form method="post" action=AcceptInvitation::url() data-once="">
                <input type="hidden" name="tenant" value=tenant.clone()/>
                <button class="primary" aria-label=accept>{say::ACCEPT}</button>
            </form>
            <form method="post" action=DeclineInvitation::url() data-once="">
                <input type="hidden" name="tenant" value=tenant/>
                <button aria-label=decline>{say::DECLINE}</button>
            </form>
        </dd>
    }
}
