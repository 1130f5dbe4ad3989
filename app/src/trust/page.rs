//! The trust registry and the published keys, for comparison with an independent copy.

use leptos::prelude::*;

use super::{
    act::read_trust,
    view::{KeyRow, KeyState, LogRow, Registry, TrustPage as TrustView},
};
use crate::{
    text::url,
    ui::{
        badge::badge,
        code::{CodeBlock, Digest, Id},
        empty::Empty,
        facts::{digest_fact, fact, id_fact},
        heading::Heading,
        icon::Icon,
        list::table,
        load::load,
        note::{Tone, note},
        public::PublicFrame,
        time::{Exact, Second},
    },
};

/// `/trust`
#[component]
pub(crate) fn TrustPage() -> impl IntoView {
    let content = load(|| (), |()| read_trust(), |page| view! { <TrustContent page /> }.into_any());
    view! { <PublicFrame width="reading">{content}</PublicFrame> }
}

#[component]
fn TrustContent(page: TrustView) -> impl IntoView {
    use super::words as strings;
    if page.keys.is_empty() {
        return view! {
            <Heading title=strings::TITLE />
            <Empty title=strings::NOT_CONFIGURED text=strings::NOT_CONFIGURED_NOTE />
        }
        .into_any();
    }
    let roots = page.keys.iter().filter(|key| key.is_root() && key.state == KeyState::Active);
    let roots: Vec<String> = roots.map(|key| key.kid.clone()).collect();
    let check =
        (!roots.is_empty()).then(|| view! { <VerifyCard command=strings::command(&roots) /> });
    let registry = match page.registry {
        Some(registry) => view! { <RegistryCard registry roots /> }.into_any(),
        None => note(Tone::Warn, None, strings::NO_REGISTRY),
    };
    let logs = (!page.logs.is_empty()).then(|| view! { <Logs logs=page.logs /> });
    view! {
        <Heading title=strings::TITLE />
        <p class="intro">{strings::INTRO}</p>
        <div class="stack">{registry} <Keys keys=page.keys.clone() /> {logs} {check}</div>
    }
    .into_any()
}

/// The version of the trust registry that lists the keys.
#[component]
fn RegistryCard(
    registry: Registry,
    /// The fingerprints of the active root keys.
    roots: Vec<String>,
) -> impl IntoView {
    use super::words as strings;
    let root = |kid: String| {
        view! {
            <li>
                <Digest digest=kid what=strings::ROOT_KEY />
            </li>
        }
    };
    let roots = roots.into_iter().map(root).collect_view();
    let roots = view! { <ul class="plain-list">{roots}</ul> };
    view! {
        <section class="card stack" aria-labelledby="registry">
            <h2 id="registry">{strings::REGISTRY}</h2>
            <dl class="facts">
                <dt>{strings::VERSION}</dt>
                <dd class="tabular-nums">{registry.version}</dd>
                {id_fact(strings::ID, registry.id)}
                {digest_fact(strings::DIGEST, registry.digest)}
                {fact(strings::ROOTS, strings::threshold(registry.threshold, registry.roots))}
                {fact(strings::ROOT_KEYS, roots)}
                {fact(strings::ISSUED, view! { <Exact at=registry.issued_at /> })}
                {fact(strings::EXPIRES, view! { <Exact at=registry.expires_at /> })}
            </dl>
            <div class="row">
                <a
                    class="button primary"
                    href=url::REGISTRY
                    rel="external"
                    download="trust-registry.json"
                >
                    {strings::DOWNLOAD}
                </a>
                <a class="button" href=url::KEY_SET rel="external" download="signing-keys.json">
                    {strings::KEY_SET}
                </a>
            </div>
        </section>
    }
}

#[component]
fn Keys(keys: Vec<KeyRow>) -> impl IntoView {
    use super::words as strings;
    let row = |key| view! { <Key key /> };
    view! {
        <section class="card flush" aria-labelledby="keys">
            <div class="pad">
                <h2 id="keys">{strings::KEYS}</h2>
                <p class="text-muted">{strings::KEYS_HELP}</p>
            </div>
            {table(strings::KEYS, strings::HEAD, keys, row)}
        </section>
    }
}

#[component]
fn Key(key: KeyRow) -> impl IntoView {
    use super::words as strings;
    let purposes =
        key.purposes.iter().map(|name| strings::purpose(name)).collect::<Vec<_>>().join(", ");
    let purposes = if purposes.is_empty() { strings::EVERYTHING.to_owned() } else { purposes };
    let time_line = |label: &'static str, at| {
        view! { <p>{label} " " <Second at /></p> }
    };
    let state = match key.state {
        KeyState::Active => badge("allow", Icon::Allow, strings::ACTIVE),
        KeyState::Retired => badge("na", Icon::History, strings::RETIRED),
        KeyState::Revoked { .. } => badge("deny", Icon::Deny, strings::REVOKED),
    };
    let revocation = match key.state {
        KeyState::Revoked { at, reason, since } => Some(view! {
            <p>
                <Second at />
            </p>
            <p>
                <bdi>{reason}</bdi>
            </p>
            {since.map(|at| view! { <p>{strings::COMPROMISED_SINCE} " " <Second at /></p> })}
        }),
        _ => None,
    };
    view! {
        <tr>
            <th scope="row" data-label=strings::HEAD[0]>
                <Digest digest=key.kid what=strings::FINGERPRINT />
            </th>
            <td data-label=strings::HEAD[1]>{purposes}</td>
            <td data-label=strings::HEAD[2]>{state} {revocation}</td>
            <td data-label=strings::HEAD[3]>
                {key.from.map(|at| time_line(strings::FROM, at))}
                {key.until.map(|at| time_line(strings::UNTIL, at))}
            </td>
        </tr>
    }
}

#[component]
fn Logs(logs: Vec<LogRow>) -> impl IntoView {
    use super::words as strings;
    let log = |log: LogRow| {
        view! {
            <dt>
                <bdi>{log.origin}</bdi>
            </dt>
            <dd>
                <Id id=log.vkey what=strings::LOG_KEY />
            </dd>
        }
    };
    view! {
        <section class="card stack" aria-labelledby="logs">
            <h2 id="logs">{strings::LOGS}</h2>
            <p class="text-muted">{strings::LOGS_HELP}</p>
            <dl class="facts">{logs.into_iter().map(log).collect_view()}</dl>
            <p>
                <a href=url::LOG>{strings::LOG_LINK}</a>
            </p>
        </section>
    }
}

/// The command that verifies a bundle with the keys on this page.
#[component]
fn VerifyCard(command: String) -> impl IntoView {
    use super::words as strings;
    view! {
        <section class="card stack" aria-labelledby="check">
            <h2 id="check">{strings::CHECK}</h2>
            <p>{strings::CHECK_HELP}</p>
            <CodeBlock text=command label=strings::COMMAND />
            <p>
                <a href=url::VERIFY>{strings::IN_BROWSER}</a>
            </p>
        </section>
    }
}
