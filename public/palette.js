// The command palette: "/" and Ctrl+K open a dialog with a search field and its results. The field is a combobox:
// the focus stays in it, and aria-activedescendant names the current option. Each option is a link, so the palette
// executes nothing. The server renders the options.

import { FIELDS, KEYS_OFF } from './page.js';

const DELAY_MS = 120;
const dialog = () => document.getElementById('palette');
const field = () => dialog().querySelector('input');
const list = () => document.getElementById('palette-results');
const options = () => [...list().querySelectorAll('[role=option]')];
const selected = () => list().querySelector('[aria-selected=true]');
let timer;
let request = 0;
// Whether the options are those of the text in the field.
let isCurrent = false;

function select(option) {
  selected()?.setAttribute('aria-selected', 'false');
  if (!option) return field().removeAttribute('aria-activedescendant');
  option.setAttribute('aria-selected', 'true');
  field().setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

function show({ html, status }) {
  list().innerHTML = html;
  options().forEach((option, index) => (option.id = `palette-option-${index}`));
  list().hidden = html === '';
  list().scrollTop = 0;
  field().setAttribute('aria-expanded', String(html !== ''));
  dialog().querySelector('[role=status]').textContent = status;
  select(options()[0]);
}

async function load() {
  const number = ++request;
  const { tenant, results, failed } = dialog().dataset;
  const body = new URLSearchParams({ tenant, text: field().value });
  let result = { html: '', status: failed };
  try {
    const response = await fetch(results, { method: 'POST', body });
    if (response.ok) result = await response.json();
  } catch {
    // The status says that the results are missing.
  }
  if (number !== request) return;
  isCurrent = true;
  show(result);
}

function open() {
  if (dialog().open) return;
  field().value = '';
  isCurrent = false;
  show({ html: '', status: '' });
  dialog().showModal();
  field().focus();
  load();
}

function step(offset) {
  const all = options();
  if (all.length === 0) return;
  const index = all.indexOf(selected());
  select(all[(index + offset + all.length) % all.length]);
}

// Opens the current option. Without one, the form opens the search page.
function choose(event) {
  const option = isCurrent && selected();
  if (!option) return;
  event.preventDefault();
  if (!event.ctrlKey && !event.metaKey) return option.click();
  dialog().close();
  window.open(option.href, '_blank', 'noopener');
}

function pressInField(event) {
  const { key } = event;
  if (key === 'ArrowDown' || key === 'ArrowUp') step(key === 'ArrowDown' ? 1 : -1);
  else if (key === 'Enter') return choose(event);
  else return;
  event.preventDefault();
}

document.addEventListener(
  'keydown',
  (event) => {
    if (!dialog() || event.isComposing) return;
    if (event.target === field()) pressInField(event);
    if (event.repeat || event.altKey) return;
    const command = event.ctrlKey || event.metaKey;
    const isSearch = command && !event.shiftKey && event.key.toLowerCase() === 'k';
    const isSlash = !command && event.key === '/' && !event.target.closest(FIELDS) && !document.querySelector(KEYS_OFF);
    // Another dialog keeps its input.
    if (!(isSearch || isSlash) || document.querySelector('dialog[open]:not(#palette)')) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  },
  true,
);
document.addEventListener('input', (event) => {
  if (!dialog() || event.target !== field()) return;
  isCurrent = false;
  request += 1; // The response to an earlier text is ignored.
  clearTimeout(timer);
  timer = setTimeout(load, DELAY_MS);
});
document.addEventListener(
  'click',
  (event) => {
    if (!dialog()) return;
    if (event.target.closest('[data-palette]') && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      event.stopPropagation();
      open();
    } else if (event.target === dialog() || event.target.closest('#palette [role=option]')) {
      dialog().close();
    }
  },
  true,
);
