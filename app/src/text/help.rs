//! Texts of the help page: shortcuts and terms.

/// The keyboard shortcuts, with their effects.
pub(crate) const KEYS: [(&str, &str); 28] = [
    ("/", "go to the search field; an id opens its decision"),
    ("g i", "go to the inbox, where your role has one"),
    ("g p", "go to the policies"),
    ("g d", "go to the decisions"),
    ("g a", "go to the alerts"),
    ("g f", "go to the forms"),
    ("g w", "go to the webhooks, where your role looks after them"),
    ("g u", "go to the audit log, where your role may read it"),
    ("j", "next row of a list, next rule of a review"),
    ("k", "previous row"),
    ("[", "previous comment"),
    ("]", "next comment"),
    ("Enter", "open the row"),
    ("o", "open the row, or the first one"),
    ("n", "new: a policy, a draft, a rule, wherever you are"),
    ("x", "tick this row of a list, or the next one"),
    ("Shift+X", "tick every row of the page"),
    ("e", "acknowledge what is ticked, or the alert of the page"),
    ("s", "send the version for review"),
    ("v", "mark this rule of a review as viewed, or the next one"),
    ("Shift+V", "mark all of them"),
    ("c", "comment on this rule"),
    ("a", "accept what you have reviewed"),
    ("b", "return it to its author"),
    ("r", "ratify or activate, whichever is asked for"),
    ("Ctrl+Enter", "the main act of a form or dialog"),
    ("Esc", "close a dialog"),
    ("?", "this page"),
];

/// The terms, with their definitions.
pub(crate) const TERMS: [(&str, &str); 12] = [
    ("Policy", "Rules that belong together, under one code. It decides once a version is active."),
    ("Version", "One state of a policy's rules. Once it is submitted, its rules never change."),
    (
        "Revision",
        "A draft's count of edits: r1, r2, and so on. You always sign one exact revision.",
    ),
    ("Rule", "One condition with a severity. It passes, is violated, or does not apply."),
    (
        "Gate",
        "When a rule applies. Values are compared as they are: the text \"1\" is not the number 1.",
    ),
    (
        "Ratify",
        "Approve a submitted version in your own name. Whoever wrote or sent it may have to leave this to somebody else.",
    ),
    ("Activate", "Let a ratified version decide from now on. The earlier one stays as history."),
    ("Shadow mode", "The policy is evaluated and shown, and does not count."),
    (
        "Decision",
        "A context, the verdict on it, and the exact rules that gave it. It is never changed.",
    ),
    ("Snapshot", "The active policies of one moment, kept as they were when they decided."),
    ("Digest", "A fingerprint of exact bytes. Equal digests mean equal bytes."),
    ("Receipt", "A signed statement about a decision, for anybody who has its link."),
];
