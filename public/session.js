// The dialogs at the end of a session. `data-session` on a template with the dialogs is the address that returns the
// time left, `data-idle` and `data-limit` are the milliseconds left when the page was rendered. The dialog
// `data-session-end` warns the user, the dialog `data-sign-in` signs the user in again. `data-when` names the case of
// an element, `data-step` the step of the sign-in, and `data-factors` the second factors that an element is for.

import { closest, post } from './page.js';

/** The time before the end of a session at which the user is warned. */
const WARNING_MS = 120_000;
const CHECK_MS = 10_000;

/** @typedef {'active' | 'idle' | 'limit' | 'expired'} SessionState */

/** @type {HTMLTemplateElement | null} */
const sessionTemplate = document.querySelector('template[data-session]');
/** The times at which the session ends: if it is not used, and in any case. */
let [idleEnd, limitEnd] = [Infinity, Infinity];
/** @type {SessionState} */
let sessionState = 'active';

/**
 * @param {number} idleMs
 * @param {number} limitMs
 */
function setSessionEnds(idleMs, limitMs) {
  [idleEnd, limitEnd] = [Date.now() + idleMs, Date.now() + limitMs];
}

/**
 * Returns a dialog of the template. The dialogs are added to the page when the first one is needed.
 *
 * @param {string} name
 * @returns {HTMLDialogElement | null}
 */
function sessionDialog(name) {
  /** @returns {HTMLDialogElement | null} */
  const find = () => document.querySelector(`dialog[${name}]`);
  if (sessionTemplate && !find()) document.body.append(sessionTemplate.content.cloneNode(true));
  return find();
}

/**
 * Opens a dialog of the session for a case, and moves the focus to `focused`.
 *
 * @param {string} name
 * @param {SessionState} state
 * @param {string} focused
 */
function openSessionDialog(name, state, focused) {
  const dialog = sessionDialog(name);
  if (!dialog) return;
  /** @type {NodeListOf<HTMLElement>} */
  const parts = dialog.querySelectorAll('[data-when]');
  for (const part of parts) part.hidden = part.dataset.when !== state;
  // Without a session, the page behind the dialog cannot be used.
  dialog.setAttribute('closedby', state === 'expired' ? 'none' : 'closerequest');
  if (!dialog.open) dialog.showModal();
  /** @type {HTMLElement | null} */
  const element = dialog.querySelector(focused);
  element?.focus();
}

/** Shows the dialog of the state that the session has reached. */
function showSession() {
  const left = Math.min(idleEnd, limitEnd) - Date.now();
  /** @type {SessionState} */
  let state = limitEnd < idleEnd ? 'limit' : 'idle';
  if (left > WARNING_MS) state = 'active';
  if (left <= 0) state = 'expired';
  if (state === sessionState) return;
  sessionState = state;
  if (state === 'active' || state === 'expired') sessionDialog('data-session-end')?.close();
  if (state === 'active') sessionDialog('data-sign-in')?.close();
  else if (state === 'expired') openSessionDialog('data-sign-in', state, '[name=password]');
  else openSessionDialog('data-session-end', state, 'h2');
}

/** Asks the service for the time left, because requests of this and of other pages extend the session. */
async function updateSession() {
  const response = await fetch(String(sessionTemplate?.dataset.session)).catch(() => null);
  // The next check asks again.
  if (!response?.ok) return;
  const left = await response.json();
  setSessionEnds(left.idle_ms, left.limit_ms);
  showSession();
}

/** Asks for the time left if the session is about to end. After its end, only a visit of the page asks again. */
function checkSession() {
  const left = Math.min(idleEnd, limitEnd) - Date.now();
  if (left <= WARNING_MS && sessionState !== 'expired') updateSession();
}

if (sessionTemplate) {
  setSessionEnds(Number(sessionTemplate.dataset.idle), Number(sessionTemplate.dataset.limit));
  setInterval(checkSession, CHECK_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    if (sessionState === 'expired') updateSession();
    else checkSession();
  });
}

addEventListener('click', (event) => {
  if (!closest(event, '[data-sign-in-again]')) return;
  sessionDialog('data-session-end')?.close();
  openSessionDialog('data-sign-in', 'limit', '[name=password]');
});

addEventListener(
  'submit',
  (event) => {
    const form = closest(event, 'form');
    const isStay = form?.matches('[data-stay]');
    // A form with a passkey reports the passkey with an event of its own.
    if (form?.matches('[data-sign-in] form[data-passkey]')) return;
    const isSignIn = form?.matches('[data-sign-in] form');
    const isRefused = sessionState === 'expired' && form?.method === 'post';
    if (!isStay && !isSignIn && !isRefused) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (isStay) post(form.action, new URLSearchParams()).then(updateSession);
    else if (isSignIn) signIn(form);
    // The form keeps its text. The user submits it again after the sign-in.
    else openSessionDialog('data-sign-in', 'expired', '[name=password]');
  },
  // Before the listeners of the form.
  { capture: true },
);

// The browser has returned a passkey for a form of the dialog (`passkey.js`).
addEventListener('passkey', (event) => signIn(closest(event, '[data-sign-in] form')));

/** The field that the user fills in. */
const INPUT = 'input:not([type=hidden], [readonly])';

/**
 * Shows a step of the sign-in: `first`, or `second` with the second factors of the account.
 *
 * @param {Element} dialog
 * @param {string} step
 * @param {string[]} factors
 */
function showStep(dialog, step, factors = []) {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = dialog.querySelectorAll('[data-step], [data-factors]');
  for (const part of parts) {
    const isFor = (/** @type {string} */ factor) => String(part.dataset.factors).split(' ').includes(factor);
    part.hidden = 'step' in part.dataset ? part.dataset.step !== step : !factors.some(isFor);
  }
}

/**
 * Signs the user in with a form of the dialog. On success, the page stays as it is. If the account has a second factor,
 * the dialog asks for it. An error is shown in the dialog.
 *
 * @param {HTMLFormElement} form
 */
async function signIn(form) {
  const dialog = form.closest('dialog');
  const error = form.querySelector('[role=alert]');
  /** @type {HTMLInputElement | null} */
  const field = form.querySelector(INPUT);
  if (!dialog || !error || 'sent' in form.dataset) return;
  form.dataset.sent = '';
  error.textContent = '';
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  delete form.dataset.sent;
  if (field) field.value = '';
  if (response?.ok) {
    dialog.close();
    showStep(dialog, 'first');
    await updateSession();
    return;
  }
  const problem = await response?.json().catch(() => null);
  if (problem?.code === 'SECOND_FACTOR_MISSING') {
    showStep(dialog, 'second', problem.reason.split(' '));
    /** @type {HTMLElement | null} */
    const next = dialog.querySelector('[data-step=second] > :not([hidden]) :is(button, [name=code])');
    next?.focus();
    return;
  }
  // The second factor came too late.
  if (problem?.reason === 'expired') showStep(dialog, 'first');
  const { wrong, wait, failed } = form.dataset;
  const seconds = response?.headers.get('retry-after');
  if (response?.status === 401) error.textContent = String(wrong);
  else error.textContent = seconds ? String(wait).replace('{seconds}', seconds) : String(failed);
  field?.focus();
}
