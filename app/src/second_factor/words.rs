//! Texts about second factors, on the pages of the sign-in and of the account.

use contract::text::isolated;

/// Texts of the sign-in and of the confirmation of an action.
pub(crate) const STEP_TITLE: &str = "Confirm that it is you";
pub(crate) const STEP_WHY: &str =
    "Your password is correct. Your account also needs a second factor.";
pub(crate) const SIGN_IN_WITH_PASSKEY: &str = "Sign in with a passkey";
pub(crate) const USE_PASSKEY: &str = "Use a passkey";
pub(crate) const PASSKEY_NEEDS_SCRIPTS: &str =
    "Passkeys need JavaScript. Enable it, or use another factor.";
pub(crate) const CODE: &str = "Code from your authenticator app";
pub(crate) const CODE_HINT: &str = "6 digits. A new code appears every 30 seconds.";
pub(crate) const ANY_CODE: &str = "Code from your authenticator app, or a recovery code";
pub(crate) const CONTINUE: &str = "Continue";
pub(crate) const NO_DEVICE: &str = "Use a recovery code";
pub(crate) const RECOVERY_CODE: &str = "Recovery code";
pub(crate) const RECOVERY_HINT: &str = "Each code works once.";
pub(crate) const USE_RECOVERY: &str = "Use recovery code";
pub(crate) const OTHER_ACCOUNT: &str = "Sign in with another account";
pub(crate) const WRONG_CODE: &str =
    "Incorrect code. Enter the code that the app shows now. Each code works once.";
pub(crate) const WRONG_RECOVERY_CODE: &str =
    "Incorrect recovery code, or the code was used before.";
pub(crate) const WRONG_PASSKEY: &str =
    "The passkey was not accepted. Try again, or sign in another way.";

/// Errors of the browser when it asks for a passkey.
pub(crate) const CANCELLED: &str = "The browser gave no passkey. Try again, or use another way.";
pub(crate) const EXISTING: &str = "This device already has a passkey for your account.";
pub(crate) const WRONG_ADDRESS: &str = "Passkeys do not work at this address of the service. Open the console at the address that your admin gave you.";
pub(crate) const FAILED: &str = "The browser could not use a passkey.";
/// The error of a form without a passkey.
pub(crate) const NO_PASSKEY: &str = "the browser returned no passkey";

/// Texts of the account page.
pub(crate) const SECURITY: &str = "Sign-in and security";
pub(crate) const NOT_PROVEN: &str =
    "You can add a passkey or an authenticator app as soon as your email address is confirmed.";
pub(crate) const NOT_PROVEN_NEXT: &str = "Sign out, select \"Forgot password?\" on the sign-in page, and open the link in the email. If the service sends no email, ask your admin to have your address verified.";
pub(crate) const PASSKEYS: &str = "Passkeys";
pub(crate) const PASSKEYS_HELP: &str = "A passkey is stored on your device, in a password manager or on a security key. You unlock it with a fingerprint, your face or a PIN. It signs you in without a password, and it works only at this address.";
pub(crate) const PASSKEYS_HEAD: [&str; 4] = ["Name", "Added", "Last used", "Actions"];
pub(crate) const NO_PASSKEYS: &str = "No passkeys";
pub(crate) const NO_PASSKEYS_NEXT: &str =
    "Add a passkey to sign in without a password, or as a second factor.";
pub(crate) const NO_PASSKEYS_YET: &str = "Confirm your email address to add one.";
pub(crate) const SECOND_FACTOR_ONLY: &str = "Only after the password";
pub(crate) const NEVER_USED: &str = "Never";
pub(crate) const PASSKEY_NAME: &str = "Name of the new passkey";
pub(crate) const PASSKEY_NAME_HINT: &str = "For example \"Laptop\" or \"Security key\".";
pub(crate) const ADD_PASSKEY: &str = "Add passkey";
pub(crate) const ADDING_NEEDS_SCRIPTS: &str = "Adding a passkey needs JavaScript.";
pub(crate) const NEW_NAME: &str = "New name";
pub(crate) const RENAME: &str = "Rename";
pub(crate) const REMOVE: &str = "Remove";
pub(crate) const REMOVE_PASSKEY: &str = "Remove passkey";
pub(crate) const REMOVE_PASSKEY_HELP: &str =
    "You can no longer sign in with this passkey. Also delete it on your device.";

pub(crate) const AUTHENTICATOR: &str = "Authenticator app";
pub(crate) const AUTHENTICATOR_HELP: &str = "An app on your phone shows a new code every 30 seconds. After your password, you enter the current code.";
pub(crate) const SET_UP: &str = "Set up authenticator app";
pub(crate) const REMOVE_AUTHENTICATOR: &str = "Remove authenticator app";
pub(crate) const REMOVE_AUTHENTICATOR_HELP: &str = "Your account no longer asks for its codes.";

pub(crate) const RECOVERY: &str = "Recovery codes";
pub(crate) const RECOVERY_HELP: &str = "A recovery code replaces a passkey or the authenticator app, for example if you lose your phone. Each code works once.";
pub(crate) const NO_RECOVERY: &str =
    "You get recovery codes when you add your first second factor.";
pub(crate) const REGENERATE: &str = "Generate new codes";
pub(crate) const REGENERATE_HELP: &str = "Your current recovery codes stop working.";

pub(crate) const PASSKEY_ADDED: &str = "Passkey added.";
pub(crate) const PASSKEY_RENAMED: &str = "Passkey renamed.";
pub(crate) const PASSKEY_REMOVED: &str = "Passkey removed.";
pub(crate) const AUTHENTICATOR_ADDED: &str = "Authenticator app set up.";
pub(crate) const AUTHENTICATOR_REMOVED: &str = "Authenticator app removed.";

/// Texts of the page that sets up an authenticator app.
pub(crate) const SCAN: &str = "Scan the QR code with the app, or enter the key in the app. Then enter the code that the app shows.";
pub(crate) const QR_CODE: &str = "QR code of the key for the authenticator app";
pub(crate) const KEY: &str = "Key";
pub(crate) const OPEN_APP: &str = "Open the app on this device";
pub(crate) const CONFIRM_CODE: &str = "Confirm code";
pub(crate) const SETUP_ENDED: &str = "The set-up has ended";
pub(crate) const SETUP_ENDED_NEXT: &str = "Start it again on the page of your account.";
pub(crate) const BACK: &str = "Back to your account";

/// Texts of the page with new recovery codes.
pub(crate) const CODES_TITLE: &str = "Save your recovery codes";
pub(crate) const CODES_WHY: &str = "Each code signs you in once if you lose your passkeys and your authenticator app. Store the codes where only you can read them, for example in a password manager. They are shown only now.";
pub(crate) const COPY_CODES: &str = "Recovery codes";
pub(crate) const DOWNLOAD: &str = "Download";
pub(crate) const PRINT: &str = "Print";
pub(crate) const CODES_SAVED: &str = "I have saved the codes";
pub(crate) const CODES_GONE: &str = "The codes are no longer shown.";
pub(crate) const CODES_GONE_NEXT: &str = "Generate new codes on the page of your account.";
/// The file name of downloaded codes.
pub(crate) const CODES_FILE: &str = "govern-recovery-codes.txt";

/// Texts of the page for members of a tenant that requires a second factor.
pub(crate) const REQUIRED_TITLE: &str = "Add a second factor";

/// Returns, for example, "8 recovery codes left".
pub(crate) fn codes_left(number: u32) -> String {
    match number {
        0 => "No recovery codes left. Generate new codes.".to_owned(),
        1 => "1 recovery code left. Generate new codes soon.".to_owned(),
        number => format!("{number} recovery codes left."),
    }
}

/// Returns the label of a button or disclosure of a passkey, for example "Rename: Laptop".
pub(crate) fn act(action: &str, name: &str) -> String {
    format!("{action}: {}", isolated(name))
}

pub(crate) fn required(tenant: &str) -> String {
    format!(
        "{} requires a second factor, in addition to your password. Add a passkey or an authenticator app to continue.",
        isolated(tenant)
    )
}

/// Wire members and labels of the forms.
pub(crate) const FIELDS: [(&str, &str); 3] =
    [("/name", "Name"), ("/code", "Code"), ("/credential", "Passkey")];
