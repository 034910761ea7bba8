import type { Page } from 'playwright-core';

/** What a page reads at the address, from now on: a state of the database that would take days, or a faulty provider, to come about. */
export async function answerWith(page: Page, address: RegExp, answer: () => unknown): Promise<void> {
  await page.route(address, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ json: answer() }) : route.fallback(),
  );
}

/** Somebody comes back to the page after a while: what it shows is read again. */
export async function comeBackLater(page: Page): Promise<void> {
  await page.evaluate(
    '{ const now = Date.now; Date.now = () => now() + 61_000; window.dispatchEvent(new Event("visibilitychange")); }',
  );
}

/** As the server says that an action is allowed. */
export function allowed(action: string): { action: string; isAllowed: true; code: null; reason: null } {
  return { action, isAllowed: true, code: null, reason: null };
}
