import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SeededRandom } from '../core/seeded-random.ts';

/** Signs upload and download URLs, so that only issued URLs are accepted. */
export class UrlSignature {
  readonly #secret: string;

  constructor(random: SeededRandom) {
    this.#secret = random.hex(64);
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
