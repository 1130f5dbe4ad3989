//! The texts of the public pages of a form in German.

use contract::{
    evaluation::{ReasonCode, Verdict},
    form::BudgetWindow,
    text::isolated,
};

use super::{AnswerError, PublicFormTexts, Wait};

pub(super) const TEXTS: PublicFormTexts = PublicFormTexts {
    description: "Ein Formular. Freigegebene Regeln entscheiden über die Angaben, und zu jeder Entscheidung gibt es einen Beleg, den alle prüfen können.",
    skip: "Zum Inhalt springen",
    help: "Hilfe",
    requested_by,
    requester_note: "Ihre Angaben werden mit der Entscheidung gespeichert.",
    data_notice: "Ihre Angaben werden anhand einer Richtlinie geprüft und dauerhaft aufgezeichnet. Sie erhalten einen Beleg.",
    submit: "Absenden",
    required: "(erforderlich)",
    choose: "Bitte auswählen",
    yes: "Ja",
    no: "Nein",
    utc: "In UTC.",
    decimal: ',',
    which_number: "Gemeint ist",
    error: "Fehler",
    token_title: "Zugangscode erforderlich",
    token_help: "Verwenden Sie den Link, den Sie erhalten haben, oder geben Sie den Zugangscode aus dem Link ein.",
    token: "Zugangscode",
    wrong_token: "Der Zugangscode ist für dieses Formular nicht gültig.",
    password_title: "Passwort erforderlich",
    password_help: "Das Passwort erhalten Sie von der Person, die Ihnen den Link geschickt hat.",
    password: "Passwort",
    wrong_password: "Das Passwort ist falsch.",
    sign_in_title: "Anmeldung erforderlich",
    sign_in_help: "Nur Mitglieder dieser Organisation können das Formular absenden.",
    sign_in: "Anmelden",
    not_a_member: "Nur Mitglieder dieser Organisation können das Formular absenden. Melden Sie sich mit einem anderen Konto an.",
    answers_saved: "Ihre Angaben bleiben auf dieser Seite erhalten. Fahren Sie hier fort, sobald Sie Zugriff haben.",
    continue_button: "Weiter",
    answers_preserved: "Ihre Angaben sind unten erhalten. Senden Sie sie dann erneut ab.",
    already_submitted: "Von dieser Seite haben Sie bereits andere Angaben abgesendet. Senden Sie das Formular erneut ab, um auch diese zu übermitteln.",
    closed: "Dieses Formular nimmt derzeit keine Angaben entgegen.",
    too_many_requests: "Zu viele Anfragen.",
    unavailable: "Dienst nicht verfügbar",
    internal_error: "Es ist ein Fehler aufgetreten",
    too_large: "Ihre Angaben sind zu lang",
    too_large_help: "Gehen Sie zurück, kürzen Sie Ihre Angaben und senden Sie sie erneut ab. Es wurde nichts aufgezeichnet.",
    unreadable: "Ihre Angaben sind nicht lesbar",
    unreadable_help: "Gehen Sie zurück und senden Sie das Formular erneut ab. Es wurde nichts aufgezeichnet.",
    not_found: "Seite nicht gefunden",
    not_found_help: "Die Seite existiert nicht, oder Sie haben keinen Zugriff darauf.",
    unavailable_help: "Die Datenbank ist nicht verfügbar. Es wurde nichts geändert.",
    internal_error_help: "Versuchen Sie es erneut. Besteht das Problem weiter, wenden Sie sich mit der Korrelations-ID an die Person, die Ihnen den Link geschickt hat.",
    correlation_id: "Korrelations-ID",
    exhausted,
    fields_need_attention,
    wait,
    answer_error,
    result: "Ergebnis",
    verdict,
    numbers_read: "So wurden Ihre Zahlen gelesen",
    reasons: "Gründe",
    notes: "Hinweise",
    violation,
    maximum: "Höchstwert",
    minimum: "Mindestwert",
    save_link: "Speichern Sie diesen Link:",
    check: "Selbst prüfen",
    bundle: "Prüfpaket herunterladen",
    print: "Drucken",
    proof: "Nachweis",
    verdict_label: "Entscheidung",
    decided: "Entschieden",
    policy: "Richtlinie",
    policy_version,
    redacted: "In diesem öffentlichen Beleg sind Werte entfernt.",
    decision_id: "Entscheidungs-ID",
    integrity_digest: "Prüfsumme der Entscheidung",
    context_digest: "Prüfsumme der Angaben",
    snapshot_digest: "Prüfsumme des Regelstands",
    rules_digest: "Prüfsumme der Regeln",
    signature: "Signatur",
    unsigned: "Nicht signiert",
    key: "Schlüssel-ID",
    log: "Transparenzprotokoll",
    anchored: "Eingetragen",
    not_anchored: "Noch nicht eingetragen",
    statement: "Signierte Erklärung",
    recorded_with: "Aufgezeichnet mit Govern.",
    about: "Über diesen Dienst",
    verify: "Entscheidung prüfen",
    signing_keys: "Signaturschlüssel",
    months: [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    date,
};

fn requested_by(name: &str) -> String {
    format!("Angefordert von {}.", isolated(name))
}

const fn exhausted(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => {
            "Das Formular hat die Höchstzahl an Einsendungen pro Stunde erreicht."
        }
        BudgetWindow::Day => "Das Formular hat die Höchstzahl an Einsendungen pro Tag erreicht.",
        BudgetWindow::Total => "Das Formular hat die Höchstzahl an Einsendungen erreicht.",
    }
}

fn fields_need_attention(count: usize) -> String {
    match count {
        1 => "1 Feld muss korrigiert werden".to_owned(),
        count => format!("{count} Felder müssen korrigiert werden"),
    }
}

fn wait(wait: Wait) -> String {
    match wait {
        Wait::Seconds(1) => "Versuchen Sie es in einer Sekunde erneut.".to_owned(),
        Wait::Seconds(seconds) => format!("Versuchen Sie es in {seconds} Sekunden erneut."),
        Wait::Minutes(minutes) => format!("Versuchen Sie es in {minutes} Minuten erneut."),
        Wait::Hours(hours) => format!("Versuchen Sie es in {hours} Stunden erneut."),
    }
}

fn answer_error(error: &AnswerError) -> String {
    let text = match error {
        AnswerError::Missing => "Diese Angabe ist erforderlich.",
        AnswerError::NotNumber => "Geben Sie eine Zahl ein, zum Beispiel 2500.",
        AnswerError::AmbiguousNumber => {
            "Diese Zahl kann auf zwei Arten gelesen werden. Wählen Sie, welche Sie meinen."
        }
        AnswerError::NotAllowed => "Wählen Sie aus den Möglichkeiten.",
        AnswerError::NotDate => "Geben Sie ein Datum ein, zum Beispiel 2026-09-01.",
        AnswerError::NotDateTime => {
            "Geben Sie Datum und Uhrzeit ein, zum Beispiel 2026-09-01T10:00."
        }
        AnswerError::NotEmail => "Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com.",
        AnswerError::NotUrl => {
            "Geben Sie eine Internetadresse ein, zum Beispiel https://example.com."
        }
        AnswerError::Range { min: Some(min), max: Some(max) } => {
            return format!("Geben Sie eine Zahl von {min} bis {max} ein.");
        }
        AnswerError::Range { min: Some(min), max: None } => {
            return format!("Geben Sie mindestens {min} ein.");
        }
        AnswerError::Range { min: None, max: Some(max) } => {
            return format!("Geben Sie höchstens {max} ein.");
        }
        AnswerError::Range { min: None, max: None } => {
            "Die Zahl liegt außerhalb des zulässigen Bereichs."
        }
        AnswerError::TooShort(min) => return format!("Geben Sie mindestens {min} Zeichen ein."),
        AnswerError::TooLong(Some(max)) => {
            return format!("Geben Sie höchstens {max} Zeichen ein.");
        }
        AnswerError::TooLong(None) => "Die Angabe ist zu lang.",
        AnswerError::Pattern => "Die Angabe hat nicht das verlangte Format.",
        AnswerError::Unknown => {
            "Das Formular wurde geändert und fragt nicht mehr nach einer Ihrer Angaben. Prüfen Sie die übrigen und senden Sie sie erneut ab."
        }
        AnswerError::Invalid => "Die Angabe ist ungültig.",
    };
    text.to_owned()
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow | Verdict::Alert => "Ihre Angaben erfüllen die Anforderungen.",
        Verdict::Review => {
            "Eine Person muss Ihre Angaben prüfen, bevor die Entscheidung endgültig ist."
        }
        Verdict::Deny => "Ihre Angaben erfüllen die Anforderungen nicht.",
    }
}

const fn violation(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::FieldMissing => "Eine Angabe fehlt.",
        ReasonCode::FieldForbidden => "Diese Angabe ist hier nicht zulässig.",
        ReasonCode::FieldTooShort => "Die Angabe ist zu kurz.",
        ReasonCode::DateExpired => "Das Datum ist abgelaufen oder liegt zu weit zurück.",
        ReasonCode::DateInvalid => "Der Wert ist kein Datum.",
        ReasonCode::DateNotYetValid => "Das Datum ist zu früh oder liegt in der Zukunft.",
        ReasonCode::ValueAboveMax => "Die Zahl ist zu hoch.",
        ReasonCode::ValueBelowMin => "Die Zahl ist zu niedrig.",
        ReasonCode::ValueNotNumeric => "Der Wert ist keine Zahl.",
        ReasonCode::ValueNotAllowed => "Der Wert gehört nicht zu den zulässigen Werten.",
        ReasonCode::ValueForbidden => "Der Wert ist nicht zulässig.",
        ReasonCode::PatternMismatch => "Die Angabe hat nicht das verlangte Format.",
        ReasonCode::PatternForbidden => "Die Angabe enthält etwas, das nicht zulässig ist.",
        ReasonCode::ComparisonFailed => {
            "Die Werte stehen nicht im verlangten Verhältnis zueinander."
        }
        ReasonCode::EvidenceMissing => "Ein erforderlicher Nachweis fehlt.",
        ReasonCode::EvidenceHashMismatch => {
            "Der Nachweis stimmt nicht mit seiner Prüfsumme überein."
        }
        ReasonCode::ValuesNotDistinct => "Werte, die sich unterscheiden müssen, sind gleich.",
    }
}

fn policy_version(name: &str, version: u32) -> String {
    format!("{}, Version {version}", isolated(name))
}

fn date(day: &str, month: &str, year: &str, clock: &str) -> String {
    format!("{day}. {month} {year}, {clock} UTC")
}
