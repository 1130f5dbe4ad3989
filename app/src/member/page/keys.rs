//! The API keys of a member who is removed or loses rights, with a choice between revoking and transferring
//! them.

use contract::{api_key::ApiKey, id::UserId};
use leptos::prelude::*;

use crate::{
    key::{is_of_capability, last_used, scopes, time_or},
    member::{view::MemberKeys, words},
    text::time,
    ui::list::table,
};

/// Nothing is shown if there are no keys. `help` states the default for a number of keys, and whether the keys
/// can be transferred.
#[component]
pub(super) fn KeysField(keys: MemberKeys, help: fn(usize, bool) -> String) -> impl IntoView {
    use crate::member::words as strings;
    if keys.rows.is_empty() {
        return ().into_any();
    }
    let help = help(keys.rows.len(), !keys.receivers.is_empty());
    let receiver = |(id, name): (UserId, String)| {
        view! { <option value=id.to_string()>{strings::transfer_to(&name)}</option> }
    };
    let receivers = keys.receivers.into_iter().map(receiver).collect_view();
    view! {
        <p class="font-semibold">{help}</p>
        {table(strings::KEYS, strings::KEYS_HEAD, keys.rows, |row| view! { <Row row /> })}
        <label class="field">
            <span>{strings::KEYS_CHOICE}</span>
            <select name="keys_to">
                <option value="">{strings::KEYS_REVOKE}</option>
                {receivers}
            </select>
        </label>
    }
    .into_any()
}

#[component]
fn Row(row: ApiKey) -> impl IntoView {
    use crate::member::words::KEYS_HEAD;
    let capability_note = is_of_capability(&row).then(|| {
        view! { <span class="text-muted">{words::KEYS_OF_CAPABILITY}</span> }
    });
    view! {
        <tr>
            <th scope="row" data-label=KEYS_HEAD[0]>
                <bdi class="font-semibold">{row.name}</bdi>
                <span class="font-mono text-muted whitespace-nowrap">{row.key_preview}</span>
                {capability_note}
            </th>
            <td data-label=KEYS_HEAD[1]>{scopes(&row.scopes)}</td>
            <td data-label=time::head(KEYS_HEAD[2])>{time_or(row.expires_at, "Never")}</td>
            <td data-label=KEYS_HEAD[3]>{last_used(row.last_used_at)}</td>
        </tr>
    }
}
