//! Icons: inline SVG on a 16-pixel grid, in the color of the adjacent text.

use crate::any_view;
use leptos::prelude::*;

/// An icon. Icons are decorative: a visible label or the control's accessible name has the meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// Tick in a circle: ALLOW, verified.
    Allow,
    /// Cross in an octagon: DENY, failed.
    Deny,
    /// An eye: REVIEW, a user must review the decision.
    Review,
    /// A bell: ALERT.
    Alert,
    /// Dashed circle: shadow mode.
    Shadow,
    /// Dash in a circle: not applicable.
    Dash,
    /// Tick: passed.
    Tick,
    /// Cross: violated.
    Cross,
    /// Plus: create.
    Plus,
    /// Pen: a draft.
    Pen,
    /// Hourglass: waiting.
    Wait,
    /// Seal: ratified.
    Seal,
    /// Box: history.
    History,
    /// Exclamation mark in a triangle.
    Warn,
    /// Two sheets: copy.
    Copy,
    /// Three lines: the menu.
    Menu,
    /// Magnifying glass.
    Search,
    /// Question mark in a circle.
    Help,
    /// Arrow to the right: next.
    Next,
    /// Columns on a line: the overview.
    Overview,
    /// A tray: the inbox.
    Inbox,
    /// Scroll with lines: policies.
    Policies,
    /// Stacked sheets: policy groups.
    Groups,
    /// Scales: decisions.
    Decisions,
    /// Two links: chains.
    Chain,
    /// Arrow down to a line: export.
    Download,
    /// Columns: evaluated.
    Scale,
    /// A page: recorded.
    File,
    /// A signature: signed.
    Sign,
    /// A tree: anchored, the transparency log.
    Log,
    /// A page with fields: hosted forms.
    Form,
    /// Arrow to a line: webhooks.
    Webhook,
    /// Flask: an evaluation without a record.
    Try,
    /// Two people: members.
    Members,
    Key,
    /// Ticked lines: the audit log.
    Audit,
    /// Two sliders: settings.
    Settings,
    /// Arrow pointing up.
    Up,
    /// Arrow pointing down.
    Down,
    /// Arrows pointing up and down: a choice.
    UpDown,
    /// A page with a narrow column: the width of the navigation.
    Rail,
    /// A terminal: API keys.
    ApiKey,
    /// A wave: changed.
    Changed,
    /// A speech bubble: comments.
    Comment,
    /// A round arrow: load again.
    Refresh,
    /// A printer.
    Print,
}

impl Icon {
    const fn path(self) -> &'static str {
        match self {
            Self::Allow => {
                "M14.25 8a6.25 6.25 0 1 1-12.5 0 6.25 6.25 0 0 1 12.5 0M5.25 8.25l2 2 3.5-4.25"
            }
            Self::Form => "M3.75 1.75h8.5v12.5h-8.5zM6 4.5h4M6 7h4v2H6zM6 11.5h2",
            Self::Webhook => "M2 8h8.5M7 4.5L10.5 8 7 11.5M13.5 2.5v11",
            Self::Try => {
                "M6 1.75h4M6.75 1.75v4.5l-3.9 6.3a1.1 1.1 0 0 0 .95 1.7h8.4a1.1 1.1 0 0 0 .95-1.7l-3.9-6.3v-4.5M4.6 10h6.8"
            }
            Self::Deny => {
                "M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4zM6 6l4 4M10 6l-4 4"
            }
            Self::Review => {
                "M1.5 8S3.75 3.5 8 3.5 14.5 8 14.5 8 12.25 12.5 8 12.5 1.5 8 1.5 8M10 8a2 2 0 1 1-4 0 2 2 0 0 1 4 0"
            }
            Self::Alert => "M4 7a4 4 0 0 1 8 0c0 3.5 1.5 4.5 1.5 4.5h-11S4 10.5 4 7M6.75 14h2.5",
            Self::Shadow => {
                "M8 1.75a6.25 6.25 0 0 1 3.6 1.15M13.3 4.6a6.25 6.25 0 0 1 .9 3.9M13.3 11.4a6.25 6.25 0 0 1-2.8 2.3M7.5 14.23a6.25 6.25 0 0 1-3.6-1.5M2.3 10.6a6.25 6.25 0 0 1-.4-3.9M3.3 3.9a6.25 6.25 0 0 1 1.8-1.4"
            }
            Self::Dash => "M14.25 8a6.25 6.25 0 1 1-12.5 0 6.25 6.25 0 0 1 12.5 0M5.25 8h5.5",
            Self::Tick => "M3 8.5l3.25 3.25L13 4.5",
            Self::Cross => "M4 4l8 8M12 4l-8 8",
            Self::Plus => "M8 3v10M3 8h10",
            Self::Pen => "M10.5 2.75l2.75 2.75L5.5 13.25l-3.25.5.5-3.25zM9 4.25L11.75 7",
            Self::Wait => "M4 2h8M4 14h8M5 2v2.5L8 8l3-3.5V2M5 14v-2.5L8 8l3 3.5V14",
            Self::Seal => {
                "M12.25 6.25a4.25 4.25 0 1 1-8.5 0 4.25 4.25 0 0 1 8.5 0M5.5 10L4.5 14.5 8 12.75l3.5 1.75-1-4.5"
            }
            Self::History => "M2 3h12v3H2zM3 6v7.25h10V6M6.5 9h3",
            Self::Warn => "M8 2.25L14.5 13.5h-13zM8 6.5v3.25M8 11.5v.25",
            Self::Copy => "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
            Self::Menu => "M2.5 4.5h11M2.5 8h11M2.5 11.5h11",
            Self::Search => "M11.5 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0M10.25 10.25L14 14",
            Self::Help => {
                "M14.25 8a6.25 6.25 0 1 1-12.5 0 6.25 6.25 0 0 1 12.5 0M6.25 6.25a1.75 1.75 0 1 1 2.5 1.6c-.5.25-.75.5-.75 1.15M8 11.25v.25"
            }
            Self::Next => "M6 3.5L10.5 8 6 12.5",
            Self::Overview => "M2 14h12M4 14V9M8 14V3M12 14V6",
            Self::Inbox => "M2 9.5l2-6.75h8l2 6.75v3.75H2zM2 9.5h3.5l1 2h3l1-2H14",
            Self::Policies => "M3.5 1.75h9v12.5h-9zM6 5h4M6 8h4M6 11h2.5",
            Self::Groups => "M8 1.75l6 3-6 3-6-3zM2.5 8L8 10.75 13.5 8M2.5 11.25L8 14l5.5-2.75",
            Self::Decisions => "M8 2v12M4.5 14h7M2.5 4.5h11M4 4.5L2 9.5h4zM12 4.5l-2 5h4z",
            Self::Chain => {
                "M6.75 9.25a2.75 2.75 0 0 0 3.9 0l2.3-2.3a2.75 2.75 0 0 0-3.9-3.9L8.25 3.85M9.25 6.75a2.75 2.75 0 0 0-3.9 0l-2.3 2.3a2.75 2.75 0 0 0 3.9 3.9l.8-.8"
            }
            Self::Scale => "M2 12.5h12M4 12.5V8M8 12.5V3.5M12 12.5V6",
            Self::File => "M3.5 1.75h6l3 3v9.5h-9zM9.5 1.75v3h3",
            Self::Sign => {
                "M1.75 12.5c2-6 4-9 5.25-8.5S6 12 7.5 11.5s1.75-3 2.75-3 .5 2 1.5 2 1.25-.75 2.5-1M2 14.5h12"
            }
            Self::Log => {
                "M8 2v3M3.5 10.5V8h9v2.5M8 5v3M2 10.5h3v3H2zM6.5 10.5h3v3h-3zM11 10.5h3v3h-3z"
            }
            Self::Download => "M8 2v8M4.75 7L8 10.25 11.25 7M2.5 13.5h11",
            Self::Members => {
                "M8.5 5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0M1.5 13.5c0-2.75 2-4.5 4.5-4.5s4.5 1.75 4.5 4.5M10.5 2.75a2.5 2.5 0 0 1 0 4.5M12 9.5c1.5.6 2.5 2 2.5 4"
            }
            Self::Key => {
                "M8.5 7.5a3.25 3.25 0 1 1-6.5 0 3.25 3.25 0 0 1 6.5 0M8.5 7.5H14v3M11.5 7.5V10"
            }
            Self::Audit => {
                "M7.5 4H14M7.5 8H14M7.5 12H14M2 4l1.25 1.25L5.5 3M2 8l1.25 1.25L5.5 7M2 12l1.25 1.25L5.5 11"
            }
            Self::Settings => {
                "M2 5h6M12 5h2M2 11h2M8 11h6M12 5a2 2 0 1 1-4 0 2 2 0 0 1 4 0M8 11a2 2 0 1 1-4 0 2 2 0 0 1 4 0"
            }
            Self::Up => "M3.5 10.5L8 6l4.5 4.5",
            Self::Down => "M3.5 6L8 10.5 12.5 6",
            Self::UpDown => "M5 6.25L8 3.25l3 3M5 9.75l3 3 3-3",
            Self::Rail => "M2 3h12v10H2zM5 3v10",
            Self::ApiKey => "M2.5 3.5h11v9h-11zM5 6.5l1.75 1.5L5 9.5M8.5 10H11",
            Self::Changed => "M2.5 9c1.5-3 3.5-3 5.5-1s4 2 5.5-1",
            Self::Comment => "M2 2.75h12v8.5H8L4.5 14v-2.75H2z",
            Self::Refresh => "M13.5 8a5.5 5.5 0 1 1-1.6-3.9L13.5 5.5M13.5 2v3.5H10",
            Self::Print => "M4.5 6V2h7v4M4.5 11H2V6h12v5h-2.5M4.5 9h7v5h-7z",
        }
    }
}

/// Returns an icon for use next to a label.
pub fn icon(icon: Icon) -> AnyView {
    any_view! {
        <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
            <path d=icon.path()></path>
        </svg>
    }
}
