import type { Browser } from 'playwright-core';
import { usageOf } from './process-tree.ts';

/** The largest of the browser's processes that show pages, in MiB: proportional, as in `usageOf`. Null where there is no /proc. */
export async function tabMemoryMiB(browser: Browser): Promise<number | null> {
  const session = await browser.newBrowserCDPSession();
  try {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sizes = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => usageOf(id)?.memoryBytes ?? 0);
    const largest = Math.max(0, ...sizes);
    return largest === 0 ? null : Math.round(largest / 2 ** 20);
  } finally {
    await session.detach();
  }
}
