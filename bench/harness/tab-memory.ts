import type { Browser, Page } from 'playwright-core';
import { usageOf } from './process-tree.ts';

/** What the page itself holds once its garbage is collected, in MiB, and the elements that it has. */
export async function heldByPage(page: Page): Promise<{ heapMiB: number; elements: number }> {
  const session = await page.context().newCDPSession(page);
  try {
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const { nodes } = await session.send('Memory.getDOMCounters');
    return { heapMiB: Math.round(usedSize / 2 ** 20), elements: nodes };
  } finally {
    await session.detach();
  }
}

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
