//! `/dev/mail`: the mail of a development process, which is not sent.

use page_kit::prelude::*;

/// A message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mail {
    /// The headers that are displayed: recipient, subject and date.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

/// Renders the page. `style` is the path of the style sheet.
pub fn render(mails: Vec<Mail>, style: &str) -> String {
    let empty = mails.is_empty().then(|| {
        view! { <p>"No mail yet. Invite a user, or request a password reset."</p> }
    });
    let mails = mails.into_iter().map(article).collect_view();
    let page = view! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8" />
                <meta name="viewport" content="width=device-width, initial-scale=1" />
                <meta name="robots" content="noindex" />
                <title>"Mail · Govern"</title>
                <link rel="stylesheet" href=style.to_owned() />
            </head>
            <body>
                <main class="stack">
                    <h1>"Mail of this development service"</h1>
                    <p>
                        "These messages were not sent. Set " <code>"GOVERN_SMTP_URL"</code>
                        " to send mail."
                    </p>
                    {mails}
                    {empty}
                </main>
            </body>
        </html>
    };
    page.to_html()
}

fn article(mail: Mail) -> AnyView {
    let headers = mail.headers.into_iter().map(|(name, value)| {
        view! {
            <dt>{name}</dt>
            <dd>{value}</dd>
        }
    });
    let headers = headers.collect_view();
    let body = mail.body.lines().map(line).collect_view();
    any_view! {
        <article class="card stack">
            <dl class="facts">{headers}</dl>
            <pre>{body}</pre>
        </article>
    }
}

/// Renders a line of text, as a link if it is a URL.
fn line(text: &str) -> AnyView {
    let is_link = text.starts_with("http://") || text.starts_with("https://");
    if !is_link || text.contains(' ') {
        return format!("{text}\n").into_any();
    }
    any_view! {
        <a href=text.to_owned()>{text.to_owned()}</a>
        "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mail_text_is_escaped_and_urls_become_links() {
        let mail = Mail {
            headers: vec![("Subject".to_owned(), "<b>".to_owned())],
            body: "\"<script>\" invited you\nhttps://govern.example/setup?token=t\n".to_owned(),
        };
        let page = render(vec![mail], "/pkg/govern.css").replace("<!>", "");
        assert!(page.contains("<dd>&lt;b&gt;</dd>") && !page.contains("<script>"), "{page}");
        let link = "https://govern.example/setup?token=t";
        assert!(page.contains(&format!("<a href=\"{link}\">{link}</a>\n</pre>")), "{page}");
    }
}
