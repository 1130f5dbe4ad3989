//! The results of a gate and of its parts, which explain why a rule applies.

use contract::{
    json::{Object, Value},
    read::{FieldErrors, JsonPath},
    time::Timestamp,
};

use crate::{context_values::ContextValues, field::SlotTable, gate::Gate, input::Input};

/// A gate with its result for a context, and the results of its parts.
#[derive(Clone, Debug, PartialEq)]
pub struct GateTrace {
    /// The gate as authored.
    pub gate: Value,
    /// Whether the gate matches the context.
    pub matches: bool,
    /// The value of the field; absent for `all` and `any`, and if the context does not have the field.
    pub actual: Option<Value>,
    /// The gates in `all` or `any`, in authored order.
    pub parts: Vec<GateTrace>,
}

impl GateTrace {
    /// Evaluates a gate and each of its parts against `context.fields`. Returns `None` if the gate is invalid.
    ///
    /// ```
    /// use contract::json::{Limits, Value};
    /// use engine::GateTrace;
    ///
    /// let value = |text: &str| Value::parse(text.as_bytes(), &Limits::REQUEST).unwrap();
    /// let gate = value(r#"{"any": [{"field": "kind", "equals": "open"}, {"field": "fast", "exists": true}]}"#);
    /// let context = value(r#"{"kind": "closed", "fast": false}"#);
    /// let trace = GateTrace::new(&gate, context.as_object().unwrap()).unwrap();
    /// assert!(trace.matches);
    /// let parts: Vec<_> = trace.parts.iter().map(|part| part.matches).collect();
    /// assert_eq!(parts, [false, true]);
    /// assert_eq!(trace.parts[0].actual, Some(Value::from("closed")));
    /// ```
    pub fn new(gate: &Value, fields: &Object) -> Option<Self> {
        let (mut names, mut errors) = (SlotTable::default(), FieldErrors::default());
        let parsed = Gate::read(gate, &JsonPath::ROOT, &mut errors, &mut names)?;
        // A gate reads only fields.
        let as_of = Timestamp::from_millis(0)?;
        let input = Input { fields, evidence: &[], actor_id: None, as_of };
        Some(Self::of(gate, &parsed, &ContextValues::read(&names, &input, |_, _| ())))
    }

    fn of(authored: &Value, gate: &Gate, context: &ContextValues<'_>) -> Self {
        let trace = |name: &str, members: &[Gate]| {
            let authored = authored.get(name).and_then(Value::as_array).unwrap_or_default();
            let parts = authored.iter().zip(members);
            parts.map(|(authored, gate)| Self::of(authored, gate, context)).collect()
        };
        let (actual, parts) = match gate {
            Gate::OneOf { field, .. } | Gate::Exists { field, .. } => {
                (context.member(field).cloned(), Vec::new())
            }
            Gate::All(members) => (None, trace("all", members)),
            Gate::Any(members) => (None, trace("any", members)),
        };
        Self { gate: authored.clone(), matches: gate.matches(context), actual, parts }
    }
}
