//! The files of a bundle, and the content of one file.

use leptos::prelude::*;

use crate::{
    bundle::{
        view::{FileLine, OpenFile},
        words,
    },
    text::url,
    ui::{
        code::{CodeBlock, Digest},
        params,
    },
};

/// The files in the order of the archive. A file name opens the file.
#[component]
pub(super) fn Files(files: Vec<FileLine>, path: String) -> impl IntoView {
    let [name, what, size, digest] = words::FILE_HEAD;
    let open = params::query("file");
    let row = move |file: FileLine| {
        let href = format!("{}#open", url::with_query(&path, &[("file", &file.name)]));
        let row_name = file.name.clone();
        let current = move || (open() == row_name).then_some("true");
        view! {
            <tr>
                <th scope="row" class="font-mono" data-label=name>
                    <a href=href aria-current=current>
                        {parts(&file.name)}
                    </a>
                </th>
                <td data-label=what>{words::file(&file.name)}</td>
                <td class="tabular-nums" data-label=size>
                    {words::size(file.size)}
                </td>
                <td data-label=digest>
                    <Digest digest=file.digest what=words::FILE_DIGEST />
                </td>
            </tr>
        }
    };
    view! {
        <section class="card flush" aria-labelledby="files">
            <div class="pad">
                <h2 id="files">{words::FILES}</h2>
            </div>
            <table class="list files">
                <caption class="sr-only">{words::FILES}</caption>
                <thead>
                    <tr>{words::FILE_HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
                </thead>
                <tbody>{files.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}

/// Renders a file name that may wrap after a slash.
fn parts(name: &str) -> impl IntoView + use<> {
    let part = |part: &str| {
        view! {
            {part.to_owned()}
            <wbr />
        }
    };
    name.split_inclusive('/').map(part).collect_view()
}

/// One file in readable form, followed by the exact text that is hashed.
#[component]
pub(super) fn FileContent(file: OpenFile, path: String) -> impl IntoView {
    let OpenFile { name, readable, signed, exact, is_cut } = file;
    let signed = signed.map(|text| {
        view! {
            <h3>{words::ENVELOPE}</h3>
            <CodeBlock text label=words::ENVELOPE />
        }
    });
    let exact = exact.map(|text| {
        view! {
            <details class="disclosure">
                <summary>{words::EXACT_BYTES}</summary>
                <CodeBlock text label=words::EXACT_BYTES />
            </details>
        }
    });
    view! {
        <section class="card stack" id="open" aria-labelledby="opened">
            <div class="card-head">
                <h2 id="opened" class="font-mono">
                    {parts(&name)}
                </h2>
                <a href=path>{words::CLOSE}</a>
            </div>
            <p>{words::file(&name)}</p>
            {signed}
            <h3>{words::CONTENTS}</h3>
            <CodeBlock text=readable label=words::CONTENTS />
            {exact}
            {is_cut.then(|| view! { <p class="text-muted">{words::TRUNCATED}</p> })}
        </section>
    }
}
