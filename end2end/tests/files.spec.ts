// Static files of the site, requested at the same time as pages.

import { expect, test } from '../support/fixtures.js';

test('concurrent requests redirect pages but not static files', async ({ request, env }) => {
  const headers = { accept: 'text/html' };
  const get = (path: string) => request.get(path, { headers, maxRedirects: 0 });
  for (let round = 0; round < 20; round++) {
    const responses = await Promise.all(
      Array.from({ length: 16 }, (_, n) => get(n % 2 ? '/favicon.svg' : env.path(`policies?n=${n}`))),
    );
    for (const [n, response] of responses.entries()) {
      const { location } = response.headers();
      if (n % 2) expect([response.status(), location]).toEqual([200, undefined]);
      else expect([response.status(), location]).toEqual([303, expect.stringContaining(`n%3D${n}`)]);
    }
  }
});

test('a cached file that has not changed returns 304', async ({ request }) => {
  const first = await request.get('/favicon.svg');
  expect(first.headers()['cache-control']).toBe('no-cache');
  const since = first.headers()['last-modified'] ?? '';
  const second = await request.get('/favicon.svg', { headers: { 'if-modified-since': since } });
  expect(second.status()).toBe(304);
});
