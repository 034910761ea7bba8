import { Worker } from 'node:worker_threads';
import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import type { Corridor } from '../../domain/payment-file/reference-data.ts';
import { type RowBatch, ROWS_PER_BATCH } from '../../domain/runs/new-row.ts';
import { type AcceptedFile, type CheckTerms, type RefusedFile, refusedWhole } from './check-payment-file.ts';
import type { CheckSteps } from './check-thread.ts';

export interface ThreadLimits {
  /** From the start of the thread until the last row is here. */
  timeoutMs: number;
  /** Of the thread's own memory, in MiB. */
  memoryMib: number;
}

/** Its rows are ready to be stored: building them in this thread would delay other requests. */
export type AcceptedInThread = Omit<AcceptedFile, 'rows'> & { rows: RowBatch[] };

export const THREAD_LIMITS: ThreadLimits = { timeoutMs: 600_000, memoryMib: 4_096 };

/**
 * Reads and checks a payment file in a separate thread, so that this one keeps answering. Once the file is read,
 * `termsFor` is asked for what its corridors need. A file that takes too long, or too much memory, is refused.
 */
export async function checkInThread(
  file: CheckSteps['read']['input'],
  termsFor: (corridors: Corridor[]) => Promise<CheckTerms>,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<RefusedFile | AcceptedInThread> {
  const thread = new CheckThread(limits);
  try {
    const read = await thread.ask('read', file);
    if (read.kind === 'refused') return read;
    const checked = await thread.ask('check', await thread.unlessEnded(termsFor(read.corridors)));
    if (checked.kind === 'refused') return checked;
    const { rowCount, ...rest } = checked;
    const rows: RowBatch[] = [];
    for (let from = 0; from < rowCount; from += ROWS_PER_BATCH) rows.push(await thread.ask('rows', { from }));
    return { ...rest, rows };
  } catch (error) {
    if (error instanceof LimitReached) return refusedWhole(null, error.problem);
    throw error;
  } finally {
    await thread.end();
  }
}

/** The file exceeds a limit of the thread. */
class LimitReached extends Error {
  readonly problem;

  constructor(code: FileProblemCode, problem: string) {
    super(problem);
    this.name = 'LimitReached';
    const fix = 'split the file, and submit its parts one by one';
    this.problem = { line: 0, rowRef: null, column: null, value: null, code, problem, fix };
  }
}

class CheckThread {
  readonly #worker: Worker;
  readonly #timer: NodeJS.Timeout;
  /** Rejects when the thread has ended or exceeded a limit. */
  readonly #ended: Promise<never>;

  constructor({ timeoutMs, memoryMib }: ThreadLimits) {
    this.#worker = new Worker(new URL('./check-thread.mjs', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    const { promise, reject } = never();
    this.#ended = promise;
    this.#worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuchMemory() : error));
    this.#worker.once('exit', () => reject(new Error('the thread that checks a file has ended')));
    this.#timer = setTimeout(() => reject(tooMuchTime(timeoutMs)), timeoutMs);
    // A stopping process does not wait for the check of a file.
    this.#worker.unref();
    this.#timer.unref();
  }

  async ask<Step extends keyof CheckSteps>(
    step: Step,
    input: CheckSteps[Step]['input'],
  ): Promise<CheckSteps[Step]['answer']> {
    const answered = new Promise<CheckSteps[Step]['answer']>((resolve) => this.#worker.once('message', resolve));
    this.#worker.postMessage({ step, input });
    return this.unlessEnded(answered);
  }

  /** The awaited value, or the error of the thread if it ends first. */
  unlessEnded<T>(awaited: Promise<T>): Promise<T> {
    return Promise.race([awaited, this.#ended]);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }
}

/** A promise that is only ever rejected; its rejection may stay unhandled. */
function never(): { promise: Promise<never>; reject: (error: unknown) => void } {
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_resolve, rejectPromise) => {
    reject = rejectPromise;
  });
  promise.catch(() => undefined);
  return { promise, reject };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooMuchTime(timeoutMs: number): LimitReached {
  return new LimitReached('check_too_long', `checking the file took longer than ${timeoutMs / 60_000} minutes`);
}

function tooMuchMemory(): LimitReached {
  return new LimitReached('check_too_large', 'checking the file took more memory than there is for it');
}
