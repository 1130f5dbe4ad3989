//! The texts of the public pages of a form in French.

use contract::{
    evaluation::{ReasonCode, Verdict},
    form::BudgetWindow,
    text::isolated,
};

use super::{AnswerError, PublicFormTexts, Wait};

pub(super) const TEXTS: PublicFormTexts = PublicFormTexts {
    description: "Un formulaire. Des règles approuvées décident des réponses envoyées, et chaque décision a un reçu que chacun peut vérifier.",
    skip: "Aller au contenu",
    help: "Aide",
    requested_by,
    requester_note: "Vos réponses sont conservées avec la décision.",
    data_notice: "Vos réponses sont vérifiées selon une politique et enregistrées définitivement. Vous recevez un reçu.",
    submit: "Envoyer",
    required: "(obligatoire)",
    choose: "Choisir",
    yes: "Oui",
    no: "Non",
    utc: "En UTC.",
    decimal: ',',
    which_number: "Le nombre est",
    error: "Erreur",
    token_title: "Jeton d’accès requis",
    token_help: "Utilisez le lien que vous avez reçu ou saisissez le jeton qu’il contient.",
    token: "Jeton d’accès",
    wrong_token: "Ce jeton d’accès n’est pas valable pour ce formulaire.",
    password_title: "Mot de passe requis",
    password_help: "Demandez le mot de passe à la personne qui vous a envoyé le lien.",
    password: "Mot de passe",
    wrong_password: "Mot de passe incorrect.",
    sign_in_title: "Connexion requise",
    sign_in_help: "Seuls les membres de cette organisation peuvent envoyer le formulaire.",
    sign_in: "Se connecter",
    not_a_member: "Seuls les membres de cette organisation peuvent envoyer le formulaire. Connectez-vous avec un autre compte.",
    answers_saved: "Vos réponses sont conservées sur cette page. Continuez ici dès que vous avez accès.",
    continue_button: "Continuer",
    answers_preserved: "Vos réponses sont conservées ci-dessous. Vous pourrez alors les envoyer de nouveau.",
    already_submitted: "Vous avez déjà envoyé d’autres réponses depuis cette page. Envoyez de nouveau le formulaire pour transmettre aussi celles-ci.",
    closed: "Ce formulaire n’accepte actuellement pas de réponses.",
    too_many_requests: "Trop de requêtes.",
    unavailable: "Service indisponible",
    internal_error: "Une erreur s’est produite",
    too_large: "Vos réponses sont trop longues",
    too_large_help: "Revenez en arrière, raccourcissez vos réponses et envoyez-les à nouveau. Rien n’a été enregistré.",
    unreadable: "Vos réponses sont illisibles",
    unreadable_help: "Revenez en arrière et envoyez à nouveau le formulaire. Rien n’a été enregistré.",
    not_found: "Page introuvable",
    not_found_help: "Cette page n’existe pas ou vous n’y avez pas accès.",
    unavailable_help: "La base de données est indisponible. Rien n’a été modifié.",
    internal_error_help: "Réessayez. Si le problème persiste, transmettez l’identifiant de corrélation à la personne qui vous a envoyé le lien.",
    correlation_id: "Identifiant de corrélation",
    exhausted,
    fields_need_attention,
    wait,
    answer_error,
    result: "Résultat",
    verdict,
    numbers_read: "Lecture de vos nombres",
    reasons: "Motifs",
    notes: "Remarques",
    violation,
    maximum: "Maximum",
    minimum: "Minimum",
    save_link: "Conservez ce lien\u{a0}:",
    check: "Vérifier vous-même",
    bundle: "Télécharger le dossier de preuve",
    print: "Imprimer",
    proof: "Preuve",
    verdict_label: "Décision",
    decided: "Date de la décision",
    policy: "Politique",
    policy_version,
    redacted: "Les valeurs sont masquées dans ce reçu public.",
    decision_id: "Identifiant de la décision",
    integrity_digest: "Empreinte de la décision",
    context_digest: "Empreinte des réponses",
    snapshot_digest: "Empreinte des politiques en vigueur",
    rules_digest: "Empreinte des règles",
    signature: "Signature",
    unsigned: "Non signé",
    key: "Identifiant de la clé",
    log: "Journal de transparence",
    anchored: "Inscrit",
    not_anchored: "Pas encore inscrit",
    statement: "Déclaration signée",
    recorded_with: "Enregistré avec Govern.",
    about: "À propos",
    verify: "Vérifier une décision",
    signing_keys: "Clés de signature",
    months: [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    date,
};

fn requested_by(name: &str) -> String {
    format!("Demandé par {}.", isolated(name))
}

const fn exhausted(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => "Le formulaire a atteint sa limite d’envois par heure.",
        BudgetWindow::Day => "Le formulaire a atteint sa limite d’envois par jour.",
        BudgetWindow::Total => "Le formulaire a atteint sa limite d’envois.",
    }
}

fn fields_need_attention(count: usize) -> String {
    match count {
        1 => "1 champ est à corriger".to_owned(),
        count => format!("{count} champs sont à corriger"),
    }
}

fn wait(wait: Wait) -> String {
    match wait {
        Wait::Seconds(1) => "Réessayez dans une seconde.".to_owned(),
        Wait::Seconds(seconds) => format!("Réessayez dans {seconds} secondes."),
        Wait::Minutes(minutes) => format!("Réessayez dans {minutes} minutes."),
        Wait::Hours(hours) => format!("Réessayez dans {hours} heures."),
    }
}

fn answer_error(error: &AnswerError) -> String {
    let text = match error {
        AnswerError::Missing => "Une réponse est obligatoire.",
        AnswerError::NotNumber => "Saisissez un nombre, par exemple 2500.",
        AnswerError::AmbiguousNumber => {
            "Ce nombre peut se lire de deux façons. Choisissez celui que vous voulez indiquer."
        }
        AnswerError::NotAllowed => "Choisissez parmi les options.",
        AnswerError::NotDate => "Saisissez une date, par exemple 2026-09-01.",
        AnswerError::NotDateTime => {
            "Saisissez une date et une heure, par exemple 2026-09-01T10:00."
        }
        AnswerError::NotEmail => "Saisissez une adresse e-mail, par exemple ada@example.com.",
        AnswerError::NotUrl => "Saisissez une adresse web, par exemple https://example.com.",
        AnswerError::Range { min: Some(min), max: Some(max) } => {
            return format!("Saisissez un nombre de {min} à {max}.");
        }
        AnswerError::Range { min: Some(min), max: None } => {
            return format!("Saisissez au moins {min}.");
        }
        AnswerError::Range { min: None, max: Some(max) } => {
            return format!("Saisissez au plus {max}.");
        }
        AnswerError::Range { min: None, max: None } => "Le nombre est hors des limites autorisées.",
        AnswerError::TooShort(min) => return format!("Saisissez au moins {min} caractères."),
        AnswerError::TooLong(Some(max)) => return format!("Saisissez au plus {max} caractères."),
        AnswerError::TooLong(None) => "La réponse est trop longue.",
        AnswerError::Pattern => "La réponse n’a pas le format demandé.",
        AnswerError::Unknown => {
            "Le formulaire a été modifié et ne demande plus l’une de vos réponses. Vérifiez les autres et envoyez-les à nouveau."
        }
        AnswerError::Invalid => "La réponse n’est pas valable.",
    };
    text.to_owned()
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow | Verdict::Alert => "Vos réponses remplissent les conditions.",
        Verdict::Review => {
            "Une personne doit examiner vos réponses avant que la décision soit définitive."
        }
        Verdict::Deny => "Vos réponses ne remplissent pas les conditions.",
    }
}

const fn violation(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::FieldMissing => "Une réponse manque.",
        ReasonCode::FieldForbidden => "Cette réponse n’est pas admise ici.",
        ReasonCode::FieldTooShort => "La réponse est trop courte.",
        ReasonCode::DateExpired => "La date est dépassée ou trop ancienne.",
        ReasonCode::DateInvalid => "La valeur n’est pas une date.",
        ReasonCode::DateNotYetValid => "La date est trop précoce ou dans le futur.",
        ReasonCode::ValueAboveMax => "Le nombre est trop élevé.",
        ReasonCode::ValueBelowMin => "Le nombre est trop bas.",
        ReasonCode::ValueNotNumeric => "La valeur n’est pas un nombre.",
        ReasonCode::ValueNotAllowed => "La valeur ne fait pas partie des valeurs admises.",
        ReasonCode::ValueForbidden => "La valeur n’est pas admise.",
        ReasonCode::PatternMismatch => "La réponse n’a pas le format demandé.",
        ReasonCode::PatternForbidden => "La réponse contient un élément qui n’est pas admis.",
        ReasonCode::ComparisonFailed => "Les valeurs n’ont pas entre elles le rapport exigé.",
        ReasonCode::EvidenceMissing => "Un justificatif obligatoire manque.",
        ReasonCode::EvidenceHashMismatch => "Le justificatif ne correspond pas à son empreinte.",
        ReasonCode::ValuesNotDistinct => {
            "Des valeurs qui doivent être différentes sont identiques."
        }
    }
}

fn policy_version(name: &str, version: u32) -> String {
    format!("{}, version {version}", isolated(name))
}

fn date(day: &str, month: &str, year: &str, clock: &str) -> String {
    format!("{day} {month} {year} à {clock} UTC")
}
