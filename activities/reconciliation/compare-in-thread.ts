import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { FactRange } from '../../store/accounts/fact-sources.ts';
import type { ReconciledDay } from './compare-day.ts';

export interface DayForThread {
  databaseUrl: string;
  range: FactRange;
}

/** Of the thread's own memory: half a million entries of one day take 2 GB with their books. */
const MEMORY_MIB = 4_096;

/**
 * Reconciles a day in a thread of its own, so that this one goes on with payments and heartbeats. It has one connection to the
 * database. Fails if the day takes more memory than the thread may have; then nothing of it is stored.
 */
export async function compareInThread(day: DayForThread, memoryMib = MEMORY_MIB): Promise<ReconciledDay> {
  const thread = new Worker(new URL('./reconcile-thread.mjs', import.meta.url), {
    workerData: day,
    resourceLimits: { maxOldGenerationSizeMb: memoryMib },
  });
  // A stopping process does not wait for it: what is not stored is computed again.
  thread.unref();
  try {
    const [answer] = (await Promise.race([once(thread, 'message'), endOf(thread)])) as [ReconciledDay];
    return answer;
  } finally {
    await thread.terminate();
  }
}

/** Only ever rejects: an answer comes before the end. Its rejection may stay unhandled. */
function endOf(thread: Worker): Promise<never> {
  const ended = once(thread, 'exit').then(() => {
    throw new Error('the thread that reconciles a day has ended without an answer');
  });
  ended.catch(() => undefined);
  return ended;
}
