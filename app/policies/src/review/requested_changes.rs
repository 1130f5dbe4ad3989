//! The request for changes at the top of the editor.

use page_kit::prelude::*;

/// What a user did who rejected a version. It follows the name of the user.
pub(crate) const REJECTED: &str = "rejected this version";

/// A request for changes: a review record, or a rejection.
#[derive(Clone, Debug)]
pub(crate) struct ChangeRequest {
    /// What happened, such as "requested changes to r1".
    pub(crate) event: String,
    /// The name of the user.
    pub(crate) by: Option<String>,
    pub(crate) at: Timestamp,
    /// The note or the reason.
    pub(crate) text: Option<String>,
    /// The rules with open comments: the code, the address in the editor, and the number of comments.
    pub(crate) rules: Vec<(String, String, usize)>,
}

pub(crate) fn change_request(request: ChangeRequest) -> AnyView {
    let ChangeRequest { event, by, at, text, rules } = request;
    let rule = |(code, href, open): (String, String, usize)| {
        view! {
            <li>
                <a href=href>
                    <bdi class="rule-code">{code}</bdi>
                </a>
                " "
                <span class="text-muted">{count(open, "open comment", "open comments")}</span>
            </li>
        }
    };
    let rules = (!rules.is_empty()).then(|| {
        view! { <ul class="plain-list">{rules.into_iter().map(rule).collect_view()}</ul> }
    });
    any_view! {
        <section class="card stack" aria-labelledby="requested-changes">
            <div class="card-head">
                <h2 id="requested-changes">{verdict::stage(VersionStage::ChangesRequested)}</h2>
                <p class="text-xs text-muted">
                    <bdi class="font-semibold">{by}</bdi>
                    " "
                    {event}
                    ", "
                    <time datetime=at.to_string()>{time::minute(at)}</time>
                </p>
            </div>
            {text.map(quote)}
            {rules}
        </section>
    }
}
