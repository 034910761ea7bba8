import type { Stats } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { SpooledFile } from '../../application/payment-file/file-content.ts';
import { HttpError } from '../http-error.ts';

/** Names the folder's owner: host, process id and start of the process, in ms since the epoch. */
const FOLDER_NAME = /^payrun-submission-([A-Za-z0-9._]+)-(\d+)-(\d+)-[A-Za-z0-9]{6}$/;

const OWN_HOST = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
const OWN_START = Math.round(performance.timeOrigin);

/** Far longer than any submission takes. */
const MAX_AGE_MS = 86_400_000;

/** The files of one submission until it is answered, in a folder that only this user of the machine can read. */
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
   * Writes a file under a new name, piece by piece, while `isWanted` allows its size including the piece. The rest, and
   * what cannot be written, is read and discarded, so that the sender receives the answer.
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

  /** Throws why a file could not be written: HttpError (503) when the disk is full. */
  check(): void {
    if (this.#failure !== null) throw isFull(this.#failure) ? diskFull() : this.#failure;
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

/** Removes the spools of processes that ended. Other servers may use the same folder. */
export async function removeLeftoverSpools(below: string): Promise<void> {
  for (const name of await readdir(below)) {
    const owner = FOLDER_NAME.exec(name);
    if (owner === null) continue;
    const path = join(below, name);
    // Another server may have removed it meanwhile.
    const folder = await lstat(path).catch(() => null);
    if (folder !== null && isLeftover(folder, owner)) await rm(path, { recursive: true, force: true });
  }
}

/** Only folders of this user: in a folder that everyone may write to, others can create anything. */
function isLeftover(folder: Stats, [, host, pid, start]: RegExpExecArray): boolean {
  if (!folder.isDirectory() || folder.uid !== process.getuid?.()) return false;
  if (Date.now() - folder.mtimeMs > MAX_AGE_MS) return true;
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

function diskFull(): HttpError {
  return new HttpError(
    503,
    'unavailable',
    'the disk of the server is full, so the files cannot be stored: tell its operator',
  );
}
