//! `/invitations`: the invitations of the signed-in user. The mailed link opens this page.

use leptos::prelude::*;

use super::{act::read_invitations, list::InvitationList, words as strings};
use crate::ui::{
    empty::Empty,
    heading::Heading,
    load::load,
    note::{Tone, note},
    problem::summary,
    public::PublicFrame,
};

#[component]
pub(crate) fn InvitationsPage() -> impl IntoView {
    let content = load(
        || (),
        |()| read_invitations(),
        |(invitations, rejected)| {
            let list = if invitations.is_empty() {
                view! { <Empty title=strings::NONE text=strings::NONE_NEXT /> }.into_any()
            } else {
                view! {
                    <section class="card stack">
                        <InvitationList invitations />
                    </section>
                }
                .into_any()
            };
            let rejected = rejected
                .map(|rejected| note(Tone::Deny, Some("alert"), summary(&rejected.problem)));
            view! {
                {rejected}
                {list}
                <p>
                    <a href="/">{strings::TENANTS}</a>
                </p>
            }
            .into_any()
        },
    );
    view! {
        <PublicFrame width="reading">
            <Heading title=strings::TITLE />
            {content}
        </PublicFrame>
    }
}
