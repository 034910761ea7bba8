import type { Stats } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { SpooledFile } from '../../application/payment-file/file-content.ts';
import { Refusal } from '../refusal.ts';

/** Says whose folder it is: the machine, the process's number, and when it started, in ms since the epoch. */
const FOLDER_NAME = /^payrun-submission-([A-Za-z0-9._]+)-(\d+)-(\d+)-[A-Za-z0-9]{6}$/;

const OWN_HOST = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
const OWN_START = Math.round(performance.timeOrigin);

/** No submission takes nearly as long. */
const LONGEST_USE_MS = 86_400_000;

/** Where the files of one submission lie until it is answered: a folder that this user alone can look into. */
export class SubmissionSpool {
  readonly #folder: string;
  #files = 0;
  #failure: Error | null = null;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(below: string): Promise<SubmissionSpool> {
    return new SubmissionSpool(
      await mkdtemp(join(below, `payrun-submission-${OWN_HOST}-${process.pid}-${OWN_START}-`)),
    );
  }

  /**
   * Writes a file under a name of its own, piece by piece, for as long as `isWanted` says so of its size with the
   * piece. What follows, or what cannot be written, is read and thrown away, so that the sender gets to see the answer.
   */
  async add(pieces: AsyncIterable<Uint8Array>, isWanted: (sizeBytes: number) => boolean): Promise<SpooledFile> {
    const path = join(this.#folder, String((this.#files += 1)));
    const file = await this.#unlessFailed(() => open(path, 'wx', 0o600));
    let sizeBytes = 0;
    try {
      for await (const piece of pieces) {
        sizeBytes += piece.byteLength;
        if (isWanted(sizeBytes)) await this.#unlessFailed(() => file?.writeFile(piece));
      }
    } finally {
      await file?.close();
    }
    return { path, sizeBytes };
  }

  /** Throws what kept a file from being written: a Refusal (503) when the disk is full. */
  check(): void {
    if (this.#failure !== null) throw isFull(this.#failure) ? noRoom() : this.#failure;
  }

  async #unlessFailed<T>(write: () => T): Promise<Awaited<T> | null> {
    if (this.#failure !== null) return null;
    try {
      return await write();
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error('a file could not be written', { cause: error });
      return null;
    }
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Removes what processes that are dead by now have left behind. Others may work in the same folder. */
export async function sweepSpools(below: string): Promise<void> {
  for (const name of await readdir(below)) {
    const owner = FOLDER_NAME.exec(name);
    if (owner === null) continue;
    const path = join(below, name);
    // Another server may have removed it meanwhile.
    const folder = await lstat(path).catch(() => null);
    if (folder !== null && isLeftBehind(folder, owner)) await rm(path, { recursive: true, force: true });
  }
}

/** Only of folders that are ours: in a folder that everyone may write into, others can put anything. */
function isLeftBehind(folder: Stats, [, host, pid, start]: RegExpExecArray): boolean {
  if (!folder.isDirectory() || folder.uid !== process.getuid?.()) return false;
  if (Date.now() - folder.mtimeMs > LONGEST_USE_MS) return true;
  if (host !== OWN_HOST) return false;
  if (Number(pid) === process.pid) return Number(start) !== OWN_START;
  return !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT');
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function noRoom(): Refusal {
  return new Refusal(503, 'unavailable', 'the server has no room left on its disk for the files: tell whoever runs it');
}
