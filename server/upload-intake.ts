import { tmpdir } from 'node:os';
import type { Api } from './api.ts';
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

  constructor(settings: UploadSettings) {
    this.#slots = new SubmissionSlots(settings);
    this.#folder = settings.spoolFolder;
  }

  /** Does the work with a spool of its own, which is removed afterwards. Throws HttpError (503) when too many are under way. */
  async receive<T>(userId: string, work: (spool: SubmissionSpool) => Promise<T>): Promise<T> {
    const release = this.#slots.take(userId);
    try {
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
