import type { Chance } from '../core/seeded-random.ts';

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The access keys that one API key's callers authenticate with: its own, and one for each legacy sign-up. */
export class SignIns {
  readonly #secretById: Map<string, string>;
  readonly #chance: Chance;

  constructor(chance: Chance, own: AccessKey) {
    this.#chance = chance;
    this.#secretById = new Map([[own.accessKeyId, own.secretAccessKey]]);
  }

  accepts({ accessKeyId, secretAccessKey }: AccessKey): boolean {
    return this.#secretById.get(accessKeyId) === secretAccessKey;
  }

  issue(): AccessKey {
    const key = { accessKeyId: this.#chance.code(20), secretAccessKey: this.#chance.hex(40) };
    this.#secretById.set(key.accessKeyId, key.secretAccessKey);
    return key;
  }
}
