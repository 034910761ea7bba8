import { HttpError } from '../http-error.ts';

export interface SlotLimits {
  /** Submissions that a server accepts at the same time. */
  maxConcurrent: number;
  /** Of these, per user. */
  maxConcurrentPerUser: number;
}

/** Limits concurrent submissions: each holds files on disk and, during the check, a processor. */
export class SubmissionSlots {
  readonly #limits: SlotLimits;
  /** Submissions under way by user id; users without any are left out. */
  readonly #taken = new Map<string, number>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Takes a slot and returns the function that releases it. Throws HttpError (503) when none is free. */
  take(userId: string): () => void {
    const { maxConcurrent, maxConcurrentPerUser } = this.#limits;
    const own = this.#taken.get(userId) ?? 0;
    if (own >= maxConcurrentPerUser) {
      throw busy(`you have ${counted(own)} under way already: wait until one is answered, then try again`);
    }
    if (this.#total() >= maxConcurrent) {
      throw busy(`the server has ${counted(maxConcurrent)} under way, its maximum: try again in a moment`);
    }
    this.#taken.set(userId, own + 1);
    return () => this.#release(userId);
  }

  #release(userId: string): void {
    const own = (this.#taken.get(userId) ?? 0) - 1;
    if (own > 0) this.#taken.set(userId, own);
    else this.#taken.delete(userId);
  }

  #total(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
  }
}

function busy(message: string): HttpError {
  return new HttpError(503, 'unavailable', message);
}

function counted(count: number): string {
  return count === 1 ? 'one submission' : `${count} submissions`;
}
