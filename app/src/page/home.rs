//! Sending a person to the right place.

use leptos::prelude::*;

use crate::{
    api::session::read_home,
    text::words,
    ui::{
        empty::Empty, heading::Heading, invitations::Invitations, load::load, public::PublicFrame,
    },
    view::{frame::Place, invitation::Invitation},
};

/// `/`
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    let places = Resource::new(|| (), async |()| read_home().await);
    let show = |(places, invitations): (Vec<Place>, Vec<Invitation>)| {
        let has_places = !places.is_empty() || invitations.is_empty();
        view! {
            <Invitations invitations/>
            {has_places.then(|| view! { <Places places/> })}
        }
        .into_any()
    };
    view! {
        <PublicFrame>
            <Heading title=words::home::TITLE/>
            {load(places, show)}
        </PublicFrame>
    }
}

#[component]
fn Places(places: Vec<Place>) -> impl IntoView {
    if places.is_empty() {
        return view! { <Empty title=words::home::NO_TENANT text=words::home::ASK_AN_ADMIN/> }
            .into_any();
    }
    let place = |place: Place| {
        let href = place.start();
        view! {
            <li>
                <a href=href data-row="">
                    <bdi class="font-semibold">{place.name}</bdi>
                    <span class="text-muted">{words::role(place.role)}</span>
                </a>
            </li>
        }
    };
    view! { <ul class="choices card">{places.into_iter().map(place).collect_view()}</ul> }
        .into_any()
}
