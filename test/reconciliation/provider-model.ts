/**
 * A provider as it could be: it keeps a balance for each currency in minor units and writes a history of what it did. It knows
 * nothing of how the history is matched.
 */

export const DECIMALS: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };

export interface HistoryLine {
  id: string | null;
  date: string;
  currency: string;
  amountBefore: string;
  amountAfter: string;
  type: string;
  transactionId: string | null;
}

interface Posting {
  currency: string;
  delta: bigint;
  /** When it is dated, and when it changed the balance. */
  datedMs: number;
  postedMs: number;
  transaction: number | null;
  type: string;
  tag: string;
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function decimal(minor: bigint, currency: string): string {
  const places = DECIMALS[currency] ?? 2;
  const digits = (minor < 0n ? -minor : minor).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const text = places === 0 ? whole : `${whole}.${digits.slice(-places)}`;
  return minor < 0n ? `-${text}` : text;
}

export class ProviderModel {
  readonly #postings: Posting[] = [];
  readonly #random: () => number;
  readonly #opening: ReadonlyMap<string, bigint>;
  #transactions = 70_000;

  constructor(random: () => number, opening: ReadonlyMap<string, bigint>) {
    this.#random = random;
    this.#opening = opening;
  }

  /** One number for all entries of one transaction. */
  nextTransaction(): number {
    this.#transactions += 1;
    return this.#transactions;
  }

  /** The order of two postings at one time is the order of the calls. `tag` is for the test alone. */
  post(currency: string, delta: bigint, atMs: number, tag: string, more: Partial<Posting> = {}): void {
    const common = { transaction: null, type: '', datedMs: atMs, postedMs: atMs };
    this.#postings.push({ ...common, currency, delta, tag, ...more });
  }

  /** The history in the order of the balances, with the tag of each line; and the balances at the end. */
  history(): { lines: { line: HistoryLine; tag: string }[]; closing: Map<string, bigint> } {
    const balances = new Map(this.#opening);
    const order = this.#postings.map((posting, index) => ({ posting, index }));
    order.sort((a, b) => a.posting.postedMs - b.posting.postedMs || a.index - b.index);
    const lines = order.map(({ posting }) => {
      const { currency, delta, tag, type, transaction } = posting;
      const before = balances.get(currency) ?? 0n;
      balances.set(currency, before + delta);
      const line: HistoryLine = {
        id: this.#random() < 0.3 ? null : `h-${Math.floor(this.#random() * 2 ** 40).toString(36)}-${tag}`,
        date: this.#written(posting.datedMs),
        currency,
        amountBefore: decimal(before, currency),
        amountAfter: decimal(before + delta, currency),
        type,
        transactionId: transaction === null ? null : String(transaction),
      };
      return { line, tag };
    });
    return { lines, closing: balances };
  }

  /** With and without zone, to the second or the millisecond. */
  #written(timeMs: number): string {
    const iso = new Date(timeMs).toISOString();
    const style = this.#random();
    if (style < 0.3) return iso;
    if (style < 0.6) return iso.slice(0, 19);
    if (style < 0.8) return iso.slice(0, 19).replace('T', ' ');
    return `${new Date(timeMs + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`;
  }
}
