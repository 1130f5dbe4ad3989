//! The files of a bundle, and one of them open.

use leptos::prelude::*;

use crate::{
    page::params,
    text::{url, words},
    ui::code::{CodeBlock, Digest},
    view::bundle::{FileLine, OpenFile},
};

/// The files in the order of the archive; the name opens one.
#[component]
pub(super) fn Files(files: Vec<FileLine>, path: String) -> impl IntoView {
    let [name, what, size, digest] = words::bundle::FILE_HEAD;
    let open = params::query("file");
    let row = move |file: FileLine| {
        let href = format!("{}#open", url::with_query(&path, &[("file", &file.name)]));
        let own = file.name.clone();
        let current = move || (open() == own).then_some("true");
        view! {
            <tr>
                <th scope="row" class="font-mono" data-label=name>
                    <a href=href aria-current=current>
                        {parts(&file.name)}
                    </a>
                </th>
                <td data-label=what>{words::bundle::file(&file.name)}</td>
                <td class="tabular-nums" data-label=size>
                    {words::bundle::size(file.size)}
                </td>
                <td data-label=digest>
                    <Digest digest=file.digest what=words::bundle::FILE_DIGEST/>
                </td>
            </tr>
        }
    };
    view! {
        <section class="card flush" aria-labelledby="files">
            <div class="pad">
                <h2 id="files">{words::bundle::FILES}</h2>
            </div>
            <table class="list files">
                <caption class="sr-only">{words::bundle::FILES}</caption>
                <thead>
                    <tr>
                        {words::bundle::FILE_HEAD.map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                <tbody>{files.into_iter().map(row).collect_view()}</tbody>
            </table>
        </section>
    }
}

/// A name that may break after a slash.
fn parts(name: &str) -> impl IntoView + use<> {
    let part = |part: &str| view! { {part.to_owned()} <wbr/> };
    name.split_inclusive('/').map(part).collect_view()
}

/// A file to be read: what it holds, and under it what exactly is hashed.
#[component]
pub(super) fn Open(open: OpenFile, path: String) -> impl IntoView {
    let OpenFile { name, readable, signed, exact, is_cut } = open;
    let signed = signed.map(|text| {
        view! {
            <h3>{words::bundle::SIGNED}</h3>
            <CodeBlock text label=words::bundle::SIGNED/>
        }
    });
    let exact = exact.map(|text| {
        view! {
            <details class="disclosure">
                <summary>{words::bundle::EXACT}</summary>
                <CodeBlock text label=words::bundle::EXACT/>
            </details>
        }
    });
    view! {
        <section class="card stack" id="open" aria-labelledby="opened">
            <div class="card-head">
                <h2 id="opened" class="font-mono">
                    {parts(&name)}
                </h2>
                <a href=path>{words::bundle::CLOSE}</a>
            </div>
            <p>{words::bundle::file(&name)}</p>
            {signed}
            <h3>{words::bundle::READABLE}</h3>
            <CodeBlock text=readable label=words::bundle::READABLE/>
            {exact}
            {is_cut.then(|| view! { <p class="text-muted">{words::bundle::CUT}</p> })}
        </section>
    }
}
