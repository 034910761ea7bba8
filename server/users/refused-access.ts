import type { RefusedAccess } from '../../application/users/sign-in.ts';

/** Attempts of one kind are written down once in this time, with their number: nobody can flood the audit trail. */
const WINDOW_MS = 60_000;
const MOST_KINDS = 1_000;

type Attempt = Omit<RefusedAccess, 'times'>;

/**
 * Writes down attempts that were refused: the first of a kind (from where, whose, at what) at once, further ones within a
 * minute as one entry with their number.
 */
export class RefusedAccessLog {
  readonly #write: (refused: RefusedAccess) => Promise<void>;
  readonly #onTrouble: (error: unknown) => void;
  readonly #pending = new Map<string, { attempt: Attempt; times: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    write: (refused: RefusedAccess) => Promise<void>,
    onTrouble: (error: unknown) => void,
    windowMs = WINDOW_MS,
  ) {
    this.#write = write;
    this.#onTrouble = onTrouble;
    this.#timer = setInterval(() => void this.flush(), windowMs);
    this.#timer.unref();
  }

  note(attempt: Attempt): void {
    const key = JSON.stringify([
      attempt.kind,
      attempt.address,
      attempt.userId,
      attempt.tokenId,
      attempt.route,
      attempt.why,
    ]);
    const known = this.#pending.get(key);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    // Of too many kinds at once, what is left is counted together.
    if (this.#pending.size >= MOST_KINDS) {
      this.#count({ ...attempt, address: 'many', userId: null, tokenId: null, route: null });
      return;
    }
    this.#pending.set(key, { attempt, times: 0 });
    void this.#write({ ...attempt, times: 1 }).catch(this.#onTrouble);
  }

  #count(attempt: Attempt): void {
    const key = JSON.stringify([attempt.kind, 'many']);
    const known = this.#pending.get(key) ?? { attempt, times: 0 };
    known.times += 1;
    this.#pending.set(key, known);
  }

  /** Writes what was counted since, and begins a new window. */
  async flush(): Promise<void> {
    const counted = [...this.#pending.values()].filter(({ times }) => times > 0);
    this.#pending.clear();
    for (const { attempt, times } of counted) await this.#write({ ...attempt, times }).catch(this.#onTrouble);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
