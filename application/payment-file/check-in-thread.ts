import { Worker } from 'node:worker_threads';
import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import type { RowBatch } from '../../domain/runs/new-row.ts';
import type { RunKey } from '../../store/personal-data/payee-data.ts';
import {
  type CheckedFile,
  type CheckTerms,
  type FileFacts,
  type RefusedFile,
  refusedWhole,
} from './check-payment-file.ts';
import type { CheckSteps } from './check-thread.ts';
import type { Unreadable } from './file-problem.ts';
import type { FileNeeds } from './terms-of-file.ts';

export interface ThreadLimits {
  /** From the start of the thread until the last row is here. */
  timeoutMs: number;
  /** Of the thread's own memory, in MiB. */
  memoryMib: number;
}

/**
 * The rows of a file, encrypted and ready to be stored: building them in this thread would delay other requests. The next batch is made while
 * one is stored, and no more: once the next one is asked for, a batch is gone. Ends with what was found.
 */
export type RowsInThread = AsyncGenerator<RowBatch, CheckedFile, undefined>;

export const THREAD_LIMITS: ThreadLimits = { timeoutMs: 600_000, memoryMib: 512 };

/** What is to be done with a file. */
export interface FileCheck<T> {
  file: CheckSteps['read']['input'];
  /** Once the file is read, it is asked for what its rows are checked against. */
  termsFor: (needs: FileNeeds) => Promise<CheckTerms>;
  /** Null: the rows are not asked for, and none are given. */
  key: RunKey | null;
  /** Takes the rows to their end, or none. */
  take: (rows: RowsInThread, facts: FileFacts) => Promise<T>;
}

/**
 * Reads and checks a payment file in a separate thread, so that this one keeps answering. A file that takes too long, or too much memory, is
 * refused.
 */
export async function checkInThread<T>(
  check: FileCheck<T>,
  limits: ThreadLimits = THREAD_LIMITS,
): Promise<T | RefusedFile> {
  const checked = await inThread(limits, async (thread) => ({ done: await checkBy(thread, check) }));
  return 'done' in checked ? checked.done : refusedWhole(null, checked.fileProblem);
}

/** What is found in a file whose rows nobody takes. */
export async function findingsOf(rows: RowsInThread): Promise<CheckedFile> {
  for (;;) {
    const { value, done } = await rows.next();
    if (done === true) return value;
  }
}

/** Reads a payment file as a table, likewise. */
export function readTableInThread(file: CheckSteps['table']['input']): Promise<CheckSteps['table']['answer']> {
  return inThread(THREAD_LIMITS, (thread) => thread.ask('table', file));
}

/** Proposes how a file is read, likewise. */
export function proposeInThread(file: CheckSteps['propose']['input']): Promise<CheckSteps['propose']['answer']> {
  return inThread(THREAD_LIMITS, (thread) => thread.ask('propose', file));
}

/** Reads accounts for the book of beneficiaries, likewise. */
export function readBookInThread(file: CheckSteps['book']['input']): Promise<CheckSteps['book']['answer']> {
  return inThread(THREAD_LIMITS, (thread) => thread.ask('book', file));
}

async function inThread<T>(limits: ThreadLimits, task: (thread: CheckThread) => Promise<T>): Promise<T | Unreadable> {
  const thread = takeThread(limits);
  const answer = await task(thread).catch(async (error: unknown): Promise<Unreadable> => {
    await thread.end();
    if (error instanceof LimitReached) return { fileProblem: error.problem, sheetNames: [] };
    throw error;
  });
  // What was stored stays stored, whatever becomes of the thread after it.
  if (!thread.hasEnded) {
    await thread.ask('forget', null).then(
      () => keepThread(thread),
      () => thread.end(),
    );
  }
  return answer;
}

async function checkBy<T>(thread: CheckThread, { file, termsFor, key, take }: FileCheck<T>): Promise<T | RefusedFile> {
  const read = await thread.ask('read', file);
  if (read.kind === 'refused') return read;
  const { fileSha256, header, profile, rowCount } = read;
  const terms = await thread.unlessEnded(termsFor(read));
  await thread.ask('check', { terms, key });
  return take(rowsBy(thread), { fileSha256, header, profile, rowCount });
}

async function* rowsBy(thread: CheckThread): RowsInThread {
  let next = thread.ask('next', null);
  let taken: RowBatch['json'] | null = null;
  for (;;) {
    const batch = await next;
    if ('kind' in batch) return batch;
    // The memory of the batch before goes back: left to be collected, that of all batches would add up.
    next = thread.ask('next', taken, taken === null ? [] : [taken.buffer]);
    // Whoever takes the batch may fail, and not ask for the next one.
    next.catch(() => undefined);
    yield batch;
    taken = batch.json;
  }
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

/** Of values that live shortly: more is hardly faster, and is not given back. */
const YOUNG_MIB = 16;

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
      resourceLimits: { maxOldGenerationSizeMb: memoryMib, maxYoungGenerationSizeMb: YOUNG_MIB },
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
    /** Moved to the thread, without a copy. */
    moved: readonly ArrayBuffer[] = [],
  ): Promise<CheckSteps[Step]['answer']> {
    const answered = new Promise<CheckSteps[Step]['answer']>((resolve) => this.#worker.once('message', resolve));
    this.#worker.postMessage({ step, input }, moved);
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
