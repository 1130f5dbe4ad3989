//! The transparency log: its checkpoint, the entries of a digest, and earlier logs.

use leptos::prelude::*;

use super::{
    act::read_log,
    view::{EntryRow, LogPage as LogView, RekorRow, Tree},
};
use crate::{
    text::{number::counted, url},
    ui::{
        code::{CodeBlock, Digest, Id},
        empty::Empty,
        facts::{digest_fact, fact, id_fact},
        field::TextField,
        heading::Heading,
        icon::{Icon, icon},
        list::table,
        load::load,
        note::{Tone, note},
        params,
        public::PublicFrame,
        time::{Exact, Minute, Second},
    },
};

/// `/log`, and `/log?digest=` with the entries of a digest.
#[component]
pub(crate) fn LogPage() -> impl IntoView {
    let content =
        load(params::query("digest"), read_log, |page| view! { <LogContent page /> }.into_any());
    view! { <PublicFrame width="reading">{content}</PublicFrame> }
}

#[component]
fn LogContent(page: LogView) -> impl IntoView {
    use super::words as strings;
    let Some(current) = page.current else {
        let (title, text) = if page.is_enabled {
            (strings::NOT_STARTED, strings::NOT_STARTED_NOTE)
        } else {
            (strings::DISABLED, strings::DISABLED_NOTE)
        };
        return view! {
            <Heading title=strings::TITLE />
            <p class="intro">{strings::INTRO}</p>
            <Empty title text />
        }
        .into_any();
    };
    let is_halted = page.halt_reason.is_some();
    let state = match page.halt_reason {
        Some(reason) => view! { <Halted reason /> }.into_any(),
        None if page.is_enabled => ().into_any(),
        None => note(Tone::Warn, None, strings::NO_LONGER),
    };
    let earlier = (!page.earlier.is_empty()).then(|| view! { <Earlier trees=page.earlier /> });
    view! {
        <Heading title=strings::TITLE />
        <p class="intro">{strings::INTRO}</p>
        <div class="stack">
            {state} <Checkpoint tree=current rekor=page.rekor />
            <LookUp digest=page.digest found=page.found is_halted /> {earlier} <p>
                <a href=url::TRUST>{strings::KEYS}</a>
            </p>
        </div>
    }
    .into_any()
}

/// The reason why no entries are added.
#[component]
fn Halted(reason: String) -> impl IntoView {
    use super::words as strings;
    let text = view! {
        <p class="font-semibold">{strings::HALTED}</p>
        <p>{strings::halt_reason(&reason)} " " <code class="rule-code">{reason}</code></p>
        <p>{strings::HALTED_NOTE}</p>
    };
    warning(text)
}

/// A warning of several paragraphs.
fn warning(text: impl IntoView) -> AnyView {
    view! {
        <div class="note warn" role="status">
            {icon(Icon::Warn)}
            <div>{text}</div>
        </div>
    }
    .into_any()
}

#[component]
fn Checkpoint(tree: Tree, rekor: Option<RekorRow>) -> impl IntoView {
    use super::words as strings;
    let cosignatures = if tree.cosigners.is_empty() {
        view! { <span class="text-muted">{strings::NO_COSIGNATURES}</span> }.into_any()
    } else {
        let name = |name: String| {
            view! {
                <li>
                    <bdi class="breaks">{name}</bdi>
                </li>
            }
        };
        view! { <ul class="plain-list">{tree.cosigners.into_iter().map(name).collect_view()}</ul> }
            .into_any()
    };
    let rekor = match rekor {
        Some(RekorRow { size, recorded_at, log_index }) => view! {
            <p>
                {strings::rekor(size, log_index.as_deref())}
                {recorded_at
                    .map(|at| {
                        view! {
                            ", "
                            <Minute at />
                        }
                    })}
            </p>
            <p>
                <a href=url::REKOR rel="external">
                    {strings::REKOR_PROOF}
                </a>
            </p>
        }
        .into_any(),
        None => view! { <span class="text-muted">{strings::NO_REKOR}</span> }.into_any(),
    };
    view! {
        <section class="card stack" aria-labelledby="checkpoint">
            <h2 id="checkpoint">{strings::CHECKPOINT}</h2>
            <dl class="facts">
                <dt>{strings::ORIGIN}</dt>
                <dd>
                    <bdi class="breaks">{tree.origin}</bdi>
                </dd>
                {fact(
                    strings::SIZE,
                    view! { <span class="tabular-nums">{counted(tree.size)}</span> },
                )}
                {digest_fact(strings::ROOT, tree.root)}
                {tree.signed_at.map(|at| fact(strings::SIGNED, view! { <Exact at /> }))}
                {fact(strings::COSIGNATURES, cosignatures)}
                {fact(strings::REKOR, rekor)}
                {id_fact(strings::KEY, tree.vkey)}
            </dl>
            <details class="disclosure">
                <summary>{strings::NOTE}</summary>
                <CodeBlock text=tree.checkpoint label=strings::NOTE />
                <p>
                    <a href=url::CHECKPOINT rel="external">
                        {strings::NOTE_LINK}
                    </a>
                </p>
            </details>
        </section>
    }
}

/// The form that looks up a digest, and its entries. The request is read-only, so its address can be
/// bookmarked.
#[component]
fn LookUp(
    digest: String,
    found: Option<Result<Vec<EntryRow>, String>>,
    is_halted: bool,
) -> impl IntoView {
    use super::words as strings;
    let found = found.map(|found| match found {
        Ok(entries) if entries.is_empty() => {
            let next = if is_halted { strings::NOT_FOUND_HALTED } else { strings::NOT_FOUND_NOTE };
            let text = view! {
                <p class="font-semibold">{strings::NOT_FOUND}</p>
                <p>{next}</p>
            };
            warning(text)
        }
        Ok(entries) => {
            entries.into_iter().map(|entry| view! { <Entry entry /> }).collect_view().into_any()
        }
        Err(error) => note(Tone::Deny, Some("alert"), error),
    });
    view! {
        <section class="card stack" aria-labelledby="look-up">
            <h2 id="look-up">{strings::LOOK_UP_TITLE}</h2>
            <p class="text-muted">{strings::LOOK_UP_HELP}</p>
            <form method="get" action=url::LOG class="stack" aria-labelledby="look-up">
                <TextField label=strings::DIGEST name="digest" value=digest />
                <div class="row">
                    <button>{strings::LOOK_UP}</button>
                </div>
            </form>
            {found}
        </section>
    }
}

#[component]
fn Entry(entry: EntryRow) -> impl IntoView {
    use super::words as strings;
    let final_proof = entry.final_proof.map(|proof| {
        view! {
            <details class="disclosure">
                <summary>{strings::FINAL_PROOF}</summary>
                <CodeBlock text=proof label=strings::FINAL_PROOF />
            </details>
        }
    });
    view! {
        <article class="stack" data-entry=entry.kind.clone()>
            <h3>{strings::kind(&entry.kind).to_owned()}</h3>
            <dl class="facts">
                <dt>{strings::ORIGIN}</dt>
                <dd>
                    <bdi class="breaks">{entry.origin}</bdi>
                </dd>
                {fact(
                    strings::INDEX,
                    view! { <span class="tabular-nums">{counted(entry.index)}</span> },
                )}
                {fact(strings::ANCHORED, view! { <Exact at=entry.anchored_at /> })}
                {digest_fact(strings::LEAF, entry.leaf_hash)}
                {fact(strings::UNDER, strings::entries(entry.tree_size))}
                {digest_fact(strings::ROOT, entry.root)}
            </dl>
            <details class="disclosure" open>
                <summary>{strings::PROOF}</summary>
                <p class="text-muted">{strings::PROOF_HELP}</p>
                <CodeBlock text=entry.proof label=strings::PROOF />
            </details>
            {final_proof}
        </article>
    }
}

#[component]
fn Earlier(trees: Vec<Tree>) -> impl IntoView {
    use super::words as strings;
    view! {
        <section class="card flush" aria-labelledby="earlier">
            <div class="pad">
                <h2 id="earlier">{strings::EARLIER}</h2>
                <p class="text-muted">{strings::EARLIER_HELP}</p>
            </div>
            {table(strings::EARLIER, strings::EARLIER_HEAD, trees, earlier_row)}
        </section>
    }
}

fn earlier_row(tree: Tree) -> impl IntoView {
    use super::words as strings;
    view! {
        <tr>
            <th scope="row" data-label=strings::EARLIER_HEAD[0]>
                <bdi class="breaks">{tree.origin}</bdi>
            </th>
            <td data-label=strings::EARLIER_HEAD[1] class="tabular-nums">
                {counted(tree.size)}
            </td>
            <td data-label=strings::EARLIER_HEAD[2]>
                <p>{strings::FROM} " " <Second at=tree.began_at /></p>
                {tree.frozen_at.map(|at| view! { <p>{strings::UNTIL} " " <Second at /></p> })}
            </td>
            <td data-label=strings::EARLIER_HEAD[3]>
                <details class="disclosure">
                    <summary>{strings::SHOW}</summary>
                    <p>{strings::ROOT} " " <Digest digest=tree.root what=strings::ROOT /></p>
                    <p>{strings::KEY} " " <Id id=tree.vkey what=strings::KEY /></p>
                    <CodeBlock text=tree.checkpoint label=strings::NOTE />
                </details>
            </td>
        </tr>
    }
}
