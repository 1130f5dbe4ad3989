//! Gates as the lines of a form, and back. A gate is a tree; its lines stand in reading order, each
//! one step deeper than the group that it belongs to.

use contract::{
    error::FieldError,
    json::{Object, Value},
};
use serde::{Deserialize, Serialize};

use super::{condition::TICKED, scalar};

/// One line: a group, or a condition on one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateLine {
    /// How many groups it stands in.
    pub depth: u32,
    /// One of [`GROUPS`] or [`TESTS`].
    pub test: String,
    /// The field.
    pub field: String,
    /// The kind of its values.
    pub kind: String,
    /// The value of `equals`.
    pub value: String,
    /// The values of `in`, one a line.
    pub values: String,
    /// Ticked: letters count as they are written.
    pub exact: Option<String>,
    /// Whether `case_sensitive` is written out although it says what its absence says.
    pub stated: Option<String>,
}

/// The groups, and what people call them.
pub const GROUPS: [(&str, &str); 2] = [("all", "All of these"), ("any", "Any of these")];

/// The conditions on one field, and what people call them.
pub const TESTS: [(&str, &str); 4] =
    [("equals", "is"), ("in", "is one of"), ("given", "is given"), ("missing", "is not given")];

impl GateLine {
    /// Whether it holds other lines.
    pub fn is_group(&self) -> bool {
        GROUPS.iter().any(|(word, _)| *word == self.test)
    }

    /// An empty condition.
    fn condition(depth: u32) -> Self {
        let (test, kind, exact) = ("equals".to_owned(), "text".to_owned(), Some(TICKED.to_owned()));
        Self { depth, test, kind, exact, ..Self::default() }
    }

    fn group(depth: u32) -> Self {
        Self { depth, test: "all".to_owned(), ..Self::default() }
    }
}

/// The lines of a stored gate.
pub(super) fn lines(gate: &Value) -> Vec<GateLine> {
    let mut lines = Vec::new();
    show(gate, 0, &mut lines);
    lines
}

fn show(gate: &Value, depth: u32, lines: &mut Vec<GateLine>) {
    for (word, _) in GROUPS {
        if let Some(members) = gate.get(word).and_then(Value::as_array) {
            lines.push(GateLine { depth, test: word.to_owned(), ..GateLine::default() });
            return members.iter().for_each(|member| show(member, depth + 1, lines));
        }
    }
    let field = gate.get("field").and_then(Value::as_str).unwrap_or_default().to_owned();
    let said = gate.get("case_sensitive").and_then(Value::as_bool);
    let tick = |on: bool| on.then(|| TICKED.to_owned());
    let mut line = GateLine {
        depth,
        field,
        kind: "text".to_owned(),
        exact: tick(said != Some(false)),
        stated: tick(said == Some(true)),
        ..GateLine::default()
    };
    let test = if let Some(value) = gate.get("equals") {
        scalar::kind(std::slice::from_ref(value), false).clone_into(&mut line.kind);
        line.value = scalar::typed(value, &line.kind);
        "equals"
    } else if let Some(values) = gate.get("in").and_then(Value::as_array) {
        scalar::kind(values, true).clone_into(&mut line.kind);
        let typed: Vec<_> = values.iter().map(|value| scalar::typed(value, &line.kind)).collect();
        line.values = typed.join("\n");
        "in"
    } else if gate.get("exists").and_then(Value::as_bool) == Some(false) {
        "missing"
    } else {
        "given"
    };
    test.clone_into(&mut line.test);
    lines.push(line);
}

/// The gate that lines make; none without lines.
pub(super) fn gate(lines: &[GateLine], faults: &mut Vec<FieldError>) -> Option<Value> {
    let paths = paths(lines);
    let mut at = 0;
    let first = (!lines.is_empty()).then(|| node(lines, &paths, &mut at, faults))?;
    if at >= lines.len() {
        return Some(first);
    }
    // Only a form that was put together by hand has two beginnings.
    let mut members = vec![first];
    while at < lines.len() {
        members.push(node(lines, &paths, &mut at, faults));
    }
    Some(Value::Object(Object::from([("all", Value::from(members))])))
}

fn node(
    lines: &[GateLine],
    paths: &[String],
    at: &mut usize,
    faults: &mut Vec<FieldError>,
) -> Value {
    let (line, path) = (&lines[*at], &paths[*at]);
    *at += 1;
    if !line.is_group() {
        return Value::Object(condition(line, path, faults));
    }
    let mut members = Vec::new();
    while lines.get(*at).is_some_and(|next| next.depth > line.depth) {
        members.push(node(lines, paths, at, faults));
    }
    Value::Object(Object::from([(line.test.as_str(), Value::from(members))]))
}

fn condition(line: &GateLine, path: &str, faults: &mut Vec<FieldError>) -> Object {
    let mut gate = Object::new();
    let field = line.field.trim();
    if !field.is_empty() {
        gate.insert("field", field);
    }
    match line.test.as_str() {
        "given" => gate.insert("exists", true),
        "missing" => gate.insert("exists", false),
        "in" => {
            let at = format!("{path}/in");
            let read = |text| scalar::read(text, &line.kind, &at, faults);
            let values: Vec<_> = scalar::lines(&line.values).map(read).collect();
            gate.insert("in", values)
        }
        _ => {
            let at = format!("{path}/equals");
            gate.insert("equals", scalar::read(&line.value, &line.kind, &at, faults))
        }
    };
    let has_values = matches!(line.test.as_str(), "equals" | "in");
    let exact = line.exact.is_some();
    if has_values && (!exact || line.stated.is_some()) {
        gate.insert("case_sensitive", exact);
    }
    gate
}

/// Where each line stands in its rule.
pub fn paths(lines: &[GateLine]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for (place, line) in lines.iter().enumerate() {
        let mut before = lines.iter().enumerate().take(place);
        let parent = before.rfind(|(_, other)| other.depth < line.depth);
        let path = match parent {
            None => "/when".to_owned(),
            Some((parent, group)) => {
                let between = &lines[parent + 1..place];
                let number = between.iter().filter(|other| other.depth <= line.depth).count();
                format!("{}/{}/{number}", paths[parent], group.test)
            }
        };
        paths.push(path);
    }
    paths
}

/// A change of a gate's lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateChange {
    /// One more condition in the group at this line; at the root without one.
    AddCondition(Option<usize>),
    /// One more group in the group at this line; at the root without one.
    AddGroup(Option<usize>),
    /// The line goes, with all that stands in it.
    Remove(usize),
}

impl GateChange {
    /// The word of the button that asks for it.
    pub fn word(self) -> String {
        let place =
            |place: Option<usize>| place.map_or_else(String::new, |place| place.to_string());
        match self {
            Self::AddCondition(group) => format!("gate-condition-{}", place(group)),
            Self::AddGroup(group) => format!("gate-group-{}", place(group)),
            Self::Remove(line) => format!("gate-remove-{line}"),
        }
    }

    /// What a button asks for.
    pub fn of(word: &str) -> Option<Self> {
        let (what, place) = word.strip_prefix("gate-")?.split_once('-')?;
        let place = place.parse().ok();
        match what {
            "condition" => Some(Self::AddCondition(place)),
            "group" => Some(Self::AddGroup(place)),
            "remove" => Some(Self::Remove(place?)),
            _ => None,
        }
    }

    /// Changes `lines`; returns the place of the new line, or of what follows a removed one.
    pub fn apply(self, lines: &mut Vec<GateLine>) -> usize {
        match self {
            Self::AddCondition(group) => add(lines, group, GateLine::condition),
            Self::AddGroup(group) => add(lines, group, GateLine::group),
            Self::Remove(line) if line < lines.len() => {
                let end = end(lines, line);
                lines.drain(line..end);
                line
            }
            Self::Remove(_) => 0,
        }
    }
}

/// The first line after `line` and all that stands in it.
fn end(lines: &[GateLine], line: usize) -> usize {
    let depth = lines[line].depth;
    let inner = lines.iter().skip(line + 1).take_while(|other| other.depth > depth).count();
    line + 1 + inner
}

fn add(lines: &mut Vec<GateLine>, group: Option<usize>, new: fn(u32) -> GateLine) -> usize {
    let group = group.filter(|place| lines.get(*place).is_some_and(GateLine::is_group));
    let Some(group) = group else { return add_to_root(lines, new) };
    let place = end(lines, group);
    lines.insert(place, new(lines[group].depth + 1));
    place
}

/// A root that is no group becomes the first member of one.
fn add_to_root(lines: &mut Vec<GateLine>, new: fn(u32) -> GateLine) -> usize {
    if lines.is_empty() {
        lines.push(new(0));
        return 0;
    }
    if !lines[0].is_group() {
        for line in lines.iter_mut() {
            line.depth += 1;
        }
        lines.insert(0, GateLine::group(0));
    }
    add(lines, Some(0), new)
}
