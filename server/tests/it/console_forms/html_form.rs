//! A form of a page, as a browser without scripts reads it, fills it in and sends it.

use crate::console_pages::encoded;

/// What stands in the fields of a form, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sheet(Vec<(String, String)>);

impl Sheet {
    /// The form of `page` that is sent to `action`.
    pub(super) fn of(page: &str, action: &str) -> Self {
        let start = page.find(&format!("action=\"{action}\""));
        let start = start.unwrap_or_else(|| panic!("no form for {action}: {page}"));
        let form = page[start..].split("</form>").next().unwrap_or_default();
        let mut fields = Vec::new();
        for (at, _) in form.match_indices('<') {
            let tag = Tag::of(&form[at..]);
            let (Some(name), Some(value)) = (tag.attribute("name"), tag.value()) else { continue };
            if name != "tenant" {
                fields.push((name, value));
            }
        }
        Self(fields)
    }

    /// What stands in a field; nothing when there is no such field, or its box is not ticked.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// Types into a field, or ticks its box.
    pub(super) fn fill(&mut self, name: &str, text: &str) {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, value)) => text.clone_into(value),
            None => self.0.push((name.to_owned(), text.to_owned())),
        }
    }

    /// What the browser sends when the button with this word is pressed.
    pub(super) fn pressed(&self, act: &str) -> String {
        let mut pairs = self.0.clone();
        pairs.push(("act".to_owned(), act.to_owned()));
        let pair = |(name, value): (String, String)| {
            // Browsers leave letters and digits of names as they are.
            let name = name.replace('[', "%5B").replace(']', "%5D");
            format!("{name}={}", encoded(&value.replace('\n', "\r\n")))
        };
        pairs.into_iter().map(pair).collect::<Vec<_>>().join("&")
    }
}

/// A tag and what follows it.
struct Tag<'p> {
    tag: &'p str,
    rest: &'p str,
}

impl<'p> Tag<'p> {
    fn of(text: &'p str) -> Self {
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
        Some(unescaped(rest.split('"').next().unwrap_or_default()))
    }

    /// What the browser would send for the field that begins here.
    fn value(&self) -> Option<String> {
        let own = self.attribute("value");
        if self.tag.starts_with("<textarea") {
            let text = unescaped(self.rest.split("</textarea>").next().unwrap_or_default());
            return Some(text.strip_prefix('\n').map(str::to_owned).unwrap_or(text));
        }
        if self.tag.starts_with("<select") {
            let options = self.rest.split("</select>").next().unwrap_or_default();
            let options = options.match_indices("<option").map(|(at, _)| Self::of(&options[at..]));
            let options: Vec<_> = options.collect();
            let chosen = options.iter().find(|option| option.tag.contains(" selected"));
            return chosen.or(options.first()).and_then(|option| option.attribute("value"));
        }
        let is_input = self.tag.starts_with("<input");
        let is_box = self.tag.contains("type=\"checkbox\"");
        (is_input && (!is_box || self.tag.contains(" checked"))).then(|| own.unwrap_or_default())
    }
}

/// A text of a page, whose line breaks are all of one kind.
fn unescaped(text: &str) -> String {
    let text = text
        .replace("\r\n", "\n")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"");
    text.replace("&#39;", "'").replace("&#x27;", "'").replace("&amp;", "&")
}
