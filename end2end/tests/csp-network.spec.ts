import { PAGES } from '../support/pages.js';
import { expect, test } from '../support/world.js';

for (const { name, path, isPublic, status = 200 } of PAGES) {
  test(`${name} is quiet, stays at home and needs no inline style`, async ({ page, world }) => {
    if (!isPublic) await world.seat(page);
    const heard: string[] = [];
    page.on('console', (message) => heard.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => heard.push(`error: ${error.message}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(world.govern.url)) heard.push(`request: ${request.url()}`);
    });
    page.on('response', (response) => {
      const isPage = response.request().isNavigationRequest();
      if (response.status() >= 400 && !isPage) heard.push(`${response.status()} ${response.url()}`);
    });
    await page.exposeFunction('blocked', (what: string) => heard.push(`blocked: ${what}`));
    await page.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) =>
        (window as unknown as { blocked: (what: string) => void }).blocked(
          `${event.violatedDirective} ${event.blockedURI}`,
        ),
      );
    });

    const answer = await page.goto(await path(world));
    expect(answer?.status()).toBe(status);
    const policy = answer?.headers()['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("'unsafe-inline'");
    const html = (await answer?.text()) ?? '';
    expect(html).not.toMatch(/<style|\sstyle=/);

    // By then the module is here, and has woken the page.
    await page.waitForLoadState('networkidle');
    const styled = await page.evaluate(() => document.querySelectorAll('[style], style').length);
    expect(styled).toBe(0);
    // A browser tells of every page that is missing; that is no word of ours.
    const told = heard.filter((line) => status === 200 || !line.includes(`status of ${status}`));
    expect(told).toEqual([]);
  });
}
