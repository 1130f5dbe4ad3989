//! The bar at the bottom of a review: what is left, and the buttons of both verdicts.

use contract::policy::ReviewVerdict;
use leptos::prelude::*;

use super::review_form::FORM;
use crate::{
    review::{view::ReviewPage, words as strings},
    ui::icon::{Icon, icon},
};

/// The numbers of viewed rules and of open comments, and the buttons. They belong to the form of the review, so
/// the bar stays in view below the whole page.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn ReviewBar(page: ReviewPage) -> impl IntoView {
    let (viewed, all) = page.viewed;
    let comments = strings::open_comments(page.open_comments);
    view! {
        <div class="review-bar">
            {(all > 0).then(|| ring(viewed, all))} <p class="review-state">
                <b
                    class="tabular-nums"
                    data-viewed=viewed
                    data-viewed-text=strings::viewed("{count}", all)
                >
                    {strings::viewed(viewed, all)}
                </b>
                <a href="#discussion">{comments}</a>
                <a href="#review-note">{strings::NOTE_LINK}</a>
            </p>
            <button
                form=FORM
                name="form[verdict]"
                value=ReviewVerdict::Return.as_str()
                data-key="b"
            >
                {icon(Icon::Pen)}
                {strings::RETURN}
                <kbd class="with-scripts" aria-hidden="true">
                    "b"
                </kbd>
            </button>
            <button
                form=FORM
                class="primary"
                name="form[verdict]"
                value=ReviewVerdict::Accept.as_str()
                data-key="a"
            >
                {icon(Icon::Tick)}
                {strings::accept(page.version.version)}
                <kbd class="with-scripts" aria-hidden="true">
                    "a"
                </kbd>
            </button>
        </div>
    }
}

/// The part of the rules that is viewed, as a ring. Scripts update the first number of its dashes.
fn ring(viewed: usize, all: usize) -> impl IntoView {
    view! {
        <svg class="viewed-ring" viewBox="0 0 36 36" width="28" height="28" aria-hidden="true">
            <circle cx="18" cy="18" r="15"></circle>
            <circle
                class="on"
                cx="18"
                cy="18"
                r="15"
                pathLength=all
                stroke-dasharray=format!("{viewed} {all}")
            ></circle>
        </svg>
    }
}
