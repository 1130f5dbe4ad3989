// What a page says aloud, and what it asks for, from its first byte on.

import type { Page } from '@playwright/test';

/** Listens to `page`, which belongs at `home`. What is heard comes to the lists that are returned. */
export async function listen(page: Page, home: string): Promise<{ heard: string[]; files: Set<string> }> {
  const heard: string[] = [];
  const files = new Set<string>();
  page.on('console', (message) => heard.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(home)) heard.push(`request: ${request.url()}`);
  });
  page.on('response', (response) => {
    const isPage = response.request().isNavigationRequest();
    if (response.status() >= 400 && !isPage) heard.push(`${response.status()} ${response.url()}`);
    files.add(new URL(response.url()).pathname);
  });
  await page.exposeFunction('blocked', (what: string) => heard.push(`blocked: ${what}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      (window as unknown as { blocked: (what: string) => void }).blocked(
        `${event.violatedDirective} ${event.blockedURI}`,
      ),
    );
  });
  return { heard, files };
}
