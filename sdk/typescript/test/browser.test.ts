// The package in a browser: a page of another origin reads a public receipt and verifies it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, Service } from './service.js';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell';

const PAGE = `<!doctype html><script type="module">
  import { Govern, verifyReceipt } from '/dist/index.js';
  const parameters = new URLSearchParams(location.search);
  const send = (body) => fetch('/result', { method: 'POST', body: JSON.stringify(body) });
  try {
    const govern = new Govern({ baseUrl: parameters.get('service') });
    const { keys } = await govern.trust.signingKeys();
    const receipt = await govern.receipts.get(parameters.get('decision'));
    const { checks } = await verifyReceipt(receipt, { keys });
    receipt.statement.decision = 'ALLOW';
    const tampered = await verifyReceipt(receipt, { keys });
    await send([checks.signature.status, tampered.checks.signature.status]);
  } catch (error) {
    await send(String(error));
  }
</script>`;

test('a page reads a receipt of another origin and verifies it', async () => {
  const service = await Service.start();
  const profile = mkdtempSync(join(tmpdir(), 'govern-sdk-'));
  let report: (result: unknown) => void;
  const result = new Promise((resolve) => (report = resolve));
  const server = createServer(async (request, response) => {
    const path = new URL(request.url!, 'http://page').pathname;
    if (path === '/result') {
      let body = '';
      for await (const chunk of request) body += chunk;
      report(JSON.parse(body));
      response.end();
    } else if (/^\/dist\/\w+\.js$/.test(path)) {
      response.setHeader('content-type', 'text/javascript');
      response.end(readFileSync(join(ROOT, 'sdk/typescript', path)));
    } else {
      response.setHeader('content-type', 'text/html');
      response.end(PAGE);
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  try {
    const { decisionType } = await service.activePolicy('expense');
    const context = { decision_type: decisionType, fields: { amount: 620 } };
    const { decision } = await service.client().decisions.record({ context });
    const parameters = new URLSearchParams({ service: service.url, decision: decision.id });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/?${parameters}`;
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', `--user-data-dir=${profile}`];
    const browser = spawn(CHROMIUM, [...flags, url], { stdio: 'ignore' });
    const exit = new Promise((done) => browser.once('exit', done));
    const timer = setTimeout(() => report('the browser reported nothing'), 60_000);
    assert.deepEqual(await result, ['verified', 'failed']);
    clearTimeout(timer);
    browser.kill();
    await exit;
  } finally {
    server.close();
    server.closeAllConnections();
    await service.stop();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
});
