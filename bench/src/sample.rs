//! Generated contexts and rules, similar to those of real policies.

use serde_json::{Map, Value, json};

/// The number of distinct values in the gates of a sparse program; a context has four of them.
const REGIONS: usize = 400;

/// The shape of a context: the number of fields of each kind.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// The number of amounts `amount_0`, `amount_1`, …; the value is a hundred times the index.
    pub(crate) amounts: usize,
    /// The number of texts `label_0`, `label_1`, ….
    pub(crate) labels: usize,
}

impl Sample {
    /// 40 fields, half of them numbers: for the engine.
    pub(crate) const WIDE: Self = Self { amounts: 20, labels: 15 };

    /// 15 fields, a typical request: for requests over HTTP.
    pub(crate) const NARROW: Self = Self { amounts: 5, labels: 5 };

    /// Returns the fields of a context that violates no dense rule of this sample.
    pub(crate) fn fields(self) -> Map<String, Value> {
        let mut fields = Map::new();
        for n in 0..self.amounts {
            fields.insert(format!("amount_{n}"), json!(n * 100));
        }
        for n in 0..self.labels {
            fields.insert(format!("label_{n}"), json!(format!("Value number {n}")));
        }
        for n in 0..4 {
            fields.insert(format!("region_{n}"), json!(format!("R-{n}")));
        }
        fields.insert("valid_until".to_owned(), json!("2099-12-31"));
        fields
    }

    /// Returns the rule with this number: mostly thresholds, lists and presence.
    pub(crate) fn rule(self, n: usize) -> Value {
        if Self::is_temporal(n) {
            return rule(n, "temporal", &json!({"field": "valid_until", "check": "not_expired"}));
        }
        self.check(n).to_rule(n)
    }

    /// Returns whether the rule with this number requires that `valid_until` is not in the past.
    pub(crate) fn is_temporal(n: usize) -> bool {
        n % 10 == 8
    }

    /// Returns rules without dates, so that every engine can express them.
    pub(crate) fn comparable_rules(self, count: usize, gates: Gates) -> Vec<ComparableRule> {
        let rule = |n| ComparableRule {
            number: n,
            gate: (gates == Gates::Sparse).then(|| gate(n)),
            check: self.check(n),
        };
        (0..count).map(rule).collect()
    }

    /// Returns the check of the rule with this number that does not depend on time.
    pub(crate) fn check(self, n: usize) -> Check {
        let amount = format!("amount_{}", n % self.amounts);
        let label = format!("label_{}", n % self.labels);
        match n % 10 {
            0..=3 | 8 => Check::AtMost { field: amount, max: 500_000 },
            4 | 5 => Check::NoneOf { field: label, forbidden: ["Alpha", "Beta", "Gamma"] },
            6 | 7 => Check::Filled { field: label },
            _ => Check::NotAbove {
                left: "amount_1".to_owned(),
                right: format!("amount_{}", 1 + n % (self.amounts - 1)),
            },
        }
    }

    /// Returns a rule with a gate. One gate in a hundred matches. The gates are plain,
    /// case-insensitive, lists and nested.
    pub(crate) fn gated_rule(self, n: usize) -> Value {
        let mut rule = self.rule(n);
        rule["when"] = gate(n).to_json();
        rule
    }
}

/// The gates of the rules of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gates {
    /// No rule has a gate.
    Dense,
    /// Every rule has a gate. The first four of 400 match.
    Sparse,
}

/// A rule that every engine can express.
#[derive(Clone, Debug)]
pub(crate) struct ComparableRule {
    number: usize,
    pub(crate) gate: Option<Gate>,
    pub(crate) check: Check,
}

/// A condition under which a rule applies.
#[derive(Clone, Debug)]
pub(crate) enum Gate {
    Equals { field: String, text: String },
    EqualsIgnoringCase { field: String, text: String },
    OneOf { field: String, texts: [String; 2] },
    ExistsAndEquals { existing: &'static str, field: String, text: String },
}

fn gate(n: usize) -> Gate {
    let (field, text) = (format!("region_{}", n % 4), format!("R-{}", n % REGIONS));
    match n / REGIONS % 4 {
        0 => Gate::Equals { field, text },
        1 => Gate::EqualsIgnoringCase { field, text },
        2 => Gate::OneOf { field, texts: [text, format!("Q-{n}")] },
        _ => Gate::ExistsAndEquals { existing: "amount_1", field, text },
    }
}

impl Gate {
    fn to_json(&self) -> Value {
        match self {
            Self::Equals { field, text } => json!({"field": field, "equals": text}),
            Self::EqualsIgnoringCase { field, text } => {
                json!({"field": field, "equals": text, "case_sensitive": false})
            }
            Self::OneOf { field, texts } => json!({"field": field, "in": texts}),
            Self::ExistsAndEquals { existing, field, text } => json!({"all": [
                {"field": existing, "exists": true}, {"field": field, "equals": text},
            ]}),
        }
    }
}

/// A check that every engine can express.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// The number is at most `max`.
    AtMost { field: String, max: u32 },
    /// The text is not empty and not one of the forbidden texts. An empty text counts as missing.
    NoneOf { field: String, forbidden: [&'static str; 3] },
    /// The text is not empty.
    Filled { field: String },
    /// The left number is at most the right one.
    NotAbove { left: String, right: String },
}

impl ComparableRule {
    pub(crate) fn code(&self) -> String {
        code(self.number)
    }

    /// Returns the rule in the syntax of Govern.
    pub(crate) fn to_json(&self) -> Value {
        let mut rule = self.check.to_rule(self.number);
        if let Some(gate) = &self.gate {
            rule["when"] = gate.to_json();
        }
        rule
    }
}

impl Check {
    fn to_rule(&self, n: usize) -> Value {
        let (rule_type, condition) = match self {
            Self::AtMost { field, max } => ("threshold", json!({"field": field, "max": max})),
            Self::NoneOf { field, forbidden } => {
                ("list", json!({"field": field, "forbidden": forbidden, "case_sensitive": true}))
            }
            Self::Filled { field } => ("presence", json!({"required_fields": [field]})),
            Self::NotAbove { left, right } => {
                ("comparison", json!({"left": left, "operator": "lte", "right": right}))
            }
        };
        rule(n, rule_type, &condition)
    }
}

/// Returns the code of the rule with this number.
pub(crate) fn code(n: usize) -> String {
    format!("R-{n}")
}

fn rule(n: usize, rule_type: &str, condition: &Value) -> Value {
    json!({
        "code": code(n), "name": format!("Rule number {n}"), "rule_type": rule_type,
        "condition": condition, "severity": "high",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_sample_has_40_fields_and_narrow_sample_15() {
        assert_eq!(Sample::WIDE.fields().len(), 40);
        assert_eq!(Sample::NARROW.fields().len(), 15);
    }
}
