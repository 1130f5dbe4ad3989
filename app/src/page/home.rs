//! Sending a person to the right place.

use leptos::prelude::*;

use crate::{
    api::session::read_home,
    text::words,
    ui::{empty::Empty, heading::Heading, load::load, public::PublicFrame},
    view::frame::Place,
};

/// `/`
#[component]
pub(crate) fn HomePage() -> impl IntoView {
    let places = Resource::new(|| (), async |()| read_home().await);
    view! {
        <PublicFrame>
            <Heading title=words::home::TITLE/>
            {load(places, |places| view! { <Places places/> }.into_any())}
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
