//! Conversion between gates and form lines. A gate is a tree. Its lines are in reading order, each one level
//! deeper than its group.

use super::{condition::TICKED, scalar};

use crate::prelude::*;

/// One line of a gate: a group, or a condition on one field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct GateLine {
    /// The number of enclosing groups.
    pub depth: u32,
    /// One of [`GROUPS`] or [`TESTS`].
    pub test: String,
    pub field: String,
    /// The kind of its values.
    pub kind: String,
    /// The value of `equals`.
    pub value: String,
    /// The value of `equals` if the values are true or false. It takes precedence over `value`.
    pub truth: String,
    /// The values of `in`, one per line.
    pub values: String,
    /// Present if the comparison is case-sensitive.
    pub exact: Option<String>,
    /// Present if `case_sensitive` is written explicitly, although its value is the default.
    pub stated: Option<String>,
}

/// The groups, with their labels.
pub const GROUPS: [(&str, &str); 2] = [("all", "All of these"), ("any", "Any of these")];

/// The conditions on one field, with their labels.
pub const TESTS: [(&str, &str); 4] =
    [("equals", "is"), ("in", "is one of"), ("given", "is given"), ("missing", "is not given")];

impl GateLine {
    pub fn is_group(&self) -> bool {
        GROUPS.iter().any(|(word, _)| *word == self.test)
    }

    /// Returns an empty condition.
    fn condition(depth: u32) -> Self {
        let (test, kind, exact) = ("equals".to_owned(), "text".to_owned(), Some(TICKED.to_owned()));
        Self { depth, test, kind, exact, ..Self::default() }
    }

    fn group(depth: u32) -> Self {
        Self { depth, test: "all".to_owned(), ..Self::default() }
    }

    /// Sets the field `name`.
    pub(super) fn set(&mut self, name: &str, value: String) {
        match name {
            "depth" => self.depth = value.parse().unwrap_or_default(),
            "test" => self.test = value,
            "field" => self.field = value,
            "kind" => self.kind = value,
            "value" => self.value = value,
            "truth" => self.truth = value,
            "values" => self.values = value,
            "exact" => self.exact = Some(value),
            "stated" => self.stated = Some(value),
            _ => {}
        }
    }
}

/// Converts a stored gate to lines.
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
    let explicit = gate.get("case_sensitive").and_then(Value::as_bool);
    let checkbox = |on: bool| on.then(|| TICKED.to_owned());
    let mut line = GateLine {
        depth,
        field,
        kind: "text".to_owned(),
        exact: checkbox(explicit != Some(false)),
        stated: checkbox(explicit == Some(true)),
        ..GateLine::default()
    };
    let test = if let Some(value) = gate.get("equals") {
        scalar::kind(std::slice::from_ref(value), false).clone_into(&mut line.kind);
        line.value = scalar::to_input(value, &line.kind);
        if line.kind == "truth" {
            line.truth.clone_from(&line.value);
        }
        "equals"
    } else if let Some(values) = gate.get("in").and_then(Value::as_array) {
        scalar::kind(values, true).clone_into(&mut line.kind);
        let inputs: Vec<_> =
            values.iter().map(|value| scalar::to_input(value, &line.kind)).collect();
        line.values = inputs.join("\n");
        "in"
    } else if gate.get("exists").and_then(Value::as_bool) == Some(false) {
        "missing"
    } else {
        "given"
    };
    test.clone_into(&mut line.test);
    lines.push(line);
}

/// Converts lines to a gate; returns `None` without lines.
pub(super) fn gate(lines: &[GateLine], errors: &mut Vec<FieldError>) -> Option<Value> {
    let paths = paths(lines);
    let mut index = 0;
    let first = (!lines.is_empty()).then(|| node(lines, &paths, &mut index, errors))?;
    if index >= lines.len() {
        return Some(first);
    }
    // Only a manually constructed form has more than one root.
    let mut members = vec![first];
    while index < lines.len() {
        members.push(node(lines, &paths, &mut index, errors));
    }
    Some(Value::Object(Object::from([("all", Value::from(members))])))
}

/// Returns the gate of each line: the condition, or the group with all lines inside it.
#[cfg(feature = "ssr")]
pub fn gates(lines: &[GateLine]) -> Vec<Value> {
    let paths = paths(lines);
    let gate = |line: usize| node(lines, &paths, &mut { line }, &mut Vec::new());
    (0..lines.len()).map(gate).collect()
}

fn node(
    lines: &[GateLine],
    paths: &[String],
    index: &mut usize,
    errors: &mut Vec<FieldError>,
) -> Value {
    let (line, path) = (&lines[*index], &paths[*index]);
    *index += 1;
    if !line.is_group() {
        return Value::Object(condition(line, path, errors));
    }
    let mut members = Vec::new();
    while lines.get(*index).is_some_and(|next| next.depth > line.depth) {
        members.push(node(lines, paths, index, errors));
    }
    Value::Object(Object::from([(line.test.as_str(), Value::from(members))]))
}

fn condition(line: &GateLine, path: &str, errors: &mut Vec<FieldError>) -> Object {
    let mut gate = Object::new();
    let field = line.field.trim();
    if !field.is_empty() {
        gate.insert("field", field);
    }
    match line.test.as_str() {
        "given" => gate.insert("exists", true),
        "missing" => gate.insert("exists", false),
        "in" => {
            let value_path = format!("{path}/in");
            let read = |text| scalar::read(text, &line.kind, &value_path, errors);
            let values: Vec<_> = scalar::lines(&line.values).map(read).collect();
            gate.insert("in", values)
        }
        _ => {
            let value_path = format!("{path}/equals");
            let is_choice = line.kind == "truth" && !line.truth.is_empty();
            let value = if is_choice { &line.truth } else { &line.value };
            gate.insert("equals", scalar::read(value, &line.kind, &value_path, errors))
        }
    };
    let has_values = matches!(line.test.as_str(), "equals" | "in");
    let exact = line.exact.is_some();
    if has_values && (!exact || line.stated.is_some()) {
        gate.insert("case_sensitive", exact);
    }
    gate
}

/// Returns the path of each line within its rule.
pub fn paths(lines: &[GateLine]) -> Vec<String> {
    let mut paths: Vec<String> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let mut before = lines.iter().enumerate().take(index);
        let parent = before.rfind(|(_, other)| other.depth < line.depth);
        let path = match parent {
            None => "/when".to_owned(),
            Some((parent, group)) => {
                let between = &lines[parent + 1..index];
                let number = between.iter().filter(|other| other.depth <= line.depth).count();
                format!("{}/{}/{number}", paths[parent], group.test)
            }
        };
        paths.push(path);
    }
    paths
}

/// A change of the lines of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateChange {
    /// Adds a condition to the group at this line, or to the root.
    AddCondition(Option<usize>),
    /// Adds a group to the group at this line, or to the root.
    AddGroup(Option<usize>),
    /// Removes the line and all lines inside it.
    Remove(usize),
}

impl GateChange {
    /// Returns the value of the button.
    pub fn word(self) -> String {
        let text = |index: Option<usize>| index.map_or_else(String::new, |index| index.to_string());
        match self {
            Self::AddCondition(group) => format!("gate-condition-{}", text(group)),
            Self::AddGroup(group) => format!("gate-group-{}", text(group)),
            Self::Remove(line) => format!("gate-remove-{line}"),
        }
    }

    /// Parses the value of a button.
    pub fn of(word: &str) -> Option<Self> {
        let (kind, index) = word.strip_prefix("gate-")?.split_once('-')?;
        let index = index.parse().ok();
        match kind {
            "condition" => Some(Self::AddCondition(index)),
            "group" => Some(Self::AddGroup(index)),
            "remove" => Some(Self::Remove(index?)),
            _ => None,
        }
    }

    /// Changes `lines`. Returns the index of the new line, or of the line after a removed one.
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

/// Returns the index of the first line after `line` and the lines inside it.
fn end(lines: &[GateLine], line: usize) -> usize {
    let depth = lines[line].depth;
    let inner_count = lines.iter().skip(line + 1).take_while(|other| other.depth > depth).count();
    line + 1 + inner_count
}

fn add(lines: &mut Vec<GateLine>, group: Option<usize>, new: fn(u32) -> GateLine) -> usize {
    let group = group.filter(|index| lines.get(*index).is_some_and(GateLine::is_group));
    let Some(group) = group else { return add_to_root(lines, new) };
    let index = end(lines, group);
    lines.insert(index, new(lines[group].depth + 1));
    index
}

/// Adds a line to the root. A root that is not a group first becomes the member of a new group.
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
