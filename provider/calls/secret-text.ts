import { inspect } from 'node:util';

const PLACEHOLDER = '[redacted]';

/**
 * A secret that the provider has just issued. Printing, logging or serializing it shows a placeholder, so storing it
 * needs an explicit `reveal`. Contract: account 2.2.
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
    return PLACEHOLDER;
  }

  toJSON(): string {
    return PLACEHOLDER;
  }

  [inspect.custom](): string {
    return PLACEHOLDER;
  }
}
