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
        if n % 10 == 8 {
            return rule(n, "temporal", &json!({"field": "valid_until", "check": "not_expired"}));
        }
        self.rule_without_time(n)
    }

    /// Returns the rule with this number without dates, so that every engine can express it.
    pub(crate) fn rule_without_time(self, n: usize) -> Value {
        let check = self.check(n);
        let (rule_type, condition) = match &check {
            Check::AtMost { field, max } => ("threshold", json!({"field": field, "max": max})),
            Check::NoneOf { field, forbidden } => {
                ("list", json!({"field": field, "forbidden": forbidden, "case_sensitive": true}))
            }
            Check::Filled { field } => ("presence", json!({"required_fields": [field]})),
            Check::NotAbove { left, right } => {
                ("comparison", json!({"left": left, "operator": "lte", "right": right}))
            }
        };
        rule(n, rule_type, &condition)
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
        let (field, region) = (format!("region_{}", n % 4), format!("R-{}", n % REGIONS));
        let plain = json!({"field": field, "equals": region});
        let mut rule = self.rule(n);
        rule["when"] = match n / REGIONS % 4 {
            0 => plain,
            1 => json!({"field": field, "equals": region, "case_sensitive": false}),
            2 => json!({"field": field, "in": [region, format!("Q-{n}")]}),
            _ => json!({"all": [{"field": "amount_1", "exists": true}, plain]}),
        };
        rule
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
