import { canonicalAmount, sumAmounts } from '../money.ts';
import { breakOf, type Break, type BreakType } from './break.ts';
import type { Leg } from './leg.ts';
import type { LegMatch } from './leg-matching.ts';
import type { MovementIndex } from './movement.ts';

/** What is wrong with a leg that has its entries, if anything. */
export function matchBreak(match: LegMatch, index: MovementIndex): Break | null {
  const { leg, entries, isAmbiguous } = match;
  const kind = leg.fact.kind;
  const found = canonicalAmount(sumAmounts(entries.map((entry) => index.changeOf(entry))));
  const of = (type: BreakType, reason: string): Break =>
    breakOf({
      type,
      currency: leg.currency,
      factIds: [leg.fact.factId],
      entryIds: entries.map((entry) => index.idOf(entry)),
      expected: leg.amount,
      found,
      isAmbiguous,
      reason,
    });
  if (leg.fact.certainty === 'provider_only') return providerOnlyBreak(match, of);
  if (match.deviation === 'in_gap') return null;
  if (match.deviation === 'other_amount') {
    const isShort = kind === 'refund' && Number(found) < Number(leg.amount);
    return isShort
      ? of('refund_missing_or_short', `The refund is ${leg.amount}, and ${found} was credited.`)
      : of('wrong_amount', `The ${kind} is ${leg.amount}, and the only entry that can belong to it is ${found}.`);
  }
  if (match.deviation === 'other_fee') {
    return of(
      'fee_differs',
      `The ${kind} has fees of ${leg.feeTotal}; its entries come to ${found}, not ${leg.amount}.`,
    );
  }
  if (match.deviation === 'other_form') {
    return of('fee_differs', `The fees are ${FORMS[match.form]}, unlike those of other ${kind}s of this account.`);
  }
  if (kind === 'refund' && (leg.fact.paymentId ?? null) === null) return withoutPayment(of);
  return null;
}

const FORMS: Readonly<Record<LegMatch['form'], string>> = {
  included: 'in the same entry as the amount',
  beside: 'in an entry beside it',
  each_beside: 'in entries beside it',
  without_fees: 'not refunded',
};

type BreakOf = (type: BreakType, reason: string) => Break;

function withoutPayment(of: BreakOf): Break {
  return of(
    'refund_without_payment',
    'The refund was credited, and no payment of ours that was debited belongs to it.',
  );
}

function providerOnlyBreak({ leg: { fact } }: LegMatch, of: BreakOf): Break {
  if (fact.kind === 'refund' && (fact.paymentId ?? null) === null) return withoutPayment(of);
  return of('unexplained_entry', `The provider lists a ${fact.kind} ${fact.factId}, which payrun did not make.`);
}

export function doubleBreak(factId: string, entries: readonly number[], index: MovementIndex): Break {
  const [first = 0] = entries;
  const found = canonicalAmount(sumAmounts(entries.map((entry) => index.changeOf(entry))));
  return breakOf({
    type: 'double_entry',
    currency: index.currencyOf(first),
    factIds: [factId],
    entryIds: entries.map((entry) => index.idOf(entry)),
    expected: null,
    found,
    isAmbiguous: true,
    reason: `There is one more entry of ${found} than payments or other facts that expect it.`,
  });
}

/** The legs of one fact that have no entries, none of them younger than the lag. */
export function missingBreak(missing: readonly Leg[], hasMatchedLegs: boolean, isAmbiguous: boolean): Break {
  const [{ fact, currency, amount }] = missing as [Leg];
  const type = missingType(fact.kind, hasMatchedLegs);
  return breakOf({
    type,
    currency,
    factIds: [fact.factId],
    entryIds: [],
    expected: amount,
    found: null,
    isAmbiguous,
    reason:
      type === 'conversion_leg'
        ? `The other amount of the conversion is in the history, and ${amount} ${currency} is not.`
        : `A ${fact.kind} of ${amount} ${currency} is not in the history.`,
  });
}

function missingType(kind: Leg['fact']['kind'], hasMatchedLegs: boolean): BreakType {
  if (kind === 'conversion' && hasMatchedLegs) return 'conversion_leg';
  return kind === 'refund' ? 'refund_missing_or_short' : 'missing_entry';
}

export function unexplainedBreak(entry: number, index: MovementIndex): Break {
  const found = index.changeOf(entry);
  return breakOf({
    type: 'unexplained_entry',
    currency: index.currencyOf(entry),
    factIds: [],
    entryIds: [index.idOf(entry)],
    expected: null,
    found,
    isAmbiguous: false,
    reason: `The balance changed by ${found}, and no payment, conversion, refund, funding or deposit explains it.`,
  });
}
