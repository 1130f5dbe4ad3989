// Filters the list of operations, and sends the requests of the forms.
'use strict';

const filter = document.querySelector('nav .filter');
filter.hidden = false;
filter.querySelector('input').addEventListener('input', (event) => {
  const wanted = event.target.value.trim().toLowerCase();
  for (const section of document.querySelectorAll('nav section')) {
    const items = [...section.querySelectorAll('li')];
    for (const item of items) item.hidden = !item.textContent.toLowerCase().includes(wanted);
    section.hidden = items.every((item) => item.hidden);
  }
});

const credentials = document.querySelector('form.credentials');
credentials.hidden = false;
credentials.addEventListener('submit', (event) => event.preventDefault());

/** Returns the request that a form describes. */
function request(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const input of form.querySelectorAll('input')) {
    const value = input.value.trim();
    if (input.dataset.in === 'path') path = path.replace(`{${input.name}}`, encodeURIComponent(value));
    else if (value !== '') query.set(input.name, value);
  }
  const headers = { accept: 'application/json' };
  const { tenant, key } = credentials.elements;
  if (tenant.value !== '') headers['x-service-tenant-id'] = tenant.value.trim();
  if (key.value !== '') headers.authorization = `Bearer ${key.value.trim()}`;
  const body = form.elements.body?.value;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const search = query.toString();
  return [search === '' ? path : `${path}?${search}`, { method: form.dataset.method, headers, body }];
}

/** Formats a response for display. */
async function formatResponse(response) {
  const text = await response.text();
  const names = ['x-correlation-id', 'rate-limit-remaining', 'retry-after', 'location'];
  const headers = names.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}`);
  let body = text;
  try {
    body = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not every response is JSON.
  }
  return [`${response.status} ${response.statusText}`, ...lines, '', body].join('\n');
}

for (const details of document.querySelectorAll('details.try')) {
  details.hidden = false;
  const form = details.querySelector('form');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const output = form.querySelector('output');
    output.textContent = 'Sending…';
    try {
      output.textContent = await formatResponse(await fetch(...request(form)));
    } catch (error) {
      output.textContent = `The service did not respond: ${error.message}`;
    }
  });
}
