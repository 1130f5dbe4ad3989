// Records problems and loaded files of a page from its first byte on.

import type { Page } from '@playwright/test';

export interface PageLog {
  /** Console messages, script errors, foreign requests, failed responses and violations of the content policy. */
  messages: string[];
  files: Set<string>;
}

/** Starts a log of `page`. Requests outside of `origin` are recorded as messages. */
export async function startPageLog(page: Page, origin: string): Promise<PageLog> {
  const messages: string[] = [];
  const files = new Set<string>();
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => messages.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) messages.push(`request: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if (response.status() >= 400 && !isPage) messages.push(`${response.status()} ${response.url()}`);
    files.add(new URL(response.url()).pathname);
  });
  await page.exposeFunction('reportViolation', (violation: string) => messages.push(`blocked: ${violation}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { reportViolation: (violation: string) => void }).reportViolation(
        `${event.violatedDirective} ${event.blockedURI}`,
      ),
    );
  });
  return { messages, files };
}
