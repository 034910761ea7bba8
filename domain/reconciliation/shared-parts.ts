import type { ExpectedLeg, Fact } from '../accounts/money-fact.ts';
import type { Movement } from './movement.ts';

/**
 * Keeps what movements and facts have in common once, as each of half a million is read: a balance that one entry ends with and the
 * next begins with, currencies, types, and fees. Let go of it when all are read.
 */
export class SharedParts {
  readonly #texts = new Map<string, string>();
  readonly #fees = new Map<string, readonly string[]>();

  movement({ entryId, date, currency, amountBefore, amountAfter, type, transactionId }: Movement): Movement {
    return {
      entryId,
      date,
      currency: this.#text(currency),
      amountBefore: this.#text(amountBefore),
      amountAfter: this.#text(amountAfter),
      type: this.#text(type),
      transactionId: transactionId === null ? null : this.#text(transactionId),
    };
  }

  fact(fact: Fact): Fact {
    return { ...fact, legs: fact.legs.map((leg) => this.#leg(leg)) };
  }

  #leg({ currency, amount, fees, fromMs, untilMs }: ExpectedLeg): ExpectedLeg {
    return { currency: this.#text(currency), amount, fees: this.#feesLike(fees), fromMs, untilMs };
  }

  #feesLike(fees: readonly string[]): readonly string[] {
    const key = fees.join(' ');
    const known = this.#fees.get(key);
    if (known === undefined) this.#fees.set(key, fees);
    return known ?? fees;
  }

  #text(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}
