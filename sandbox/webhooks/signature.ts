import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Chance } from '../core/seeded-random.ts';

/** Signs the addresses that are handed out, so that only those are taken. */
export class Signature {
  readonly #secret: string;

  constructor(chance: Chance) {
    this.#secret = chance.hex(64);
  }

  of(text: string): string {
    return createHmac('sha256', this.#secret).update(text).digest('hex');
  }

  isOf(text: string, given: unknown): boolean {
    const expected = this.of(text);
    return (
      typeof given === 'string' &&
      given.length === expected.length &&
      timingSafeEqual(Buffer.from(given), Buffer.from(expected))
    );
  }
}
