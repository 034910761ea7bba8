import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface ThreadWork {
  /** A file of plain JavaScript that loads the work. */
  file: URL;
  /** What the thread is told, as its `workerData`. */
  data: object;
  /** Of the thread's own memory. */
  memoryMib: number;
  /** What it does, as in "the thread that … has ended without an answer". */
  purpose: string;
}

/**
 * The first message of a thread that reads the database by itself, so that this one goes on with other work meanwhile. Fails as the
 * thread failed, also if it needs more memory than it may have.
 */
export async function answerOfThread<Answer>({ file, data, memoryMib, purpose }: ThreadWork): Promise<Answer> {
  const thread = new Worker(file, { workerData: data, resourceLimits: { maxOldGenerationSizeMb: memoryMib } });
  // A stopping process does not wait for it: what is not stored is computed again.
  thread.unref();
  try {
    const [answer] = (await Promise.race([once(thread, 'message'), endOf(thread, purpose)])) as [Answer];
    return answer;
  } finally {
    await thread.terminate();
  }
}

/** Only ever rejects: an answer comes before the end. Its rejection may stay unhandled. */
function endOf(thread: Worker, purpose: string): Promise<never> {
  const ended = once(thread, 'exit').then(() => {
    throw new Error(`the thread that ${purpose} has ended without an answer`);
  });
  ended.catch(() => undefined);
  return ended;
}
