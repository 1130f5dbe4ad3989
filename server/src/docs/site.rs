//! `/docs/start`: the pages of the documentation, their pictures, and their search. All are part of the program.

use std::{collections::HashMap, sync::LazyLock};

use axum::{
    Router,
    extract::State,
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use documents::documentation::{Content, Group, Link, Page, SEARCH, START, STYLE};
use http::{HeaderMap, HeaderValue, header};

use super::{
    catalogue,
    markdown::{self, Text},
    search::Index,
};
use crate::{
    console,
    edge::{ApiResult, Path, QueryReader, error::no_such_path},
    state::Service,
    v1::conditional::public_response,
};

const STYLE_SHEET: &str = include_str!("site.css");

/// The content security policy of the pages: style sheets, fonts, images and the search of this service.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'",
);

/// The maximum number of characters of a search.
const QUERY_MAX: usize = 200;

/// The rendered pages, from the first request on.
static SITE: LazyLock<Site> = LazyLock::new(Site::render);

#[derive(Debug)]
struct Site {
    navigation: Vec<Group>,
    /// The pages in the order of the navigation.
    pages: Vec<(Link, Text)>,
    /// The position of each page by its path.
    positions: HashMap<String, usize>,
    index: Index,
}

impl Site {
    fn render() -> Self {
        let (mut navigation, mut pages, mut index) = (Vec::new(), Vec::new(), Index::default());
        for (group, paths) in catalogue::groups() {
            let mut links = Vec::new();
            for (path, title) in paths {
                let Some(source) = catalogue::source(&path) else { continue };
                let text = markdown::render(&path, source);
                let title = title.map_or_else(|| text.title.clone(), str::to_owned);
                let link = Link { url: catalogue::url(&path), title };
                index.add(&link.url, &text.title, &text.sections);
                links.push(link.clone());
                pages.push((link, text));
            }
            if !links.is_empty() {
                navigation.push(Group { title: group.to_owned(), pages: links });
            }
        }
        let positions = pages.iter().enumerate().map(|(at, (link, _))| (link.url.clone(), at));
        let positions = positions.collect();
        Self { navigation, pages, positions, index }
    }

    /// Returns the page at `url`.
    fn page(&self, url: &str, frame: Frame) -> Option<Page<'_>> {
        let at = *self.positions.get(url)?;
        let link = |at: usize| self.pages.get(at).map(|(link, _)| link.clone());
        let (current, text) = self.pages.get(at)?;
        let content = Content::Text {
            body: text.html.clone(),
            headings: text.headings.clone(),
            previous: at.checked_sub(1).and_then(link),
            next: link(at + 1),
        };
        Some(Page {
            title: text.title.clone(),
            description: text.description.clone(),
            url: &current.url,
            style: frame.style,
            theme: frame.theme,
            navigation: &self.navigation,
            content,
        })
    }
}

/// What pages take from the service and from the request.
struct Frame {
    /// The path of the console's style sheet.
    style: String,
    /// The theme that the user has chosen in the console.
    theme: Option<&'static str>,
}

impl Frame {
    fn new(service: &Service, headers: &HeaderMap) -> Self {
        let cookies =
            headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut themes = cookies.flat_map(|text| text.split(';')).filter_map(|cookie| {
            let value = cookie.trim().strip_prefix("theme=")?;
            ["light", "dark"].into_iter().find(|theme| *theme == value)
        });
        Self { style: console::style(service), theme: themes.next() }
    }
}

/// Returns the routes of the pages, their style sheet and their pictures.
pub(super) fn routes() -> Router<Service> {
    Router::new()
        .route(START, get(start))
        .route(SEARCH, get(search))
        .route("/docs/{*path}", get(read))
}

/// Handles `GET /docs/start`.
async fn start(State(service): State<Service>, headers: HeaderMap) -> ApiResult<Response> {
    let page = SITE.page(START, Frame::new(&service, &headers)).ok_or_else(no_such_path)?;
    Ok(respond(&headers, page))
}

/// Handles `GET /docs/{path}`: a page, the style sheet, or a file of `docs`.
async fn read(
    State(service): State<Service>,
    Path((path,)): Path<(String,)>,
    headers: HeaderMap,
) -> ApiResult<Response> {
    let url = format!("/docs/{path}");
    if let Some(page) = url.strip_suffix('/').filter(|url| SITE.positions.contains_key(*url)) {
        return Ok(Redirect::permanent(page).into_response());
    }
    if let Some(page) = SITE.page(&url, Frame::new(&service, &headers)) {
        return Ok(respond(&headers, page));
    }
    if url == STYLE {
        return Ok(with_weak_etag(&headers, STYLE_SHEET, "text/css; charset=utf-8"));
    }
    let file = catalogue::file(&path).ok_or_else(no_such_path)?;
    let content_type = match path.rsplit('.').next() {
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        _ => "text/plain; charset=utf-8",
    };
    Ok(public_response(&headers, file, content_type, "no-cache").into_response())
}

/// Handles `GET /docs/search`. Unknown parameters are ignored, because links are shared with tracking parameters.
async fn search(
    State(service): State<Service>,
    headers: HeaderMap,
    mut query: QueryReader,
) -> Response {
    let text = query.text("q", QUERY_MAX, "Words").unwrap_or_default();
    let frame = Frame::new(&service, &headers);
    let page = Page {
        title: "Search".to_owned(),
        description: "Search the documentation of Govern by words.".to_owned(),
        url: SEARCH,
        style: frame.style,
        theme: frame.theme,
        navigation: &SITE.navigation,
        content: Content::Results { hits: SITE.index.search(&text), query: text },
    };
    respond(&headers, page)
}

/// Returns the response with a page. It differs between themes, which a cookie selects.
fn respond(headers: &HeaderMap, page: Page<'_>) -> Response {
    let mut response = with_weak_etag(headers, page.render(), "text/html; charset=utf-8");
    let written = response.headers_mut();
    written.insert(header::CONTENT_SECURITY_POLICY, POLICY);
    written.insert(header::VARY, HeaderValue::from_static("cookie"));
    written.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}

/// Returns a response that clients must revalidate. Its `ETag` is weak, because the response may be compressed.
fn with_weak_etag(
    headers: &HeaderMap,
    body: impl Into<axum::body::Bytes>,
    content_type: &'static str,
) -> Response {
    let mut response = public_response(headers, body, content_type, "no-cache").into_response();
    let etag = response.headers().get(header::ETAG).and_then(|etag| etag.to_str().ok());
    let weak = etag.and_then(|etag| HeaderValue::from_str(&format!("W/{etag}")).ok());
    if let Some(weak) = weak {
        response.headers_mut().insert(header::ETAG, weak);
    }
    response
}
