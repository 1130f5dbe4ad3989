//! The section of the account page with the second factors.

use contract::second_factor::{Passkey, SecondFactors, Totp};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{
        CreatePasskey, RemoveAuthenticator, RemovePasskey, RenamePasskey, ReplaceRecoveryCodes,
        SetUpAuthenticator,
    },
    markup::PasskeyForm,
    view::{PasskeyUse, Security},
    words,
};
use crate::{
    text::url,
    ui::{
        empty::Empty,
        field::HintedField,
        list::table,
        note::{Tone, note},
        problem::ProblemNote,
        time::{Ago, Day},
    },
};

#[component]
pub(crate) fn SecuritySection(security: Security) -> impl IntoView {
    let Security { factors, can_add, required_by, rejected } = security;
    let SecondFactors { passkeys, totp, recovery_codes_left } = factors;
    let has_factors = !passkeys.is_empty() || totp.is_some();
    let required = (!required_by.is_empty())
        .then(|| note(Tone::Warn, None, words::required(&required_by.join(", "))));
    let (problem, name) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    view! {
        <section class="card stack" id="security">
            <h2>{words::SECURITY}</h2>
            {required}
            {problem.map(|problem| view! { <ProblemNote problem /> })}
            {(!can_add).then(not_proven)}
            <h3>{words::PASSKEYS}</h3>
            <p class="text-muted">{words::PASSKEYS_HELP}</p>
            <Passkeys passkeys can_add />
            {can_add
                .then(|| {
                    view! {
                        <NewPasskey
                            name=name.unwrap_or_default()
                            page=url::SECURITY.to_owned()
                            next=url::with_query(url::ACCOUNT, &[("done", "passkey")])
                        />
                    }
                })}
            <h3>{words::AUTHENTICATOR}</h3>
            <p class="text-muted">{words::AUTHENTICATOR_HELP}</p>
            <Authenticator totp can_add />
            <h3>{words::RECOVERY}</h3>
            <p class="text-muted">{words::RECOVERY_HELP}</p>
            <Recovery has_factors left=recovery_codes_left />
        </section>
    }
}

/// Says how the user proves the address of the account, before factors can be added.
pub(crate) fn not_proven() -> impl IntoView {
    let text = format!("{} {}", words::NOT_PROVEN, words::NOT_PROVEN_NEXT);
    note(Tone::Warn, None, text)
}

#[component]
fn Passkeys(passkeys: Vec<Passkey>, can_add: bool) -> impl IntoView {
    if passkeys.is_empty() {
        let next = if can_add { words::NO_PASSKEYS_NEXT } else { words::NO_PASSKEYS_YET };
        return view! { <Empty title=words::NO_PASSKEYS text=next /> }.into_any();
    }
    table(
        words::PASSKEYS,
        words::PASSKEYS_HEAD,
        passkeys,
        |passkey| view! { <PasskeyLine passkey /> },
    )
}

#[component]
fn PasskeyLine(passkey: Passkey) -> impl IntoView {
    const HEAD: [&str; 4] = words::PASSKEYS_HEAD;
    let Passkey { id, name, can_sign_in, created_at, last_used_at, .. } = passkey;
    let used = match last_used_at {
        Some(at) => view! { <Ago at /> }.into_any(),
        None => words::NEVER_USED.into_any(),
    };
    let limit = (!can_sign_in).then(|| {
        view! { <small class="block text-muted">{words::SECOND_FACTOR_ONLY}</small> }
    });
    let id = id.to_string();
    let field = format!("name-{id}");
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <bdi class="breaks">{name.clone()}</bdi>
                {limit}
            </th>
            <td data-label=HEAD[1]>
                <Day at=created_at />
            </td>
            <td data-label=HEAD[2]>{used}</td>
            <td data-label=HEAD[3]>
                <div class="row">
                    <details class="disclosure">
                        <summary aria-label=words::act(
                            words::RENAME,
                            &name,
                        )>{words::RENAME}</summary>
                        <form method="post" action=RenamePasskey::url() class="stack" data-once="">
                            <input type="hidden" name="id" value=id.clone() />
                            <div class="field">
                                <label for=field.clone()>{words::NEW_NAME}</label>
                                <input
                                    id=field
                                    name="name"
                                    value=name.clone()
                                    maxlength="100"
                                    required=true
                                    autocomplete="off"
                                />
                            </div>
                            <div class="row">
                                <button>{words::RENAME}</button>
                            </div>
                        </form>
                    </details>
                    <details class="disclosure">
                        <summary aria-label=words::act(
                            words::REMOVE,
                            &name,
                        )>{words::REMOVE}</summary>
                        <form method="post" action=RemovePasskey::url() class="stack" data-once="">
                            <input type="hidden" name="id" value=id />
                            <p>{words::REMOVE_PASSKEY_HELP}</p>
                            <div class="row">
                                <button class="danger">{words::REMOVE_PASSKEY}</button>
                            </div>
                        </form>
                    </details>
                </div>
            </td>
        </tr>
    }
}

/// The form that adds a passkey. It continues at `next`; `page` is the page with the form.
#[component]
pub(crate) fn NewPasskey(name: String, page: String, next: String) -> impl IntoView {
    view! {
        <PasskeyForm purpose=PasskeyUse::Create action=CreatePasskey::url()>
            <input type="hidden" name="page" value=page />
            <input type="hidden" name="next" value=next />
            <HintedField
                label=words::PASSKEY_NAME
                hint=words::PASSKEY_NAME_HINT
                name="name"
                id="passkey-name"
                value=name
                required=true
                maxlength=100
            />
            <div class="row end">
                <button>{words::ADD_PASSKEY}</button>
            </div>
        </PasskeyForm>
        <noscript>
            <p class="text-muted">{words::ADDING_NEEDS_SCRIPTS}</p>
        </noscript>
    }
}

#[component]
fn Authenticator(totp: Option<Totp>, can_add: bool) -> impl IntoView {
    let Some(Totp { created_at, last_used_at }) = totp else {
        if !can_add {
            return ().into_any();
        }
        let next = url::with_query(url::ACCOUNT, &[("done", "authenticator")]);
        return view! { <SetUpForm page=url::SECURITY.to_owned() next /> }.into_any();
    };
    let used = match last_used_at {
        Some(at) => view! { <Ago at /> }.into_any(),
        None => words::NEVER_USED.into_any(),
    };
    view! {
        <dl class="facts">
            <dt>{words::PASSKEYS_HEAD[1]}</dt>
            <dd>
                <Day at=created_at />
            </dd>
            <dt>{words::PASSKEYS_HEAD[2]}</dt>
            <dd>{used}</dd>
        </dl>
        <details class="disclosure">
            <summary>{words::REMOVE_AUTHENTICATOR}</summary>
            <form method="post" action=RemoveAuthenticator::url() class="stack" data-once="">
                <p>{words::REMOVE_AUTHENTICATOR_HELP}</p>
                <div class="row">
                    <button class="danger">{words::REMOVE_AUTHENTICATOR}</button>
                </div>
            </form>
        </details>
    }
    .into_any()
}

/// The button that starts the set-up of an authenticator app. It continues at `next`; `page` is the page with the button.
#[component]
pub(crate) fn SetUpForm(page: String, next: String) -> impl IntoView {
    view! {
        <form method="post" action=SetUpAuthenticator::url() class="row end" data-once="">
            <input type="hidden" name="page" value=page />
            <input type="hidden" name="next" value=next />
            <button>{words::SET_UP}</button>
        </form>
    }
}

#[component]
fn Recovery(has_factors: bool, left: u32) -> impl IntoView {
    if !has_factors {
        return view! { <p>{words::NO_RECOVERY}</p> }.into_any();
    }
    view! {
        <p>{words::codes_left(left)}</p>
        <details class="disclosure">
            <summary>{words::REGENERATE}</summary>
            <form method="post" action=ReplaceRecoveryCodes::url() class="stack" data-once="">
                <p>{words::REGENERATE_HELP}</p>
                <div class="row">
                    <button>{words::REGENERATE}</button>
                </div>
            </form>
        </details>
    }
    .into_any()
}
