//! The pages that confirm and record a review.

use governance::access::permission::Permission;
use page_kit::prelude::*;

use super::{
    Review,
    change::target_fields,
    form::{RecordReview, ReviewForm},
};
use crate::version_page::action::signed_content;

/// `/t/{tenant}/policies/{policy}/versions/{version}/review/accept`
pub async fn accept() -> PageResult {
    confirm(ReviewVerdict::Accept).await
}

/// `/t/{tenant}/policies/{policy}/versions/{version}/review/return`
pub async fn return_() -> PageResult {
    confirm(ReviewVerdict::Return).await
}

const BACK: &str = "Back to the review";

async fn confirm(verdict: ReviewVerdict) -> PageResult {
    let (tenant, cx) = page::member().await?;
    let (policy, number) = (page::param("policy")?, page::param("version")?);
    // Every reviewer can open the page. Only recording signs.
    cx.tenant(Permission { signs: false, ..permission::REVIEW })?;
    let review = Review::read(&cx, policy, number).await?;
    let rejected = take_rejected(&url::record(tenant, policy, number, verdict)).await;
    let back = url::review(tenant, policy, number);
    let version = &review.version;
    let (verb, effect) = match verdict {
        ReviewVerdict::Accept => {
            ("Accept", "Your review is recorded permanently. The ratifier relies on this review.")
        }
        ReviewVerdict::Return => (
            "Request changes to",
            "Your request for changes is recorded permanently. The next submission must address it.",
        ),
    };
    let content = if let Some(reason) = blocked_reason(&review, verdict) {
        any_view! {
            <p>{reason}</p>
            <p>
                <a class="button" href=back>
                    {BACK}
                </a>
            </p>
        }
    } else {
        any_view! {
            <p>{effect}</p>
            {signed_content(version, None)}
            {open_items(&review, verdict)}
            {entered_text(&review.draft)}
            {form(&review, verdict, back, format!("{verb} v{number}"))}
        }
    };
    let title = format!("{verb} {} v{number}", isolated(version.policy_name()));
    Ok(any_view! {
        {version.crumbs()}
        <div class="card panel roomy" data-main="">
            <Heading title autofocus=true />
            <div class="stack">{rejected.map(retry_note)} {content}</div>
        </div>
    })
}

/// Returns why the review cannot be recorded. The verdict `RETURN` needs a reason.
fn blocked_reason(review: &Review, verdict: ReviewVerdict) -> Option<&'static str> {
    let is_stale = review.draft.has_read_other(&review.version);
    let changed = is_stale.then_some(
        "The version changed while you were reading. Read it again before you record a review.",
    );
    let lacks_reason = verdict == ReviewVerdict::Return && !review.draft.has_reason();
    let no_reason = lacks_reason.then_some("Add a note or a comment to request changes.");
    review.blocked_reason.or(changed).or(no_reason)
}

/// Renders the note on a page that is shown again: the identity was confirmed, or the request was rejected.
fn retry_note(rejected: RejectedForm) -> AnyView {
    if rejected.problem.asks_for_confirmation() {
        note(Tone::Info, Some("status"), messages::IDENTITY_CONFIRMED)
    } else {
        problem_note(rejected.problem)
    }
}

/// Renders the warning about unviewed changes and written comments before an acceptance.
fn open_items(review: &Review, verdict: ReviewVerdict) -> Option<AnyView> {
    let (not_viewed, comments) = review.draft.open(&review.changes);
    let not_viewed = (not_viewed > 0).then(|| {
        let rules = count(not_viewed, "changed rule is", "changed rules are");
        format!("{rules} not marked as viewed")
    });
    let comments =
        (comments > 0).then(|| format!("you wrote {}", count(comments, "comment", "comments")));
    let open: Vec<_> = not_viewed.into_iter().chain(comments).collect();
    let is_open = verdict == ReviewVerdict::Accept && !open.is_empty();
    is_open.then(|| note(Tone::Warn, Some("status"), format!("{}.", open.join(", and "))))
}

/// Renders the reviewer's note and comments, as they will be recorded.
fn entered_text(draft: &ReviewForm) -> Option<AnyView> {
    let note = draft.note.trim().to_owned();
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
    let comments = draft.written_comments().map(comment).collect_view();
    draft.has_reason().then(|| {
        any_view! {
            <section class="stack" aria-labelledby="words">
                <h2 id="words">"Your review"</h2>
                {note}
                <ul class="plain-list">{comments}</ul>
            </section>
        }
    })
}

/// Renders the form with everything that is recorded, and the digest of the reviewed rules.
fn form(review: &Review, verdict: ReviewVerdict, back: String, label: String) -> AnyView {
    let own = review.version.own();
    let hidden = |name: String, value: &String| {
        view! { <input type="hidden" name=name value=value.clone() /> }
    };
    let comments = review.draft.comments.iter();
    let comments = comments.map(|(code, text)| hidden(format!("form[comments][{code}]"), text));
    let viewed = review.draft.viewed.iter().map(|mark| hidden("form[viewed][]".into(), mark));
    any_view! {
        <form method="post" action=RecordReview::url() class="stack" data-once="">
            {target_fields(review)}
            <input type="hidden" name="form[revision]" value=own.draft_revision />
            <input type="hidden" name="form[digest]" value=own.rules_digest.clone() />
            <input type="hidden" name="form[verdict]" value=verdict.as_str() />
            <input type="hidden" name="form[confirmed]" value="yes" />
            <input type="hidden" name="form[note]" value=review.draft.note.clone() />
            {comments.collect_view()}
            {viewed.collect_view()}
            <div class="row end">
                <a class="button" href=back>
                    {BACK}
                </a>
                <button class="button primary">{label}</button>
                <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
            </div>
        </form>
    }
}
