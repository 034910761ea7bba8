import { inspect } from 'node:util';

const SHOWN = '[redacted]';

/**
 * A secret that the provider has just issued. Printed, logged or serialised it shows nothing; so it does not survive
 * being stored as JSON either, and whoever keeps it calls `reveal` on purpose. Contract: account 2.2.
 */
export class SecretText {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
