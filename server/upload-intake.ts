import { tmpdir } from 'node:os';
import type { FastifyRequest } from 'fastify';
import { PAYMENT_FILE_LIMIT_BYTES, FILES_LIMIT_BYTES } from '../api/runs/submission.ts';
import type { Application } from '../application/create-application.ts';
import type { SignedIn } from '../application/users/signed-in.ts';
import type { Api } from './api.ts';
import { safeError } from './request-log.ts';
import { type SlotLimits, SubmissionSlots } from './runs/submission-slots.ts';
import { removeLeftoverSpools, SubmissionSpool } from './runs/submission-spool.ts';

const LARGEST_UPLOAD_BYTES = PAYMENT_FILE_LIMIT_BYTES + FILES_LIMIT_BYTES;

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

/** What is sent is counted before it is received: one that does not say how large it is, as through some proxies, as the largest. */
function sizeOf({ headers }: FastifyRequest): number {
  const size = Number(headers['content-length'] ?? Number.NaN);
  // guard: unknown-size-counts-whole
  return Number.isInteger(size) ? size : LARGEST_UPLOAD_BYTES;
}
