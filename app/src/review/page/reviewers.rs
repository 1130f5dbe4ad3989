//! The people of a review: who submitted the rules, and who reviewed which revision with which verdict.

use contract::policy::ReviewVerdict;
use leptos::prelude::*;

use crate::{
    review::{
        tab::{Reviewer, ReviewerPart},
        view::ReviewPage,
        words,
    },
    ui::{
        icon::{Icon, icon},
        initials::initials,
    },
};

#[component]
pub(super) fn Reviewers(page: ReviewPage) -> impl IntoView {
    let requirement = if page.requires_review { words::REQUIRED } else { words::OPTIONAL };
    let people = page.reviewers.into_iter().map(person).collect::<Vec<_>>();
    let content = if people.is_empty() {
        view! { <p class="text-muted">{words::NO_SUBMISSIONS}</p> }.into_any()
    } else {
        view! { <ul class="people">{people}</ul> }.into_any()
    };
    view! {
        <section class="card" aria-labelledby="reviewers">
            <h2 id="reviewers">{words::REVIEWERS}</h2>
            {content}
            <p class="text-xs text-muted">{requirement}</p>
        </section>
    }
}

fn person(person: Reviewer) -> impl IntoView {
    let initials = initials(&person.name);
    let name = if person.is_user { words::YOU.to_owned() } else { person.name };
    let (tone, drawing) = match person.part {
        ReviewerPart::Submitter { .. } => ("na", Icon::Pen),
        ReviewerPart::Reviewed(ReviewVerdict::Accept, _) => ("allow", Icon::Allow),
        ReviewerPart::Reviewed(ReviewVerdict::Return, _) => ("deny", Icon::Warn),
        ReviewerPart::Pending => ("warn", Icon::Wait),
    };
    view! {
        <li>
            <span class="avatar" aria-hidden="true">
                {initials}
            </span>
            <span class="grow">
                <bdi>{name}</bdi>
                <small>{person.part.description()}</small>
            </span>
            <span class=format!("change-kind {tone}")>{icon(drawing)}</span>
        </li>
    }
}
