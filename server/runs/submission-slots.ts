import { Refusal } from '../refusal.ts';

export interface SlotLimits {
  /** Submissions that a server takes at the same time. */
  atOnce: number;
  /** Of these, how many one person may have. */
  atOnceForOneUser: number;
}

/** Places for submissions: each holds a file on disk, and for a while a processor. */
export class SubmissionSlots {
  readonly #limits: SlotLimits;
  /** How many each person has, by user id; nobody has none. */
  readonly #taken = new Map<string, number>();

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Takes a place, and answers how to give it back. Throws a Refusal (503) when there is none. */
  take(userId: string): () => void {
    const { atOnce, atOnceForOneUser } = this.#limits;
    const own = this.#taken.get(userId) ?? 0;
    if (own >= atOnceForOneUser) {
      throw busy(`you have ${counted(own)} under way already: wait until one is answered, then try again`);
    }
    if (this.#total() >= atOnce) {
      throw busy(`the server has ${counted(atOnce)} under way, as many as it takes at once: try again in a moment`);
    }
    this.#taken.set(userId, own + 1);
    return () => this.#giveBack(userId);
  }

  #giveBack(userId: string): void {
    const own = (this.#taken.get(userId) ?? 0) - 1;
    if (own > 0) this.#taken.set(userId, own);
    else this.#taken.delete(userId);
  }

  #total(): number {
    return [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
  }
}

function busy(message: string): Refusal {
  return new Refusal(503, 'unavailable', message);
}

function counted(count: number): string {
  return count === 1 ? 'one submission' : `${count} submissions`;
}
