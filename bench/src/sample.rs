//! Contexts and rules as policies have them, made by number.

use serde_json::{Map, Value, json};

/// How many values the gates of a sparse program ask for; a context has four of them.
const REGIONS: usize = 400;

/// How many fields a context has, by what they hold.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// Amounts, `amount_0` and so on: each a hundred times its number.
    pub(crate) amounts: usize,
    /// Texts, `label_0` and so on.
    pub(crate) labels: usize,
}

impl Sample {
    /// 40 fields, of which half are numbers: for the engine.
    pub(crate) const WIDE: Self = Self { amounts: 20, labels: 15 };

    /// 15 fields, as a system sends them: for requests.
    pub(crate) const NARROW: Self = Self { amounts: 5, labels: 5 };

    /// The fields of a context. Every dense rule of this sample is kept by them.
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

    /// The rule with this number: mostly thresholds, lists and presence.
    pub(crate) fn rule(self, n: usize) -> Value {
        if n % 10 == 8 {
            return rule(n, "temporal", &json!({"field": "valid_until", "check": "not_expired"}));
        }
        self.timeless_rule(n)
    }

    /// The same without dates, for which every engine has its own words.
    pub(crate) fn timeless_rule(self, n: usize) -> Value {
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

    /// What the timeless rule with this number asks for.
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

    /// A rule with a gate. One gate in a hundred matches: plain, folded, listed and nested ones.
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

/// What a rule asks for, in words that every engine has.
#[derive(Clone, Debug)]
pub(crate) enum Check {
    /// A number that is not above a bound.
    AtMost {
        /// The number.
        field: String,
        /// The bound.
        max: u32,
    },
    /// A text that is none of these, and not empty: an empty one is as good as missing.
    NoneOf {
        /// The text.
        field: String,
        /// What it must not be.
        forbidden: [&'static str; 3],
    },
    /// A text that is not empty.
    Filled {
        /// The text.
        field: String,
    },
    /// A number that is not above another.
    NotAbove {
        /// The number.
        left: String,
        /// The other.
        right: String,
    },
}

/// The code of the rule with this number.
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
    fn the_wide_sample_has_40_fields_and_the_narrow_one_15() {
        assert_eq!(Sample::WIDE.fields().len(), 40);
        assert_eq!(Sample::NARROW.fields().len(), 15);
    }
}
