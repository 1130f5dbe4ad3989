//! Parses, fills in and encodes the HTML form of a page, as a browser without JavaScript does.

use crate::prelude::*;

/// The fields of an HTML form and their values, in document order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HtmlForm(Vec<(String, String)>);

impl HtmlForm {
    /// Parses the form of `page` whose action is `action`.
    pub(super) fn parse(page: &str, action: &str) -> Self {
        let start = page.find(&format!("action=\"{action}\""));
        let start = start.unwrap_or_else(|| panic!("no form for {action}: {page}"));
        let form = page[start..].split("</form>").next().unwrap_or_default();
        let mut fields = Vec::new();
        for (at, _) in form.match_indices('<') {
            let tag = Tag::parse(&form[at..]);
            let (Some(name), Some(value)) = (tag.attribute("name"), tag.value()) else { continue };
            if name != "tenant" {
                fields.push((name, value));
            }
        }
        Self(fields)
    }

    /// Returns the value of a field. Unchecked boxes have no value.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value of a field, or checks its box.
    pub(super) fn fill(&mut self, name: &str, text: &str) {
        match self.0.iter_mut().find(|(field, _)| field == name) {
            Some((_, value)) => text.clone_into(value),
            None => self.0.push((name.to_owned(), text.to_owned())),
        }
    }

    /// Encodes the form with the value `act` of the submit button.
    pub(super) fn encode(&self, act: &str) -> String {
        let mut pairs = self.0.clone();
        pairs.push(("act".to_owned(), act.to_owned()));
        let pair = |(name, value): (String, String)| {
            format!("{}={}", encoded(&name), encoded(&value.replace('\n', "\r\n")))
        };
        pairs.into_iter().map(pair).collect::<Vec<_>>().join("&")
    }
}

/// A tag and the text after it.
struct Tag<'p> {
    tag: &'p str,
    rest: &'p str,
}

impl<'p> Tag<'p> {
    fn parse(text: &'p str) -> Self {
        let mut is_quoted = false;
        let end = text.find(|letter| {
            is_quoted ^= letter == '"';
            letter == '>' && !is_quoted
        });
        let (tag, rest) = text.split_at(end.unwrap_or(text.len() - 1) + 1);
        Self { tag, rest }
    }

    fn attribute(&self, name: &str) -> Option<String> {
        let (_, rest) = self.tag.split_once(&format!(" {name}=\""))?;
        Some(decoded(rest.split('"').next().unwrap_or_default()))
    }

    /// Returns the value that a browser sends for the field of this tag.
    fn value(&self) -> Option<String> {
        let value = self.attribute("value");
        if self.tag.starts_with("<textarea") {
            let text = decoded(self.rest.split("</textarea>").next().unwrap_or_default());
            return Some(text.strip_prefix('\n').map(str::to_owned).unwrap_or(text));
        }
        if self.tag.starts_with("<select") {
            let options = self.rest.split("</select>").next().unwrap_or_default();
            let options =
                options.match_indices("<option").map(|(at, _)| Self::parse(&options[at..]));
            let options: Vec<_> = options.collect();
            let selected = options.iter().find(|option| option.tag.contains(" selected"));
            return selected.or(options.first()).and_then(|option| option.attribute("value"));
        }
        let is_input = self.tag.starts_with("<input");
        let is_box = self.tag.contains("type=\"checkbox\"");
        (is_input && (!is_box || self.tag.contains(" checked"))).then(|| value.unwrap_or_default())
    }
}

/// Decodes HTML entities and normalizes line breaks to `\n`.
fn decoded(html: &str) -> String {
    unescape(html).replace("\r\n", "\n")
}
