//! Texts of the help page: shortcuts and terms.

pub(crate) const KEYS: [(&str, &str); 28] = [
    ("/", "go to the search field; an ID opens its decision"),
    ("g i", "go to the inbox, if your role has one"),
    ("g p", "go to the policies"),
    ("g d", "go to the decisions"),
    ("g a", "go to the alerts"),
    ("g f", "go to the forms"),
    ("g w", "go to the webhooks, if your role manages them"),
    ("g u", "go to the audit log, if your role can read it"),
    ("j", "next row of a list, next rule of a review"),
    ("k", "previous row"),
    ("[", "previous comment"),
    ("]", "next comment"),
    ("Enter", "open the row"),
    ("o", "open the row, or the first one"),
    ("n", "create a policy, a draft or a rule, depending on the page"),
    ("x", "select this row or the next row"),
    ("Shift+X", "select all rows on the page"),
    ("e", "acknowledge the selected alerts, or the alert of the page"),
    ("s", "submit the version for review"),
    ("v", "mark this rule of a review as viewed, or the next one"),
    ("Shift+V", "mark all rules as viewed"),
    ("c", "comment on this rule"),
    ("a", "accept what you have reviewed"),
    ("b", "request changes"),
    ("r", "ratify or activate the version"),
    ("Ctrl+Enter", "the main action of a form or dialog"),
    ("Esc", "close a dialog"),
    ("?", "this page"),
];

pub(crate) const TERMS: [(&str, &str); 12] = [
    (
        "Policy",
        "A set of rules with a unique code. A policy takes effect when one of its versions is active.",
    ),
    ("Version", "One state of a policy's rules. Once it is submitted, its rules never change."),
    (
        "Revision",
        "A draft's count of edits: r1, r2, and so on. You always sign one exact revision.",
    ),
    ("Rule", "One condition with a severity. It passes, is violated, or does not apply."),
    (
        "Gate",
        "The condition under which a rule applies. Types are compared too: the text \"1\" is not the number 1.",
    ),
    (
        "Ratify",
        "Approve and sign a submitted version. With maker-checker on, the author and submitter cannot ratify it.",
    ),
    ("Activate", "Make a ratified version take effect. The previous version stays in the history."),
    ("Shadow mode", "The policy is evaluated and reported but does not affect verdicts."),
    (
        "Decision",
        "A recorded context, its verdict and the exact rules that produced it. It never changes.",
    ),
    ("Snapshot", "The exact set of active policies used for a decision."),
    ("Digest", "A fingerprint of exact bytes. Equal digests mean equal bytes."),
    ("Receipt", "A signed statement about a decision, readable by anyone with its link."),
];
