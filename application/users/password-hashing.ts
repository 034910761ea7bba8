import { hashRaw } from '@node-rs/argon2';
import { ApplicationError } from '../application-error.ts';

/**
 * What Argon2id makes of a password (RFC 9106, and the parameters that OWASP's cheat sheet on password storage names), within a
 * place of `PasswordPlaces`. The database keeps a hash of it, so that neither a backup nor a server that was taken over can sign in
 * with what is stored.
 */

const PARAMETERS = {
  // The package's default algorithm is Argon2id.
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
  outputLen: 32,
};

export async function passwordKey(password: string, salt: Buffer): Promise<Buffer> {
  // The same letters may be typed as different code points.
  return hashRaw(password.normalize('NFC'), { ...PARAMETERS, salt });
}

interface Places {
  /** Passwords that are worked on at the same time: each takes 19 MiB and a processor. */
  atOnce: number;
  maxWaiting: number;
  /** Of one address, browser or user, worked on and waiting. */
  maxOfOne: number;
}

/**
 * Places to work on passwords. Further ones are refused, so that nobody can fill the memory by trying passwords. A try is counted
 * by the database only within a place: a refusal for want of one is no failed try.
 */
export class PasswordPlaces {
  readonly #places: Places;
  readonly #waiting: (() => void)[] = [];
  readonly #ofOne = new Map<string, number>();
  #running = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** @throws ApplicationError `unavailable` when too many are signing in at the same time, all together or of `whose` */
  async within<T>(whose: string, work: () => Promise<T>): Promise<T> {
    const { atOnce, maxWaiting, maxOfOne } = this.#places;
    const own = this.#ofOne.get(whose) ?? 0;
    const mustWait = this.#running >= atOnce;
    if (own >= maxOfOne || (mustWait && this.#waiting.length >= maxWaiting)) {
      throw new ApplicationError('unavailable', 'too many people are signing in: try again in a moment');
    }
    this.#ofOne.set(whose, own + 1);
    if (mustWait) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#release(whose);
    }
  }

  #release(whose: string): void {
    const own = (this.#ofOne.get(whose) ?? 0) - 1;
    if (own > 0) this.#ofOne.set(whose, own);
    else this.#ofOne.delete(whose);
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}

/** By address. Behind a proxy all have the same one, so together they have these. */
export const STRANGERS = new PasswordPlaces({ atOnce: 3, maxWaiting: 50, maxOfOne: 16 });
/** Of users at a browser that they have signed in with before, and of those who are signed in: strangers cannot take these. */
export const KNOWN = new PasswordPlaces({ atOnce: 1, maxWaiting: 50, maxOfOne: 2 });
