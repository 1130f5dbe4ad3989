//! Confirmation page that records a review.

use contract::policy::ReviewVerdict;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    flash::RejectedForm,
    review::{
        act::{RecordReview, read_sheet},
        view::ReviewPage,
        words,
    },
    text::url,
    ui::{
        heading::Heading,
        load::load,
        note::{Tone, note},
        params,
        problem::ProblemNote,
        quote::quote,
    },
    version::{
        action::content::SignedContent, action_words as version_action_words, markup::Crumbs,
    },
};

/// `/t/{tenant}/policies/{policy}/versions/{version}/review/accept`
#[component]
pub(crate) fn AcceptPage() -> impl IntoView {
    view! { <RecordPage verdict=ReviewVerdict::Accept /> }
}

/// `/t/{tenant}/policies/{policy}/versions/{version}/review/return`
#[component]
pub(crate) fn ReturnPage() -> impl IntoView {
    view! { <RecordPage verdict=ReviewVerdict::Return /> }
}

#[component]
fn RecordPage(verdict: ReviewVerdict) -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    load(
        move || (tenant(), policy(), version()),
        move |(tenant, policy, version)| async move {
            read_sheet((tenant?, policy?, version?), verdict).await
        },
        move |page| view! { <RecordContent verdict page /> }.into_any(),
    )
}

#[component]
fn RecordContent(verdict: ReviewVerdict, page: ReviewPage) -> impl IntoView {
    use crate::review::words::record as strings;
    let (version, rejected) = (page.version.clone(), page.rejected.clone());
    let back = url::review(version.tenant, version.policy, version.version);
    let title = strings::title(verdict, &version.policy_name, version.version);
    let retry_note = rejected.map(|rejected| view! { <RetryNote rejected /> });
    let content = if let Some(reason) = page.blocked_reason {
        view! {
            <p>{reason}</p>
            <p>
                <a class="button" href=back>
                    {strings::BACK}
                </a>
            </p>
        }
        .into_any()
    } else {
        let signed = StoredValue::new(version.clone());
        view! {
            <p>{strings::description(verdict)}</p>
            <SignedContent version=signed />
            <OpenItemsNote verdict page=page.clone() />
            <ReviewText page=page.clone() />
            <Form verdict page back />
        }
        .into_any()
    };
    view! {
        <Crumbs version />
        <div class="card panel roomy" data-main="">
            <Heading title autofocus=true />
            <div class="stack">{retry_note} {content}</div>
        </div>
    }
}

/// The note on a page that is shown again: the identity was confirmed, or the request was rejected.
#[component]
fn RetryNote(rejected: RejectedForm) -> impl IntoView {
    if rejected.problem.asks_for_confirmation() {
        note(Tone::Info, Some("status"), version_action_words::IDENTITY_CONFIRMED)
    } else {
        view! { <ProblemNote problem=rejected.problem /> }.into_any()
    }
}

/// The number of unviewed changes and written comments, if the verdict is an acceptance.
#[component]
fn OpenItemsNote(verdict: ReviewVerdict, page: ReviewPage) -> impl IntoView {
    let (not_viewed, comments) = page.draft.open(&page.changes);
    let is_open = verdict == ReviewVerdict::Accept && not_viewed + comments > 0;
    is_open.then(|| note(Tone::Warn, Some("status"), words::open_items(not_viewed, comments)))
}

/// The reviewer's note and comments, as they will be recorded.
#[component]
fn ReviewText(page: ReviewPage) -> impl IntoView {
    let note = page.draft.note.trim().to_owned();
    let note = (!note.is_empty()).then(|| quote(note));
    let comment = |(code, text): (&str, &str)| {
        view! {
            <li>
                <bdi class="rule-code">{code.to_owned()}</bdi>
                " "
                <bdi>{text.to_owned()}</bdi>
            </li>
        }
    };
    let comments = page.draft.written_comments().map(comment).collect_view();
    page.draft.has_reason().then(|| {
        view! {
            <section class="stack" aria-labelledby="words">
                <h2 id="words">{words::record::YOUR_REVIEW}</h2>
                {note}
                <ul class="plain-list">{comments}</ul>
            </section>
        }
    })
}

/// The form with everything that is recorded, and the digest of the reviewed rules.
#[component]
fn Form(verdict: ReviewVerdict, page: ReviewPage, back: String) -> impl IntoView {
    use crate::review::words::record as strings;
    let (version, draft) = (page.version, page.draft);
    let submission = page.sealed.first().map(|sealed| sealed.id.to_string()).unwrap_or_default();
    let hidden = |name: String, value: String| {
        view! { <input type="hidden" name=name value=value /> }
    };
    let comments = draft.comments.into_iter();
    let comments = comments.map(|(code, text)| hidden(format!("form[comments][{code}]"), text));
    let viewed = draft.viewed.into_iter().map(|mark| hidden("form[viewed][]".into(), mark));
    view! {
        <form method="post" action=RecordReview::url() class="stack" data-once="">
            <input type="hidden" name="place[tenant]" value=version.tenant.to_string() />
            <input type="hidden" name="place[policy]" value=version.policy.to_string() />
            <input type="hidden" name="place[version]" value=version.version />
            <input type="hidden" name="place[submission]" value=submission />
            <input type="hidden" name="form[revision]" value=version.revision />
            <input type="hidden" name="form[digest]" value=version.rules_digest />
            <input type="hidden" name="form[verdict]" value=verdict.as_str() />
            <input type="hidden" name="form[confirmed]" value="yes" />
            <input type="hidden" name="form[note]" value=draft.note />
            {comments.collect_view()}
            {viewed.collect_view()}
            <div class="row end">
                <a class="button" href=back>
                    {strings::BACK}
                </a>
                <button class="button primary">{strings::act(verdict, version.version)}</button>
                <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
            </div>
        </form>
    }
}
