//! The API keys of a member who is removed or loses rights, and the choice between revoking and
//! transferring them.

use contract::id::UserId;
use leptos::prelude::*;

use crate::{
    page::keys::{instant, scopes},
    text::words,
    view::{key::KeyRow, member::MemberKeys},
};

/// The keys with the choice of what happens to them; nothing without keys. `says` is what happens without
/// a choice.
#[component]
pub(super) fn KeysField(keys: MemberKeys, says: &'static str) -> impl IntoView {
    use words::member as say;
    if keys.rows.is_empty() {
        return ().into_any();
    }
    let receiver = |(id, name): (UserId, String)| {
        view! { <option value=id.to_string()>{say::transfer_to(&name)}</option> }
    };
    let receivers = keys.receivers.into_iter().map(receiver).collect_view();
    view! {
        <p>{says}</p>
        <table class="list">
            <caption class="sr-only">{say::KEYS}</caption>
            <thead>
                <tr>{say::KEYS_HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
            </thead>
            <tbody>{keys.rows.into_iter().map(|row| view! { <Row row/> }).collect_view()}</tbody>
        </table>
        <label class="field">
            <span>{say::KEYS_CHOICE}</span>
            <select name="keys_to">
                <option value="">{say::KEYS_REVOKE}</option>
                {receivers}
            </select>
        </label>
    }
    .into_any()
}

#[component]
fn Row(row: KeyRow) -> impl IntoView {
    use words::member::KEYS_HEAD;
    let of_capability = row.is_of_capability().then(|| {
        view! { <span class="text-muted">{words::member::KEYS_OF_CAPABILITY}</span> }
    });
    view! {
        <tr>
            <th scope="row" data-label=KEYS_HEAD[0]>
                <bdi class="font-semibold">{row.name}</bdi>
                <span class="font-mono text-muted whitespace-nowrap">{row.preview}</span>
                {of_capability}
            </th>
            <td data-label=KEYS_HEAD[1]>{scopes(&row.scopes)}</td>
            <td data-label=KEYS_HEAD[2]>{instant(row.expires_at, words::keys::NEVER)}</td>
            <td data-label=KEYS_HEAD[3]>{instant(row.last_used_at, words::keys::UNUSED)}</td>
        </tr>
    }
}
