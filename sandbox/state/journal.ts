import { closeSync, fstatSync, ftruncateSync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Account } from '../account/account.ts';
import type { ClockReading } from '../core/clock.ts';
import { exactNumber, readJson, writeAsRead } from '../core/json.ts';
import { Refusal } from '../core/refusal.ts';
import { lockFile } from './file-lock.ts';
import { type Line, readLines } from './read-lines.ts';
import { StateFileError } from './state-file-error.ts';

/**
 * A call that may change the state, as the journal stores it. Its name selects the handler that replays it. What a
 * fault does before a call (end a token, expire a quote) is an entry of its own, written before the entry of the call.
 */
export interface JournalEntry {
  readonly name: string;
  readonly account: Account;
  /** The token of the caller; absent where none is needed. */
  readonly token?: string | null | undefined;
  /** The request before a schema parsed it: JSON whose numbers are as they were written. */
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Parses an entry and returns the function that repeats its effect. What that function throws was answered to the
 * original call as well.
 * @throws Error when the entry cannot be parsed
 */
export type ReplayHandler = (entry: JournalEntry) => () => unknown;

/** Increase it whenever the same entries would produce another state, e.g. because a random number is drawn elsewhere. */
const FORMAT = 1;

/** No open file: writing to it fails. */
const CLOSED = -1;

/** The first line: the initial clock, and the options that the state depends on. */
export interface JournalHeader {
  readonly format: number;
  /** When the sandbox was first started; identifiers are derived from it. */
  readonly startedAtMs: number;
  readonly resets: number;
  readonly clock: ClockReading;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Any other line: an entry, with the time of the sandbox's clock. */
export interface StoredEntry extends Omit<JournalEntry, 'account'> {
  readonly line: number;
  readonly atMs: number;
  readonly apiKey: string;
}

/**
 * The state file of a sandbox: lines of JSON. Each line is written completely before its call takes effect. Lines are
 * not flushed to the disk: they survive the end of the process, but the last ones may be lost if the machine fails. The
 * file contains the requests of callers, including secrets, so that only its owner may read it.
 */
export class Journal {
  readonly path: string;
  /** Null when the file is new. */
  readonly header: JournalHeader | null;
  readonly #unlock: () => void;
  readonly #lines: Generator<Line, void>;
  #descriptor: number;
  /** The length of the complete lines in bytes. */
  #length = 0;
  /** Whether an incomplete line may follow them. */
  #hasPartialLine = false;

  /** @throws StateFileError when the file cannot be opened, is used by another process, or has no valid header */
  constructor(path: string) {
    this.path = realPathOf(path);
    this.#unlock = lockFile(this.path);
    this.#descriptor = CLOSED;
    try {
      this.#descriptor = openSync(this.path, 'a+', 0o600);
      this.#lines = readLines(this.#descriptor);
      this.header = this.#readHeader();
    } catch (error) {
      this.close();
      throw error instanceof StateFileError ? error : cannotOpen(path, error);
    }
  }

  /**
   * Reads the entries in order, once. Then an incomplete last line is removed and reported: its call was never answered.
   * @throws StateFileError that names the line which cannot be read
   */
  *entries(report: (line: string) => void): Generator<StoredEntry, void> {
    for (const line of this.#lines) {
      yield this.#parseEntry(line);
      this.#length = line.endsAt;
    }
    const partialBytes = fstatSync(this.#descriptor).size - this.#length;
    if (partialBytes === 0) return;
    report(
      `${this.path}: the last line is incomplete and was ignored (${partialBytes} bytes); its call was never answered`,
    );
    this.#hasPartialLine = true;
    this.#removePartialLine();
  }

  /** Starts a new file, which replaces the old one once it is complete. @throws Refusal 503 `state_not_kept` */
  start(header: Omit<JournalHeader, 'format'>): void {
    const path = `${this.path}.new`;
    refuseOnError(this.path, () => {
      rmSync(path, { force: true });
      const descriptor = openSync(path, 'ax+', 0o600);
      try {
        const length = writeLine(descriptor, { format: FORMAT, ...header });
        renameSync(path, this.path);
        closeSync(this.#descriptor);
        [this.#descriptor, this.#length, this.#hasPartialLine] = [descriptor, length, false];
      } catch (error) {
        closeSync(descriptor);
        rmSync(path, { force: true });
        throw error;
      }
    });
  }

  /** Writes the entry of a call before its effect. @throws Refusal 503 `state_not_kept`: the call must have no effect */
  write(atMs: number, { name, account, token, params, query, body }: JournalEntry): void {
    // These keys are in existing state files.
    const line = {
      at: atMs,
      do: name,
      key: account.credentials.apiKey,
      token: token ?? undefined,
      params,
      query,
      body,
    };
    refuseOnError(this.path, () => {
      this.#removePartialLine();
      this.#hasPartialLine = true;
      try {
        this.#length += writeLine(this.#descriptor, line);
        this.#hasPartialLine = false;
      } catch (error) {
        this.#removePartialLine();
        throw error;
      }
    });
  }

  close(): void {
    if (this.#descriptor === CLOSED) return;
    closeSync(this.#descriptor);
    // The number may soon belong to another file.
    this.#descriptor = CLOSED;
    this.#unlock();
  }

  #removePartialLine(): void {
    if (!this.#hasPartialLine) return;
    ftruncateSync(this.#descriptor, this.#length);
    this.#hasPartialLine = false;
  }

  #readHeader(): JournalHeader | null {
    const first = this.#lines.next();
    if (first.done) {
      // A new file appears with a complete header, so that a file without one was not written by a sandbox.
      if (fstatSync(this.#descriptor).size > 0) throw this.#damagedAt(1);
      return null;
    }
    this.#length = first.value.endsAt;
    let header: Partial<JournalHeader>;
    try {
      header = JSON.parse(first.value.text) as Partial<JournalHeader>;
    } catch {
      throw this.#damagedAt(1);
    }
    if (header.format !== FORMAT) {
      const found = typeof header.format === 'number' ? `format ${header.format}` : 'no format';
      throw new StateFileError(
        this.path,
        `was not written by this version of the sandbox (${found})`,
        'Name another file',
      );
    }
    return header as JournalHeader;
  }

  #parseEntry({ number, text }: Line): StoredEntry {
    try {
      const line = readJson(Buffer.from(text)) as Record<string, unknown>;
      const { at, do: name, key: apiKey, token, params, query, body } = line;
      const atMs = exactNumber.parse(at).toNumber();
      if (typeof name !== 'string' || typeof apiKey !== 'string') throw new Error('not an entry');
      return { line: number, atMs, name, apiKey, token: (token as string | undefined) ?? null, params, query, body };
    } catch {
      throw this.#damagedAt(number);
    }
  }

  #damagedAt(line: number): StateFileError {
    return new StateFileError(this.path, `line ${line} is damaged`, 'Restore the file from a copy, or name another');
  }
}

/** Appends one complete line; returns its length in bytes. */
function writeLine(descriptor: number, line: unknown): number {
  const bytes = Buffer.from(`${writeAsRead(line)}\n`);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written);
  }
  return bytes.length;
}

/** @throws Refusal 503 `state_not_kept` for an error of the file system */
function refuseOnError(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const fix = 'the call had no effect; free disk space, or make the file writable, and try again';
    throw new Refusal(503, 'state_not_kept', `the state file ${basename(path)} cannot be written (${code}): ${fix}`);
  }
}

/** The real path, so that two names of one file share one lock. @throws StateFileError when the folder does not exist */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // The file is new, or its folder does not exist.
  }
  try {
    return join(realpathSync(dirname(path)), basename(path));
  } catch (error) {
    throw cannotOpen(path, error);
  }
}

const cannotOpen = (path: string, error: unknown): StateFileError =>
  new StateFileError(
    path,
    `cannot be opened (${(error as NodeJS.ErrnoException).code ?? String(error)})`,
    'Name a writable file in an existing folder',
  );
