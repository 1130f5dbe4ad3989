// Passkeys (Web Authentication). `data-passkey` on a form names the use of the passkey, `data-options` the address that
// returns the options. Submitting the form asks the browser for the passkey, writes it into the field `credential` and
// sends the form. If the service refuses the options, the form is sent without a passkey, and the page shows the error.
// `data-cancelled`, `data-existing`, `data-address` and `data-failed` are the texts of errors of the browser, which the
// element with the role `alert` shows. With `data-autofill`, the browser also offers passkeys in the field of the email.

import { closest, post } from './page.js';

/** The request for the autofill of passkeys, which the browser permits only one of at a time. */
let autofill = new AbortController();

/** @param {string} text */
const decode = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer | null | undefined} buffer */
const encode = (buffer) =>
  buffer &&
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** @param {any[] | undefined} list */
const withDecodedIds = (list) => list?.map((item) => ({ ...item, id: decode(item.id) }));

/**
 * Returns the options from their JSON form. Older browsers cannot read it.
 *
 * @param {boolean} isNew
 * @param {any} json
 * @returns {any}
 */
function parseOptions(isNew, json) {
  const type = /** @type {any} */ (PublicKeyCredential);
  if (isNew) {
    const { challenge, user, excludeCredentials } = json;
    return (
      type.parseCreationOptionsFromJSON?.(json) ?? {
        ...json,
        challenge: decode(challenge),
        user: { ...user, id: decode(user.id) },
        excludeCredentials: withDecodedIds(excludeCredentials),
      }
    );
  }
  const { challenge, allowCredentials } = json;
  return (
    type.parseRequestOptionsFromJSON?.(json) ?? {
      ...json,
      challenge: decode(challenge),
      allowCredentials: withDecodedIds(allowCredentials),
    }
  );
}

/**
 * Returns the JSON form of a passkey. Older browsers and some password managers cannot write it.
 *
 * @param {any} credential
 */
function toJson(credential) {
  try {
    return credential.toJSON();
  } catch {
    const { id, rawId, type, authenticatorAttachment, response } = credential;
    const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response;
    return {
      id,
      rawId: encode(rawId),
      type,
      authenticatorAttachment: authenticatorAttachment ?? undefined,
      clientExtensionResults: credential.getClientExtensionResults(),
      response: {
        clientDataJSON: encode(clientDataJSON),
        attestationObject: encode(attestationObject),
        transports: attestationObject ? (response.getTransports?.() ?? []) : undefined,
        authenticatorData: encode(authenticatorData),
        signature: encode(signature),
        userHandle: encode(userHandle) ?? undefined,
      },
    };
  }
}

/**
 * Requests the options of a form. Returns nothing if the service refuses them.
 *
 * @param {HTMLFormElement} form
 */
async function requestOptions(form) {
  const purpose = String(form.dataset.passkey);
  const response = await post(String(form.dataset.options), new URLSearchParams({ purpose }));
  return (await response?.json())?.public_key;
}

/**
 * Writes the passkey into the form and sends it.
 *
 * @param {HTMLFormElement} form
 * @param {any} credential
 */
function send(form, credential) {
  const field = form.elements.namedItem('credential');
  if (field instanceof HTMLInputElement) field.value = credential ? JSON.stringify(toJson(credential)) : '';
  // A dialog over the page sends the form itself (`session.js`).
  if (form.closest('dialog')) {
    delete form.dataset.sent;
    form.dispatchEvent(new Event('passkey', { bubbles: true }));
    return;
  }
  // Without the event `submit`, which asks for a passkey.
  HTMLFormElement.prototype.submit.call(form);
}

/**
 * Returns the name of the text for an error of the browser.
 *
 * @param {unknown} error
 */
function errorText(error) {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return 'cancelled';
  if (name === 'InvalidStateError') return 'existing';
  return name === 'SecurityError' ? 'address' : 'failed';
}

/**
 * Asks the browser for the passkey of a form, and sends the form.
 *
 * @param {HTMLFormElement} form
 */
async function usePasskey(form) {
  const alert = form.querySelector('[role=alert]');
  if (alert) alert.textContent = '';
  const json = await requestOptions(form);
  if (!json) {
    send(form, null);
    return;
  }
  autofill.abort();
  try {
    const isNew = form.dataset.passkey === 'create';
    const options = { publicKey: parseOptions(isNew, json) };
    send(form, await (isNew ? navigator.credentials.create(options) : navigator.credentials.get(options)));
  } catch (error) {
    if (alert) alert.textContent = String(form.dataset[errorText(error)]);
    delete form.dataset.sent;
  }
}

addEventListener(
  'submit',
  (event) => {
    const form = closest(event, 'form[data-passkey]');
    if (!form) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if ('sent' in form.dataset) return;
    form.dataset.sent = '';
    usePasskey(form);
  },
  // Before the listener of forms that are sent once.
  { capture: true },
);

/** A passkey belongs to a host name, not to an address of the network. */
const HAS_HOST_NAME = !/^[\d.]+$|^\[/.test(location.hostname);

/** Offers passkeys in the field of the email, until the user chooses one. */
async function offerAutofill() {
  /** @type {HTMLFormElement | null} */
  const form = document.querySelector('form[data-autofill]');
  if (!form || !HAS_HOST_NAME || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const json = await requestOptions(form);
  if (!json) return;
  autofill = new AbortController();
  const publicKey = parseOptions(false, json);
  const options = { publicKey, mediation: /** @type {any} */ ('conditional'), signal: autofill.signal };
  // The button of the form reports errors.
  const credential = await navigator.credentials.get(options).catch(() => null);
  if (credential) send(form, credential);
}

if ('PublicKeyCredential' in window) {
  offerAutofill();
} else {
  for (const form of document.querySelectorAll('form[data-passkey]')) form.setAttribute('hidden', '');
}
