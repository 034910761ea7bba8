import { tmpdir } from 'node:os';
import type { FastifyRequest } from 'fastify';
import type { Application } from '../application/create-application.ts';
import type { SignedIn } from '../application/users/signed-in.ts';
import type { Api } from './api.ts';
import { HttpError } from './http-error.ts';
import { safeError } from './request-log.ts';
import { type SlotLimits, SubmissionSlots } from './runs/submission-slots.ts';
import { removeLeftoverSpools, SubmissionSpool } from './runs/submission-spool.ts';

export interface UploadSettings extends SlotLimits {
  /** Keeps the files of submissions until they are answered. */
  spoolFolder: string;
}

export const UPLOAD_SETTINGS: UploadSettings = {
  maxConcurrent: 4,
  maxConcurrentPerUser: 2,
  spoolFolder: tmpdir(),
};

/** Forms with files, of payments and of applicants: limited together, and on disk until they are answered. */
export class UploadIntake {
  readonly #slots: SubmissionSlots;
  readonly #folder: string;
  readonly #application: Pick<Application, 'admitUpload'>;

  constructor(application: Pick<Application, 'admitUpload'>, settings: UploadSettings) {
    this.#application = application;
    this.#slots = new SubmissionSlots(settings);
    this.#folder = settings.spoolFolder;
  }

  /**
   * Does the work with a spool of its own, which is removed afterwards. Throws HttpError (503) when too many are under way, or the
   * database has only its reserve left; 429 when the user has sent too much today.
   */
  async receive<T>(user: SignedIn, request: FastifyRequest, work: (spool: SubmissionSpool) => Promise<T>): Promise<T> {
    const release = this.#slots.take(user.userId);
    try {
      // guard: uploads-counted
      await this.#application.admitUpload(user, sizeOf(request));
      const spool = await SubmissionSpool.open(this.#folder);
      return await work(spool).finally(() => spool.remove());
    } finally {
      release();
    }
  }

  /** Leftover files do not affect new submissions. */
  async removeLeftovers(log: Api['log']): Promise<void> {
    await removeLeftoverSpools(this.#folder).catch((error: unknown) => {
      log.warn({ error: safeError(error) }, 'leftover files of submissions could not all be removed');
    });
  }
}

/** What is sent is counted before it is received, so the client says how much that is. */
function sizeOf({ headers }: FastifyRequest): number {
  const size = Number(headers['content-length'] ?? Number.NaN);
  // guard: uploads-say-their-size
  if (Number.isInteger(size)) return size;
  throw new HttpError(400, 'invalid_input', 'Content-Length: say how large the request is');
}
