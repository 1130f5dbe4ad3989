//! The editor of all rules of a draft as one JSON text.

use islands::{
    editor::{
        act::SaveRules,
        change_source,
        view::{EditorTarget, JsonText},
        words,
    },
    try_decision::error_list,
};
use page_kit::prelude::*;

use super::target_fields;

/// Renders the rules as JSON. `saved` is the revision that the last request saved.
pub(super) fn json_view(target: &EditorTarget, json: JsonText, saved: &str) -> AnyView {
    let form = target.page();
    let discard = url::with_query(&form, &[("look", "json-fresh")]);
    let has_errors = !json.errors.is_empty();
    let saved_note = (!saved.is_empty() && !has_errors).then(|| words::saved_as(saved));
    let described_by = if has_errors { "json-hint json-errors" } else { "json-hint" };
    let errors = has_errors.then(|| {
        view! {
            <div class="note deny" role="alert" id="json-errors">
                {icon(Icon::Deny)}
                <div>
                    <p class="font-semibold">{words::JSON_ERRORS}</p>
                    {error_list(json.errors)}
                </div>
            </div>
        }
    });
    let (label, conflict_note) = match json.moved {
        None => (words::SAVE.to_owned(), None),
        Some(conflict) => {
            let change = change_source(&conflict);
            let text = view! {
                <strong>{words::draft_updated(conflict.from, conflict.revision)}</strong>
                " ("
                <bdi>{change}</bdi>
                "). "
                <a href=discard rel="external">
                    {words::USE_DRAFT_VALUE}
                </a>
            };
            (words::apply(conflict.revision), Some(note(Tone::Warn, Some("alert"), text)))
        }
    };
    any_view! {
        <section class="card">
            <form method="post" action=SaveRules::url() class="stack">
                <div class="panel-head">
                    <p>
                        <a href=form>{words::AS_FORM}</a>
                    </p>
                    <p class="text-xs text-muted" role="status">
                        {saved_note}
                    </p>
                    <button class="primary">{label}</button>
                </div>
                {errors}
                {conflict_note}
                {target_fields(target)}
                <div class="field">
                    <label for="json">{words::JSON}</label>
                    <textarea
                        id="json"
                        name="text"
                        class="code-editor"
                        rows="32"
                        spellcheck="false"
                        autocapitalize="off"
                        autocomplete="off"
                        aria-describedby=described_by
                        aria-invalid=has_errors.then_some("true")
                    >
                        {between_tags(json.text)}
                    </textarea>
                    <small id="json-hint" class="text-muted">
                        {words::JSON_HINT}
                    </small>
                </div>
            </form>
        </section>
    }
}
