//! The texts of the public pages of a form in Spanish.

use contract::{
    evaluation::{ReasonCode, Verdict},
    form::BudgetWindow,
    text::isolated,
};

use super::{AnswerError, PublicFormTexts, Wait};

pub(super) const TEXTS: PublicFormTexts = PublicFormTexts {
    description: "Un formulario. Las reglas aprobadas deciden sobre las respuestas enviadas, y cada decisión tiene un recibo que cualquiera puede verificar.",
    skip: "Ir al contenido",
    help: "Ayuda",
    requested_by,
    requester_note: "Sus respuestas se conservan con la decisión.",
    data_notice: "Sus respuestas se comprueban según una política y se registran de forma permanente. Recibirá un recibo.",
    submit: "Enviar",
    required: "(obligatorio)",
    choose: "Elija una opción",
    yes: "Sí",
    no: "No",
    utc: "En UTC.",
    decimal: ',',
    which_number: "El número es",
    error: "Error",
    token_title: "Se requiere un código de acceso",
    token_help: "Utilice el enlace que recibió o introduzca el código que contiene.",
    token: "Código de acceso",
    wrong_token: "El código de acceso no es válido para este formulario.",
    password_title: "Se requiere una contraseña",
    password_help: "Pida la contraseña a la persona que le envió el enlace.",
    password: "Contraseña",
    wrong_password: "La contraseña es incorrecta.",
    sign_in_title: "Debe iniciar sesión",
    sign_in_help: "Solo los miembros de esta organización pueden enviar el formulario.",
    sign_in: "Iniciar sesión",
    not_a_member: "Solo los miembros de esta organización pueden enviar el formulario. Inicie sesión con otra cuenta.",
    answers_saved: "Sus respuestas se conservan en esta página. Continúe aquí cuando tenga acceso.",
    continue_button: "Continuar",
    answers_preserved: "Sus respuestas se conservan a continuación. Vuelva a enviarlas entonces.",
    already_submitted: "Ya envió otras respuestas desde esta página. Vuelva a enviar el formulario para enviar también estas.",
    closed: "Este formulario no admite respuestas en este momento.",
    too_many_requests: "Demasiadas solicitudes.",
    unavailable: "Servicio no disponible",
    internal_error: "Se ha producido un error",
    too_large: "Sus respuestas son demasiado largas",
    too_large_help: "Vuelva atrás, acorte sus respuestas y envíelas de nuevo. No se ha registrado nada.",
    unreadable: "No se pueden leer sus respuestas",
    unreadable_help: "Vuelva atrás y envíe el formulario de nuevo. No se ha registrado nada.",
    not_found: "Página no encontrada",
    not_found_help: "La página no existe o usted no tiene acceso a ella.",
    unavailable_help: "La base de datos no está disponible. No se ha modificado nada.",
    internal_error_help: "Vuelva a intentarlo. Si el problema continúa, comunique el identificador de correlación a la persona que le envió el enlace.",
    correlation_id: "Identificador de correlación",
    exhausted,
    fields_need_attention,
    wait,
    answer_error,
    result: "Resultado",
    verdict,
    numbers_read: "Lectura de sus números",
    reasons: "Motivos",
    notes: "Observaciones",
    violation,
    maximum: "Máximo",
    minimum: "Mínimo",
    save_link: "Guarde este enlace:",
    check: "Verificar usted mismo",
    bundle: "Descargar el paquete de pruebas",
    print: "Imprimir",
    proof: "Prueba",
    verdict_label: "Decisión",
    decided: "Fecha de la decisión",
    policy: "Política",
    policy_version,
    redacted: "Los valores están ocultos en este recibo público.",
    decision_id: "Identificador de la decisión",
    integrity_digest: "Huella digital de la decisión",
    context_digest: "Huella digital de las respuestas",
    snapshot_digest: "Huella digital de las políticas vigentes",
    rules_digest: "Huella digital de las reglas",
    signature: "Firma",
    unsigned: "Sin firma",
    key: "Identificador de la clave",
    log: "Registro de transparencia",
    anchored: "Inscrito",
    not_anchored: "Aún no inscrito",
    statement: "Declaración firmada",
    recorded_with: "Registrado con Govern.",
    about: "Acerca de",
    verify: "Verificar una decisión",
    signing_keys: "Claves de firma",
    months: [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    date,
};

fn requested_by(name: &str) -> String {
    format!("Solicitado por {}.", isolated(name))
}

const fn exhausted(window: BudgetWindow) -> &'static str {
    match window {
        BudgetWindow::Hour => "El formulario ha alcanzado su límite de envíos por hora.",
        BudgetWindow::Day => "El formulario ha alcanzado su límite de envíos por día.",
        BudgetWindow::Total => "El formulario ha alcanzado su límite de envíos.",
    }
}

fn fields_need_attention(count: usize) -> String {
    match count {
        1 => "Debe corregir 1 campo".to_owned(),
        count => format!("Debe corregir {count} campos"),
    }
}

fn wait(wait: Wait) -> String {
    match wait {
        Wait::Seconds(1) => "Vuelva a intentarlo en un segundo.".to_owned(),
        Wait::Seconds(seconds) => format!("Vuelva a intentarlo en {seconds} segundos."),
        Wait::Minutes(minutes) => format!("Vuelva a intentarlo en {minutes} minutos."),
        Wait::Hours(hours) => format!("Vuelva a intentarlo en {hours} horas."),
    }
}

fn answer_error(error: &AnswerError) -> String {
    let text = match error {
        AnswerError::Missing => "La respuesta es obligatoria.",
        AnswerError::NotNumber => "Introduzca un número, por ejemplo 2500.",
        AnswerError::AmbiguousNumber => {
            "Este número se puede leer de dos maneras. Elija el que quiere indicar."
        }
        AnswerError::NotAllowed => "Elija una de las opciones.",
        AnswerError::NotDate => "Introduzca una fecha, por ejemplo 2026-09-01.",
        AnswerError::NotDateTime => {
            "Introduzca una fecha y una hora, por ejemplo 2026-09-01T10:00."
        }
        AnswerError::NotEmail => {
            "Introduzca una dirección de correo electrónico, por ejemplo ada@example.com."
        }
        AnswerError::NotUrl => "Introduzca una dirección web, por ejemplo https://example.com.",
        AnswerError::Range { min: Some(min), max: Some(max) } => {
            return format!("Introduzca un número entre {min} y {max}.");
        }
        AnswerError::Range { min: Some(min), max: None } => {
            return format!("Introduzca al menos {min}.");
        }
        AnswerError::Range { min: None, max: Some(max) } => {
            return format!("Introduzca como máximo {max}.");
        }
        AnswerError::Range { min: None, max: None } => {
            "El número está fuera de los límites permitidos."
        }
        AnswerError::TooShort(min) => return format!("Introduzca al menos {min} caracteres."),
        AnswerError::TooLong(Some(max)) => {
            return format!("Introduzca como máximo {max} caracteres.");
        }
        AnswerError::TooLong(None) => "La respuesta es demasiado larga.",
        AnswerError::Pattern => "La respuesta no tiene el formato requerido.",
        AnswerError::Unknown => {
            "El formulario ha cambiado y ya no pide una de sus respuestas. Revise las demás y envíelas de nuevo."
        }
        AnswerError::Invalid => "La respuesta no es válida.",
    };
    text.to_owned()
}

const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow | Verdict::Alert => "Sus respuestas cumplen los requisitos.",
        Verdict::Review => {
            "Una persona debe revisar sus respuestas antes de que la decisión sea definitiva."
        }
        Verdict::Deny => "Sus respuestas no cumplen los requisitos.",
    }
}

const fn violation(code: ReasonCode) -> &'static str {
    match code {
        ReasonCode::FieldMissing => "Falta una respuesta.",
        ReasonCode::FieldForbidden => "Esta respuesta no se admite aquí.",
        ReasonCode::FieldTooShort => "La respuesta es demasiado corta.",
        ReasonCode::DateExpired => "La fecha ha vencido o es demasiado antigua.",
        ReasonCode::DateInvalid => "El valor no es una fecha.",
        ReasonCode::DateNotYetValid => "La fecha es demasiado temprana o está en el futuro.",
        ReasonCode::ValueAboveMax => "El número es demasiado alto.",
        ReasonCode::ValueBelowMin => "El número es demasiado bajo.",
        ReasonCode::ValueNotNumeric => "El valor no es un número.",
        ReasonCode::ValueNotAllowed => "El valor no es uno de los valores admitidos.",
        ReasonCode::ValueForbidden => "El valor no se admite.",
        ReasonCode::PatternMismatch => "La respuesta no tiene el formato requerido.",
        ReasonCode::PatternForbidden => "La respuesta contiene algo que no se admite.",
        ReasonCode::ComparisonFailed => "Los valores no tienen entre sí la relación exigida.",
        ReasonCode::EvidenceMissing => "Falta un justificante obligatorio.",
        ReasonCode::EvidenceHashMismatch => "El justificante no coincide con su huella digital.",
        ReasonCode::ValuesNotDistinct => "Hay valores iguales que deben ser diferentes.",
    }
}

fn policy_version(name: &str, version: u32) -> String {
    format!("{}, versión {version}", isolated(name))
}

fn date(day: &str, month: &str, year: &str, clock: &str) -> String {
    format!("{day} de {month} de {year}, {clock} UTC")
}
