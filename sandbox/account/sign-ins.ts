import type { SeededRandom } from '../core/seeded-random.ts';

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The access keys of one API key: its own, and one for each legacy sign-up. */
export class SignIns {
  readonly #secretById: Map<string, string>;
  readonly #random: SeededRandom;

  constructor(random: SeededRandom, own: AccessKey) {
    this.#random = random;
    this.#secretById = new Map([[own.accessKeyId, own.secretAccessKey]]);
  }

  accepts({ accessKeyId, secretAccessKey }: AccessKey): boolean {
    return this.#secretById.get(accessKeyId) === secretAccessKey;
  }

  issue(): AccessKey {
    const key = { accessKeyId: this.#random.code(20), secretAccessKey: this.#random.hex(40) };
    this.#secretById.set(key.accessKeyId, key.secretAccessKey);
    return key;
  }
}
