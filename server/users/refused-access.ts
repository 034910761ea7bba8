import { networkOf } from '../../application/address-network.ts';
import type { RefusedAccess } from '../../application/users/sign-in.ts';

/** Attempts of one kind are recorded once per interval, with their count, so that nobody can flood the audit trail. */
const INTERVAL_MS = 60_000;
const MAX_KINDS = 1_000;

type Attempt = Omit<RefusedAccess, 'times'>;

/**
 * Records refused attempts: the first of a kind (network, user, route) at once, further ones within a minute as one entry
 * with their count.
 */
export class RefusedAccessLog {
  readonly #write: (refused: RefusedAccess) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #pending = new Map<string, { attempt: Attempt; times: number }>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    write: (refused: RefusedAccess) => Promise<void>,
    onError: (error: unknown) => void,
    intervalMs = INTERVAL_MS,
  ) {
    this.#write = write;
    this.#onError = onError;
    this.#timer = setInterval(() => void this.flush(), intervalMs);
    this.#timer.unref();
  }

  note(attempt: Attempt): void {
    const key = JSON.stringify([
      attempt.kind,
      networkOf(attempt.address),
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
    // Beyond this many kinds, attempts are counted together.
    if (this.#pending.size >= MAX_KINDS) {
      this.#count({ ...attempt, address: 'many', userId: null, tokenId: null, route: null });
      return;
    }
    this.#pending.set(key, { attempt, times: 0 });
    void this.#write({ ...attempt, times: 1 }).catch(this.#onError);
  }

  #count(attempt: Attempt): void {
    const key = JSON.stringify([attempt.kind, 'many']);
    const known = this.#pending.get(key) ?? { attempt, times: 0 };
    known.times += 1;
    this.#pending.set(key, known);
  }

  /** Records the counts and starts a new interval. */
  async flush(): Promise<void> {
    const counted = [...this.#pending.values()].filter(({ times }) => times > 0);
    this.#pending.clear();
    for (const { attempt, times } of counted) await this.#write({ ...attempt, times }).catch(this.#onError);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }
}
