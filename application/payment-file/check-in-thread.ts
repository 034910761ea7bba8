import { Worker } from 'node:worker_threads';
import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import { type RowBatch, ROWS_PER_BATCH } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import { type AcceptedFile, type CheckTerms, type RefusedFile, refusedWhole } from './check-payment-file.ts';
import type { CheckSteps } from './check-thread.ts';
import type { Unreadable } from './file-problem.ts';
import type { FileNeeds } from './terms-of-file.ts';

export interface ThreadLimits {
  /** From the start of the thread until the last row is here. */
  timeoutMs: number;
  /** Of the thread's own memory, in MiB. */
  memoryMib: number;
}

/** Its rows are encrypted and ready to be stored: building them in this thread would delay other requests. */
export type AcceptedInThread = Omit<AcceptedFile, 'rows'> & { rows: RowBatch[] };

export const THREAD_LIMITS: ThreadLimits = { timeoutMs: 600_000, memoryMib: 4_096 };

/**
 * Reads and checks a payment file in a separate thread, so that this one keeps answering. Once the file is read,
 * `termsFor` is asked for what its rows are checked against. A file that takes too long, or too much memory, is refused.
 * `key` null: its rows are not asked for, and none are returned.
 */
export async function checkInThread(
  file: CheckSteps['read']['input'],
  termsFor: (needs: FileNeeds) => Promise<CheckTerms>,
  key: RunKey | null,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<RefusedFile | AcceptedInThread> {
  const checked = await inThread(limits, (thread) => checkBy(thread, file, termsFor, key));
  return 'fileProblem' in checked ? refusedWhole(null, checked.fileProblem) : checked;
}

/** Reads a payment file as a table, likewise. */
export function readTableInThread(file: CheckSteps['table']['input']): Promise<CheckSteps['table']['answer']> {
  return inThread(THREAD_LIMITS, (thread) => thread.ask('table', file));
}

/** Proposes how a file is read, likewise. */
export function proposeInThread(file: CheckSteps['propose']['input']): Promise<CheckSteps['propose']['answer']> {
  return inThread(THREAD_LIMITS, (thread) => thread.ask('propose', file));
}

async function inThread<T>(limits: ThreadLimits, task: (thread: CheckThread) => Promise<T>): Promise<T | Unreadable> {
  const thread = takeThread(limits);
  try {
    const answer = await task(thread);
    await thread.ask('forget', null);
    keepThread(thread);
    return answer;
  } catch (error) {
    await thread.end();
    if (error instanceof LimitReached) return { fileProblem: error.problem, sheetNames: [] };
    throw error;
  }
}

async function checkBy(
  thread: CheckThread,
  file: CheckSteps['read']['input'],
  termsFor: (needs: FileNeeds) => Promise<CheckTerms>,
  key: RunKey | null,
): Promise<RefusedFile | AcceptedInThread> {
  const read = await thread.ask('read', file);
  if (read.kind === 'refused') return read;
  const checked = await thread.ask('check', await thread.unlessEnded(termsFor(read)));
  if (checked.kind === 'refused') return checked;
  const { rowCount, ...rest } = checked;
  const rows: RowBatch[] = [];
  for (let from = 0; key !== null && from < rowCount; from += ROWS_PER_BATCH) {
    rows.push(await thread.ask('rows', { from, key }));
  }
  return { ...rest, rows };
}

/** One that has checked a file is kept for the next, as a new one takes most of a second to begin. */
const KEPT_MS = 60_000;
let kept: CheckThread | null = null;

function takeThread({ memoryMib, timeoutMs }: ThreadLimits): CheckThread {
  let thread = kept;
  if (thread === null || thread.hasEnded || thread.memoryMib !== memoryMib) thread = new CheckThread(memoryMib);
  else kept = null;
  thread.endAfter(timeoutMs, tooMuchTime(timeoutMs));
  return thread;
}

function keepThread(thread: CheckThread): void {
  void kept?.end();
  kept = thread;
  thread.endAfter(KEPT_MS, new Error('no file was checked for a while'));
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
  readonly memoryMib: number;
  hasEnded = false;
  readonly #worker: Worker;
  #timer: NodeJS.Timeout | undefined;
  /** Rejects when the thread has ended, or is about to. */
  readonly #ended: Promise<never>;
  readonly #endWith: (error: unknown) => void;

  constructor(memoryMib: number) {
    this.memoryMib = memoryMib;
    this.#worker = new Worker(new URL('./check-thread.mjs', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: memoryMib },
    });
    const { promise, reject } = never();
    this.#ended = promise;
    this.#endWith = reject;
    this.#worker.once('error', (error) => reject(isOutOfMemory(error) ? tooMuchMemory() : error));
    this.#worker.once('exit', () => {
      this.hasEnded = true;
      reject(new Error('the thread that checks a file has ended'));
    });
    // A stopping process does not wait for the check of a file.
    this.#worker.unref();
  }

  /** Ends it with the error after that time, instead of after the time that was set before. */
  endAfter(timeoutMs: number, error: Error): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#endWith(error);
      void this.end();
    }, timeoutMs);
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
    this.hasEnded = true;
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
