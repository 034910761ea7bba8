import type { Fact } from '../accounts/money-fact.ts';
import { canonicalAmount } from '../money.ts';
import type { Leg } from './leg.ts';

/** Identifies a fact in the provider's lists; null if the provider's id is not known. */
export function listKey({ kind, providerId }: Pick<Fact, 'kind' | 'providerId'>): string | null {
  return providerId === null ? null : `${kind} ${providerId}`;
}

/**
 * Keeps what the provider lists and our record does not know, or has with other amounts. The rest is not needed: an entry with the
 * amount of our record is found without it. So a list of hundreds of thousands need not be kept.
 */
export class ListedEvidence {
  readonly facts: Fact[] = [];
  /** By kind and the provider's id; null: several of ours have it. */
  readonly #ours = new Map<Fact['kind'], Map<string, Fact | null>>();

  constructor(ours: Iterable<Fact>) {
    for (const fact of ours) {
      if (fact.providerId === null) continue;
      const ofKind = this.#ours.get(fact.kind) ?? new Map<string, Fact | null>();
      this.#ours.set(fact.kind, ofKind.set(fact.providerId, ofKind.has(fact.providerId) ? null : fact));
    }
  }

  add(listed: Fact): void {
    const own = this.#ours.get(listed.kind)?.get(listed.providerId ?? '') ?? null;
    if (own === null || !own.legs.every((leg) => hasListedAmount(leg, listed))) this.facts.push(listed);
  }
}

function hasListedAmount(leg: Fact['legs'][number], listed: Fact): boolean {
  const listedLeg = listedLegOf(leg, listed);
  return listedLeg === undefined || canonicalAmount(listedLeg.amount) === canonicalAmount(leg.amount);
}

/** The leg of a listed fact that corresponds to a leg of ours; undefined: it has none. */
export function listedLegOf(
  { currency, amount }: Pick<Leg, 'currency' | 'amount'>,
  listed: Fact | undefined,
): Fact['legs'][number] | undefined {
  return listed?.legs.find((leg) => leg.currency === currency && isSameSide(leg.amount, amount));
}

export function isSameSide(one: string, other: string): boolean {
  return one.startsWith('-') === other.startsWith('-');
}
