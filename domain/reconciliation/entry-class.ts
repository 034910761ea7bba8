import { canonicalAmount, subtractAmounts } from '../money.ts';
import type { FactKind } from '../accounts/money-fact.ts';
import type { Movement } from './movement.ts';
import type { MatchedLeg, Reconciliation } from './reconciliation.ts';

/** What a change of a balance was for, in the books of a day. */
export const ENTRY_CLASSES = [
  'payment',
  'payment_fee',
  'conversion_sold',
  'conversion_fee',
  'conversion_bought',
  'refund',
  'refund_fee',
  'funding',
  'deposit',
  'made_at_provider',
  'unexplained',
  'open',
  /** What the balance changed by where entries are missing in the history. Of no entry. */
  'not_in_history',
] as const;

export type EntryClass = (typeof ENTRY_CLASSES)[number];

/** An entry, or the part of it that is a fee. Signed, canonical; the parts of an entry are its change. */
export interface ClassLine {
  readonly movement: Movement;
  readonly entryClass: EntryClass;
  readonly amount: string;
  /** Null for `unexplained` and `open`. */
  readonly factId: string | null;
}

const FEES: Readonly<Partial<Record<FactKind, EntryClass>>> = {
  payment: 'payment_fee',
  conversion: 'conversion_fee',
  refund: 'refund_fee',
};

/** The class of every entry, in the order of the chains; of those that were explained earlier, `unexplained`. */
export function classLines({ chains, matched, openEntries }: Reconciliation): ClassLine[] {
  const byMovement = new Map<Movement, ClassLine[]>();
  for (const match of matched) {
    for (const line of linesOf(match)) {
      const lines = byMovement.get(line.movement);
      if (lines === undefined) byMovement.set(line.movement, [line]);
      else lines.push(line);
    }
  }
  const open = new Set(openEntries);
  return chains.flatMap(({ history }) =>
    history.entries.flatMap((movement): ClassLine[] => {
      const entryClass = open.has(movement) ? 'open' : 'unexplained';
      return byMovement.get(movement) ?? [{ movement, entryClass, amount: changeOf(movement), factId: null }];
    }),
  );
}

function linesOf({ leg, movements, deviation }: MatchedLeg): ClassLine[] {
  const { fact, principal, amount } = leg;
  const own = classOf(fact.kind, amount);
  const fee = FEES[fact.kind] ?? own;
  const factId = fact.factId;
  if (fact.certainty === 'provider_only') {
    return movements.map((movement) => ({
      movement,
      entryClass: 'made_at_provider',
      amount: changeOf(movement),
      factId,
    }));
  }
  return movements.flatMap((movement, position): ClassLine[] => {
    const change = changeOf(movement);
    if (movements.length === 1 && change === amount && amount !== principal) {
      const rest = canonicalAmount(subtractAmounts(change, principal));
      return [
        { movement, entryClass: own, amount: principal, factId },
        { movement, entryClass: fee, amount: rest, factId },
      ];
    }
    // Of a leg whose amount is missing in the history only fees are left.
    const isFee = deviation === 'in_gap' ? change !== principal && change !== amount : position > 0;
    return [{ movement, entryClass: isFee ? fee : own, amount: change, factId }];
  });
}

function classOf(kind: FactKind, amount: string): EntryClass {
  if (kind !== 'conversion') return kind;
  return amount.startsWith('-') ? 'conversion_sold' : 'conversion_bought';
}

function changeOf({ amountAfter, amountBefore }: Movement): string {
  return canonicalAmount(subtractAmounts(amountAfter, amountBefore));
}
