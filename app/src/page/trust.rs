//! The keys that the service publishes, to be compared with a copy from elsewhere.

use leptos::prelude::*;

use crate::{
    api::trust::read_trust,
    text::{url, words},
    ui::{
        badge::trust_badge,
        code::{CodeBlock, Digest, Id},
        empty::Empty,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        public::PublicFrame,
        time::{Exact, Second},
    },
    view::trust::{KeyRow, KeyState, LogRow, Registry, TrustPage as Shown},
};

/// `/trust`
#[component]
pub(crate) fn TrustPage() -> impl IntoView {
    let page = Resource::new(|| (), async |()| read_trust().await);
    view! {
        <PublicFrame width="reading">
            {load(page, |page| view! { <Sheet page/> }.into_any())}
        </PublicFrame>
    }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    use words::trust as say;
    if page.keys.is_empty() {
        return view! {
            <Heading title=say::TITLE/>
            <Empty title=say::NONE text=say::NONE_SAYS/>
        }
        .into_any();
    }
    let registry = match page.registry {
        Some(registry) => view! { <Listed registry/> }.into_any(),
        None => view! {
            <div class="note warn">
                {icon(Icon::Warn)}
                <p>{say::NO_REGISTRY}</p>
            </div>
        }
        .into_any(),
    };
    let roots = page.keys.iter().filter(|key| key.is_root() && key.state == KeyState::Active);
    let roots = roots.map(|key| key.kid.as_str()).collect::<Vec<_>>();
    let check = (!roots.is_empty()).then(|| view! { <Check command=say::command(&roots)/> });
    let logs = (!page.logs.is_empty()).then(|| view! { <Logs logs=page.logs/> });
    view! {
        <Heading title=say::TITLE/>
        <p class="lead">{say::LEAD}</p>
        <div class="stack">{registry} <Keys keys=page.keys.clone()/> {logs} {check}</div>
    }
    .into_any()
}

/// The version of the registry that the keys are in.
#[component]
fn Listed(registry: Registry) -> impl IntoView {
    use words::trust as say;
    view! {
        <section class="card stack" aria-labelledby="registry">
            <h2 id="registry">{say::REGISTRY}</h2>
            <dl class="facts">
                <dt>{say::VERSION}</dt>
                <dd class="tabular-nums">{registry.version}</dd>
                <dt>{say::ID}</dt>
                <dd>
                    <Id id=registry.id what=say::ID/>
                </dd>
                <dt>{say::DIGEST}</dt>
                <dd>
                    <Digest digest=registry.digest what=say::DIGEST/>
                </dd>
                <dt>{say::ROOTS}</dt>
                <dd>{say::threshold(registry.threshold, registry.roots)}</dd>
                <dt>{say::ISSUED}</dt>
                <dd>
                    <Exact at=registry.issued_at/>
                </dd>
                <dt>{say::EXPIRES}</dt>
                <dd>
                    <Exact at=registry.expires_at/>
                </dd>
            </dl>
            <div class="row">
                <a
                    class="button primary"
                    href=url::REGISTRY
                    rel="external"
                    download="trust-registry.json"
                >
                    {say::DOWNLOAD}
                </a>
                <a class="button" href=url::KEY_SET rel="external" download="signing-keys.json">
                    {say::KEY_SET}
                </a>
            </div>
        </section>
    }
}

#[component]
fn Keys(keys: Vec<KeyRow>) -> impl IntoView {
    use words::trust as say;
    let row = |key| view! { <Key key/> };
    view! {
        <section class="card flush" aria-labelledby="keys">
            <div class="pad">
                <h2 id="keys">{say::KEYS}</h2>
                <p class="text-muted">{say::KEYS_SAY}</p>
            </div>
            <table class="list">
                <caption class="sr-only">{say::KEYS}</caption>
                <thead>
                    <tr>{say::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
                </thead>
                <tbody>{keys.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}

#[component]
fn Key(key: KeyRow) -> impl IntoView {
    use words::trust as say;
    let signs = key.purposes.iter().map(|word| say::purpose(word)).collect::<Vec<_>>().join(", ");
    let signs = if signs.is_empty() { say::EVERYTHING.to_owned() } else { signs };
    let instant = |word: &'static str, at| {
        view! { <p>{word} " " <Second at/></p> }
    };
    let state = trust_badge(&key.state);
    let revoked = match key.state {
        KeyState::Revoked { at, reason, since } => Some(view! {
            <p>
                <Second at/>
            </p>
            <p>
                <bdi>{reason}</bdi>
            </p>
            {since.map(|at| view! { <p>{say::OTHERS_SINCE} " " <Second at/></p> })}
        }),
        _ => None,
    };
    view! {
        <tr>
            <th scope="row" data-label=say::HEAD[0]>
                <Digest digest=key.kid what=say::FINGERPRINT/>
            </th>
            <td data-label=say::HEAD[1]>{signs}</td>
            <td data-label=say::HEAD[2]>
                {state}
                {revoked}
            </td>
            <td data-label=say::HEAD[3]>
                {key.from.map(|at| instant(say::FROM, at))} {key.until.map(|at| instant(say::UNTIL, at))}
            </td>
        </tr>
    }
}

#[component]
fn Logs(logs: Vec<LogRow>) -> impl IntoView {
    use words::trust as say;
    let log = |log: LogRow| {
        view! {
            <dt>
                <bdi>{log.origin}</bdi>
            </dt>
            <dd>
                <Id id=log.vkey what=say::LOG_KEY/>
            </dd>
        }
    };
    view! {
        <section class="card stack" aria-labelledby="logs">
            <h2 id="logs">{say::LOGS}</h2>
            <p class="text-muted">{say::LOGS_SAY}</p>
            <dl class="facts">{logs.into_iter().map(log).collect_view()}</dl>
        </section>
    }
}

/// How a bundle is checked with what this page shows.
#[component]
fn Check(command: String) -> impl IntoView {
    use words::trust as say;
    view! {
        <section class="card stack" aria-labelledby="check">
            <h2 id="check">{say::CHECK}</h2>
            <p>{say::CHECK_SAYS}</p>
            <CodeBlock text=command label=say::COMMAND/>
            <p>
                <a href=url::VERIFY>{say::IN_BROWSER}</a>
            </p>
        </section>
    }
}
