import { closeSync, fstatSync, ftruncateSync, openSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ClockReading } from '../core/clock.ts';
import { exactNumber, readJson, writeAsRead } from '../core/json.ts';
import { Refusal } from '../core/refusal.ts';
import type { Deed } from './journal-entry.ts';
import { lockFile } from './file-lock.ts';
import { type Line, linesOf } from './lines-of.ts';
import { StateFileError } from './state-file-error.ts';

/** To be raised whenever the same deeds would make another state than before, e.g. by another draw of a Chance. */
const FORMAT = 1;

/** No file: writing to it fails. */
const NONE = -1;

/** The first line: what a state begins from, and what decided how it went on. */
export interface Beginning {
  readonly format: number;
  /** When the sandbox started first; identifiers derive from it. */
  readonly startedAtMs: number;
  readonly resets: number;
  readonly clock: ClockReading;
  readonly options: Readonly<Record<string, unknown>>;
}

/** Any other line: a deed, and the moment of the sandbox's clock at which it was done. */
export interface KeptDeed extends Omit<Deed, 'account'> {
  readonly line: number;
  readonly atMs: number;
  readonly apiKey: string;
}

/**
 * The file that keeps a sandbox's state: lines of JSON, of which each is there in whole before the call that it stands
 * for takes effect. It is written, not flushed to the disk: it outlives the process, however that ends, but what was
 * written last may be lost with the machine. It holds what callers sent, secrets too, and is its owner's alone to read.
 */
export class Journal {
  readonly path: string;
  /** What the file begins with; null when it is new. */
  readonly beginning: Beginning | null;
  readonly #unlock: () => void;
  readonly #lines: Generator<Line, void>;
  #descriptor: number;
  /** How much of the file is whole lines, in bytes. */
  #length = 0;
  /** Whether something half written may follow them. */
  #torn = false;

  /** @throws StateFileError when the file cannot be opened, is used by another process, or begins in a way that cannot be read */
  constructor(path: string) {
    this.path = realPathOf(path);
    this.#unlock = lockFile(this.path);
    this.#descriptor = NONE;
    try {
      this.#descriptor = openSync(this.path, 'a+', 0o600);
      this.#lines = linesOf(this.#descriptor);
      this.beginning = this.#readBeginning();
    } catch (error) {
      this.close();
      throw error instanceof StateFileError ? error : cannotOpen(path, error);
    }
  }

  /**
   * The deeds in their order, once. Then what follows the last whole line is cut off: its call was never answered.
   * `report` is told so.
   * @throws StateFileError that names the line which cannot be read
   */
  *deeds(report: (line: string) => void): Generator<KeptDeed, void> {
    for (const line of this.#lines) {
      yield this.#deedOf(line);
      this.#length = line.endsAt;
    }
    const more = fstatSync(this.#descriptor).size - this.#length;
    if (more === 0) return;
    report(`${this.path}: the last line is incomplete and was left out (${more} bytes); its call was never answered`);
    this.#torn = true;
    this.#cutOff();
  }

  /** Begins the file anew: until the new one is whole, the old one stands. @throws Refusal 503 `state_not_kept` */
  begin(beginning: Omit<Beginning, 'format'>): void {
    const path = `${this.path}.new`;
    refusing(this.path, () => {
      rmSync(path, { force: true });
      const descriptor = openSync(path, 'ax+', 0o600);
      try {
        const length = writeWhole(descriptor, { format: FORMAT, ...beginning });
        renameSync(path, this.path);
        closeSync(this.#descriptor);
        [this.#descriptor, this.#length, this.#torn] = [descriptor, length, false];
      } catch (error) {
        closeSync(descriptor);
        rmSync(path, { force: true });
        throw error;
      }
    });
  }

  /** Writes a deed that is about to be done. @throws Refusal 503 `state_not_kept`: it must not be done */
  write(atMs: number, { name, account, token, params, query, body }: Deed): void {
    const kept = {
      at: atMs,
      do: name,
      key: account.credentials.apiKey,
      token: token ?? undefined,
      params,
      query,
      body,
    };
    refusing(this.path, () => {
      this.#cutOff();
      this.#torn = true;
      try {
        this.#length += writeWhole(this.#descriptor, kept);
        this.#torn = false;
      } catch (error) {
        this.#cutOff();
        throw error;
      }
    });
  }

  close(): void {
    if (this.#descriptor === NONE) return;
    closeSync(this.#descriptor);
    // Its number may soon be another file's.
    this.#descriptor = NONE;
    this.#unlock();
  }

  #cutOff(): void {
    if (!this.#torn) return;
    ftruncateSync(this.#descriptor, this.#length);
    this.#torn = false;
  }

  #readBeginning(): Beginning | null {
    const first = this.#lines.next();
    if (first.done) {
      // The beginning is put in place whole, so this is no file of a sandbox, unless nothing is in it.
      if (fstatSync(this.#descriptor).size > 0) throw this.#damagedAt(1);
      return null;
    }
    this.#length = first.value.endsAt;
    let beginning: Partial<Beginning>;
    try {
      beginning = JSON.parse(first.value.text) as Partial<Beginning>;
    } catch {
      throw this.#damagedAt(1);
    }
    if (beginning.format !== FORMAT) {
      const found = typeof beginning.format === 'number' ? `format ${beginning.format}` : 'no format';
      throw new StateFileError(
        this.path,
        `was not written by this version of the sandbox (${found})`,
        'Name another file',
      );
    }
    return beginning as Beginning;
  }

  #deedOf({ number, text }: Line): KeptDeed {
    try {
      const kept = readJson(Buffer.from(text)) as Record<string, unknown>;
      const { do: name, key: apiKey, token, params, query, body } = kept;
      const atMs = exactNumber.parse(kept['at']).toNumber();
      if (typeof name !== 'string' || typeof apiKey !== 'string') throw new Error('no deed');
      return { line: number, atMs, name, apiKey, token: (token as string | undefined) ?? null, params, query, body };
    } catch {
      throw this.#damagedAt(number);
    }
  }

  #damagedAt(line: number): StateFileError {
    return new StateFileError(this.path, `line ${line} is damaged`, 'Put the file back from a copy, or name another');
  }
}

/** Appends one line in whole; answers its length in bytes. */
function writeWhole(descriptor: number, line: unknown): number {
  const bytes = Buffer.from(`${writeAsRead(line)}\n`);
  for (let written = 0; written < bytes.length; ) {
    written += writeSync(descriptor, bytes, written);
  }
  return bytes.length;
}

/** @throws Refusal 503 `state_not_kept` for what the file system refuses */
function refusing(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const fix = 'nothing was done; make room, or make the file writable, and try again';
    throw new Refusal(503, 'state_not_kept', `the state file ${basename(path)} cannot be written (${code}): ${fix}`);
  }
}

/** The file itself, so that two names of one file have one lock. @throws StateFileError when its folder is not there */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is new, or its folder is missing.
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
    'Name a file that can be written, in a folder that is there',
  );
