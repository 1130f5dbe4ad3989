// Files of the site, beside pages that are asked for in the same moment.

import { expect, test } from '../support/world.js';

test('a page keeps its redirect, and no file takes it along', async ({ request, world }) => {
  const headers = { accept: 'text/html' };
  const ask = (path: string) => request.get(path, { headers, maxRedirects: 0 });
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => ask(n % 2 ? '/favicon.svg' : world.path(`policies?n=${n}`))),
    );
    for (const [n, answer] of answers.entries()) {
      const { location } = answer.headers();
      if (n % 2) expect([answer.status(), location]).toEqual([200, undefined]);
      else expect([answer.status(), location]).toEqual([303, expect.stringContaining(`n%3D${n}`)]);
    }
  }
});

test('a file that is known already is not sent again', async ({ request }) => {
  const first = await request.get('/favicon.svg');
  expect(first.headers()['cache-control']).toBe('no-cache');
  const since = first.headers()['last-modified'] ?? '';
  const again = await request.get('/favicon.svg', { headers: { 'if-modified-since': since } });
  expect(again.status()).toBe(304);
});
