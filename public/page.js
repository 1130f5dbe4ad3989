// The behavior of pages beyond links and forms. Server-rendered pages load only this script; pages with state also
// load the console's WebAssembly module. `data-*` attributes name the elements, so one set of listeners serves all
// pages, and also elements that are added later. Without this script, every page is complete.

const COPIED_NOTICE_MS = 2_000;
const TOAST_MS = 10_000;
const PREVIEW_DELAY_MS = 250;
const AUTOSAVE_DELAY_MS = 2_000;
/** A user who leaves the page earlier opens no event stream. */
const STREAM_DELAY_MS = 1_000;
const STREAM_RETRY_MS = 60_000;
const STREAM_FAILURES_MAX = 3;

/**
 * Returns the closest ancestor of the event's target, or the target, that matches `selector`.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const closest = ({ target }, selector) => (target instanceof Element ? target.closest(selector) : null);

/** Content of a closed disclosure is not visible.
 * @type {(element: Element) => boolean} */
const isVisible = (element) => element.checkVisibility();

// --- Focus -------------------------------------------------------------------------------------------------------
// The title of a confirmation has the focus, so that a key confirms. Browsers move the focus to `autofocus` with the
// first frame, which may be later than the first key. Until something has the focus, a key applies to the title.

/** @type {Element | null} */
let firstFocus = document.activeElement === document.body ? document.querySelector('[data-main] [autofocus]') : null;
for (const moves of ['focusin', 'pointerdown']) addEventListener(moves, () => (firstFocus = null), { once: true });

// --- Copy and print --------------------------------------------------------------------------------------------
// `data-copy` on a button copies its value, or the text of the adjacent `code` element if it has none.
// `data-copied` is the notice. `data-print` on a button prints the page.

addEventListener('click', (event) => {
  const button = closest(event, '[data-copy]');
  const text = button?.dataset.copy || button?.parentElement?.querySelector('code')?.textContent;
  if (!text) return;
  // A failure is ignored: if the clipboard is not available, the text can be selected by hand.
  navigator.clipboard?.writeText(text).catch(() => {});
  /** @param {string} notice */
  const show = (notice) => {
    button.classList.toggle('done', notice !== '');
    const status = button.querySelector('[role=status]');
    if (status) status.textContent = notice;
  };
  show(button.dataset.copied);
  setTimeout(show, COPIED_NOTICE_MS, '');
});

addEventListener('click', (event) => {
  if (closest(event, '[data-print]')) print();
});

// --- One submission: `data-once` on a form. The response to the first submission would otherwise be lost. ------

addEventListener('submit', (event) => {
  const form = closest(event, '[data-once]');
  if (!form) return;
  if ('sent' in form.dataset) event.preventDefault();
  form.dataset.sent = '';
});

// The browser may restore the document from its cache.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('[data-sent]')) form.removeAttribute('data-sent');
});

// --- Dialogs ---------------------------------------------------------------------------------------------------
// `data-dialog` on a link is the ID of the dialog that opens instead of the linked page. `data-close` on a link in a
// dialog closes the dialog; the browser then returns the focus to the link that opened it.

addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (closest(event, '[data-close]')) {
    event.preventDefault();
    closest(event, 'dialog').close();
  }
  const link = closest(event, '[data-dialog]');
  if (!link) return;
  /** @type {any} */
  const dialog = document.getElementById(link.dataset.dialog);
  event.preventDefault();
  dialog.showModal();
  dialog.querySelector('h2')?.focus();
});

// --- Toasts ----------------------------------------------------------------------------------------------------
// `data-toast` on the notice of a complete action, `data-undo` on the form that undoes an action. They disappear,
// unless they have the focus or the pointer.

/** @param {Element} element */
function expire(element) {
  setTimeout(() => {
    if (element.matches(':hover, :focus-within')) expire(element);
    else element.remove();
  }, TOAST_MS);
}

for (const element of document.querySelectorAll('[data-toast], .note:not([data-toast]) [data-undo]')) expire(element);

// --- Selections: `data-selected` is the text with the number of the checked boxes of its form. --------------------

function countSelected() {
  /** @type {NodeListOf<HTMLElement>} */
  const counts = document.querySelectorAll('[data-selected]');
  for (const element of counts) {
    const count = element.closest('form')?.querySelectorAll('input[type=checkbox]:checked').length ?? 0;
    element.textContent = String(element.dataset.selected).replace('{count}', `${count}`);
    element.hidden = count === 0;
  }
}

addEventListener('change', countSelected);
addEventListener('pageshow', countSelected);

// --- Input of forms --------------------------------------------------------------------------------------------
// `data-preview` is the ID of the element that shows a preview of the form, `data-preview-by` the address that
// renders it. `data-autosave` is the address that saves the form's input. The element with `data-saved` in the form
// then shows the text of that attribute.

/**
 * Returns the input of a form, without passwords.
 *
 * @param {HTMLFormElement} form
 */
function input(form) {
  const data = new FormData(form);
  /** @type {NodeListOf<HTMLInputElement>} */
  const passwords = form.querySelectorAll('input[type=password]');
  for (const { name } of passwords) data.delete(name);
  return new URLSearchParams(/** @type {any} */ (data));
}

/**
 * Posts input to a server function. Returns the response if it is a success.
 *
 * @param {string} url
 * @param {URLSearchParams} body
 */
export async function post(url, body) {
  const response = await fetch(url, { method: 'POST', body }).catch(() => null);
  return response?.ok ? response : null;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let previewTimer;

/** The previews that are requested, one after the other, and their number. */
let previews = Promise.resolve();
let previewCount = 0;

/**
 * Shows the preview of a form.
 *
 * @param {any} form
 */
async function preview(form) {
  // The server validates a submitted form; it needs no preview.
  if ('sent' in form.dataset) return;
  const sent = input(form);
  const response = await post(form.dataset.previewBy, sent);
  const html = await response?.json();
  const output = document.getElementById(form.dataset.preview);
  if (html && output && `${input(form)}` === `${sent}`) output.innerHTML = html;
}

addEventListener('input', (event) => {
  const form = closest(event, 'form[data-preview]');
  if (!form) return;
  clearTimeout(previewTimer);
  previewTimer = setTimeout(() => {
    previewCount += 1;
    const shown = previews.then(() => preview(form));
    previews = shown.catch(() => {}).finally(() => (previewCount -= 1));
  }, PREVIEW_DELAY_MS);
});

// The server stores the input of a preview, so the form is submitted after it: otherwise, the server could store the
// older input last.
addEventListener(
  'submit',
  (event) => {
    const form = closest(event, 'form[data-preview]');
    if (!form || previewCount === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    previews.then(() => form.requestSubmit(event.submitter));
  },
  { capture: true },
);

/** The form with unsaved input, and the timer that saves it.
 * @type {{ form: any, timer: ReturnType<typeof setTimeout> } | null} */
let unsaved = null;

/** Stops saving. Returns the form that had unsaved input. */
function takeUnsaved() {
  const form = unsaved?.form;
  clearTimeout(unsaved?.timer);
  unsaved = null;
  return form;
}

addEventListener('input', (event) => {
  const form = closest(event, 'form[data-autosave]');
  if (!form) return;
  takeUnsaved();
  const status = form.querySelector('[data-saved]');
  if (status) status.textContent = '';
  const save = async () => {
    unsaved = null;
    const sent = input(form);
    const isSaved = await post(form.dataset.autosave, sent);
    if (isSaved && status && `${input(form)}` === `${sent}`) status.textContent = status.dataset.saved;
  };
  unsaved = { form, timer: setTimeout(save, AUTOSAVE_DELAY_MS) };
});

// The submitted form contains the input.
addEventListener('submit', takeUnsaved);

// The browser sends the input although the document ends.
addEventListener('pagehide', () => {
  const form = takeUnsaved();
  if (form) navigator.sendBeacon(form.dataset.autosave, input(form));
});

// --- Viewed rules of a review ----------------------------------------------------------------------------------
// `data-viewed` is the number of viewed rules of the page as loaded, `data-viewed-text` its text. The ring shows the same
// number. `data-seen` is the value of a checkbox; the element is visible while the checkbox is checked.

addEventListener('change', (event) => {
  /** @type {HTMLElement | null} */
  const count = document.querySelector('[data-viewed]');
  if (!count || !closest(event, '[data-key=v]')) return;
  let viewed = Number(count.dataset.viewed);
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = document.querySelectorAll('input[data-key=v]');
  for (const { value, checked, defaultChecked } of boxes) {
    viewed += Number(checked) - Number(defaultChecked);
    document.querySelector(`[data-seen="${CSS.escape(value)}"]`)?.toggleAttribute('hidden', !checked);
  }
  count.textContent = String(count.dataset.viewedText).replace('{count}', String(viewed));
  const ring = document.querySelector('.viewed-ring .on');
  ring?.setAttribute('stroke-dasharray', `${viewed} ${ring.getAttribute('pathLength')}`);
});

// --- Shortcuts -------------------------------------------------------------------------------------------------
// A shortcut activates a control of the page; `data-key` names its key. Single keys are ignored in fields, while a
// comment (`data-comment-field`) or a dialog is open, and if the user has switched them off (WCAG 2.1.4).

export const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable]'; // a checkbox takes no letters
export const KEYS_OFF = 'html[data-keys=off], [data-comment-field][open], dialog[open]';

/** The actions of a list without a selection (`data-bulk`). */
const WITHOUT_SELECTION = 'form:not(:has(input:checked)) > [data-bulk] > *';

let isAfterG = false;

addEventListener('keydown', (event) => {
  const { key, target } = event;
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.repeat || !(target instanceof Element)) return;
  if (isCommand && key === 'Enter') {
    if (submitOtherForm(target) || closeComment(target)) event.preventDefault();
    else submit((target === document.body && firstFocus) || target);
    return;
  }
  if (key === 'Escape' && closeComment(target)) return;
  if (isCommand || event.altKey || target.closest(FIELDS) || document.querySelector(KEYS_OFF)) return;
  const name = isAfterG ? `g ${key}` : key;
  isAfterG = key === 'g';
  if (press(name, target)) event.preventDefault();
});

/**
 * Performs the shortcut. Returns whether there is one.
 *
 * @param {string} name
 * @param {Element} target
 */
function press(name, target) {
  switch (name) {
    case 'j':
      return step('[data-row]', 1);
    case 'k':
      return step('[data-row]', -1);
    case ']':
      return step('[data-comment]', 1);
    case '[':
      return step('[data-comment]', -1);
    case 'o':
      return open();
    case 'Enter':
      // The browser opens a focused link itself.
      return target.matches('tr[data-row]') && open();
    default:
      return activate(name);
  }
}

/**
 * Submits the form with the focus, or the form of the dialog or panel (`data-main`) whose title has the focus, with
 * its main button.
 *
 * @param {Element} target
 */
function submit(target) {
  const focused = target.closest('form, dialog, [data-main]');
  const form = focused?.matches('form') ? focused : focused?.querySelector('form');
  // Secondary buttons may precede the main button. `data-default` takes precedence over its color.
  const buttons = ['button[data-default]', 'button.primary:not([type=button])', 'button:not([type=button])'];
  const button = buttons.map((selector) => form?.querySelector(selector)).find(Boolean);
  if (button instanceof HTMLElement) button.click();
}

/**
 * Submits the form of a field that belongs to another form than the one around it, with the button after the field.
 * If the element is such a button itself, it is pressed. Returns whether there is such a button.
 *
 * @param {Element} target
 */
function submitOtherForm(target) {
  const form = target.getAttribute('form');
  const selector = `button[form="${CSS.escape(form ?? '')}"]`;
  const button = form && (target.closest(selector) ?? target.parentElement?.querySelector(selector));
  if (button instanceof HTMLElement) button.click();
  return Boolean(button);
}

/**
 * Closes the comment that contains `target`, whose field keeps its text, and focuses its summary. Returns whether
 * there is such a comment.
 *
 * @param {Element} target
 */
function closeComment(target) {
  const comment = target.closest('[data-comment-field]');
  comment?.removeAttribute('open');
  comment?.querySelector('summary')?.focus();
  return comment !== null;
}

/**
 * Activates the first visible control with this key, or focuses it if it is a field. Controls of the row with the
 * focus come first, actions without a selection last. A checked checkbox is skipped. If the control opens a
 * disclosure, the focus moves to its first field.
 *
 * @param {string} name
 */
function activate(name) {
  const selector = `[data-key="${CSS.escape(name)}"]:not(:checked)`;
  const row = document.activeElement?.closest('[data-row]');
  const controls = [row, document].flatMap((part) => [...(part?.querySelectorAll(selector) ?? [])]).filter(isVisible);
  /** @type {any} */
  const control = controls.find((element) => !element.matches(WITHOUT_SELECTION)) ?? controls[0];
  if (!control) return false;
  // The focus moves first, so that a closing dialog returns it to this control.
  control.focus();
  if (control.matches(FIELDS)) return true;
  control.click();
  if (control.matches('details[open] > summary')) {
    control.parentElement.querySelector('input:not([type=hidden]), select, textarea')?.focus();
  }
  return true;
}

/**
 * Returns the visible elements of the page that match `selector`.
 *
 * @param {string} selector
 */
function visible(selector) {
  return [...document.querySelectorAll(selector)].filter(isVisible);
}

/** Follows the link of the row with the focus, else of the first row. Returns whether there is one. */
function open() {
  const row = document.activeElement?.closest('[data-row]') ?? visible('[data-row]')[0];
  /** @type {any} */
  const link = row?.querySelector('th a[href]') ?? row?.closest('[href]');
  link?.click();
  return Boolean(link);
}

/**
 * Moves the focus to the next or previous row or comment, relative to the one with the focus, else to the current
 * row of a table. Returns whether there is one.
 *
 * @param {string} selector
 * @param {number} offset
 */
function step(selector, offset) {
  /** @type {any[]} */
  const rows = visible(selector);
  const focused = document.activeElement?.closest(selector) ?? document.querySelector(`tr${selector}[aria-current]`);
  const current = rows.indexOf(focused);
  const next = current < 0 ? 0 : Math.min(Math.max(current + offset, 0), rows.length - 1);
  rows[next]?.focus();
  return rows.length > 0;
}

// The current row of a list is in view, also far below the top.
visible('tr[data-row][aria-current]')[0]?.scrollIntoView({ block: 'nearest' });

// --- Live updates ----------------------------------------------------------------------------------------------
// `data-stream` is the address of the tenant's event stream. `data-live` names the items that a link counts,
// `data-since` the mark of the page; only newer items are counted. The list itself changes only on a click. If the
// stream fails, the counts are requested once with every further attempt to open it.

/** @type {EventSource | undefined} */
let stream;
let failures = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let streamTimer;

/** Opens the event stream after a delay, while the document is visible. */
function listen(delay = STREAM_DELAY_MS) {
  clearTimeout(streamTimer);
  stream?.close();
  if (!document.hidden) streamTimer = setTimeout(openStream, delay);
}

function openStream() {
  /** @type {HTMLElement | null} */
  const source = document.querySelector('[data-stream]');
  if (!source) return;
  /** @type {NodeListOf<HTMLElement>} */
  const links = document.querySelectorAll('[data-live]');
  const url = new URL(/** @type {string} */ (source.dataset.stream), location.href);
  if (links[0]) url.searchParams.set('since', String(links[0].dataset.since));
  /** @param {string} text */
  const show = (text) => {
    const [decisions, alerts, openAlerts, deliveries] = text.split(' ').map(Number);
    /** @type {Record<string, number>} */
    const counts = { decisions, alerts, deliveries };
    for (const count of document.querySelectorAll('[data-count=alerts]')) {
      // The service counts up to 10,000.
      count.textContent = openAlerts.toLocaleString('en-US') + (openAlerts < 10_000 ? '' : '+');
      count.toggleAttribute('hidden', openAlerts === 0);
    }
    for (const link of links) {
      const count = counts[String(link.dataset.live)] ?? 0;
      // The service counts up to 100.
      link.textContent = String(link.dataset.text).replace('{count}', count < 100 ? String(count) : '99+');
      link.hidden = count === 0;
    }
  };
  const opened = new EventSource(url);
  stream = opened;
  opened.addEventListener('news', ({ data }) => {
    failures = 0;
    show(data);
  });
  // The browser reconnects after a lost connection, but not after a rejection.
  opened.addEventListener('error', async () => {
    failures += 1;
    if (opened.readyState !== EventSource.CLOSED && failures < STREAM_FAILURES_MAX) return;
    listen(STREAM_RETRY_MS);
    url.searchParams.set('once', 'true');
    const response = await fetch(url).catch(() => null);
    if (response?.ok) show(await response.text());
    for (const link of response?.ok ? [] : links) {
      link.textContent = String(link.dataset.paused);
      link.hidden = false;
    }
  });
}

document.addEventListener('visibilitychange', () => listen());
// A stream would keep the document out of the browser's cache for Back and Forward.
addEventListener('pagehide', () => stream?.close());
addEventListener('pageshow', () => listen());

// --- Parts that change without an action -----------------------------------------------------------------------
// `data-refresh` is the time in milliseconds after which an element is replaced with the element of the same ID of a
// new document, until that element has no `data-refresh`. An element that the user reads or uses is not replaced: it
// contains the focus, selected text, an open disclosure or a checked box. The number of requests is limited, because
// each extends the session.

let refreshesLeft = 60;

function refresh() {
  /** @type {NodeListOf<HTMLElement>} */
  const parts = document.querySelectorAll('[data-refresh]');
  if (!parts[0] || refreshesLeft === 0) return;
  setTimeout(async () => {
    if (!document.hidden) {
      refreshesLeft -= 1;
      const response = await fetch(location.href).catch(() => null);
      const html = response?.ok ? await response.text() : '';
      const page = new DOMParser().parseFromString(html, 'text/html');
      for (const part of parts) {
        const fresh = page.getElementById(part.id);
        const isUsed = part.contains(document.activeElement) || part.querySelector('details[open], input:checked');
        if (fresh && !isUsed && getSelection()?.isCollapsed !== false) part.replaceWith(fresh);
      }
    }
    refresh();
  }, Number(parts[0].dataset.refresh));
}

refresh();
