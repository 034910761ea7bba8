import type { HistoryGap } from '../accounts/history-chain.ts';
import { canonicalAmount, compareAmounts, subtractAmounts } from '../money.ts';
import { aBreak, type Break } from './break.ts';
import type { Leg } from './leg.ts';
import { amountKey, append, dateOf, type Movement } from './movement.ts';
import type { CurrencyChain } from './reconciliation.ts';

/** A break of a chain, and what the missing entries amount to: a leg of that amount is missing there. */
export interface ChainBreak {
  readonly found: Break;
  /** Canonical; null if no amount is missing. */
  readonly missing: string | null;
  readonly fromMs: number;
  readonly untilMs: number;
}

const DAY_MS = 86_400_000;

/** Gaps, contradictions, strays, copies, and the closing balance of one currency. */
export function chainBreaks(chain: CurrencyChain): ChainBreak[] {
  const { currency, history } = chain;
  const common = { currency, factIds: [], isInterchangeable: false };
  const broken = gapGroups(history.gaps).map((gaps): ChainBreak => gapBreak(gaps, currency));
  const contradictory = history.conflicting.map(({ entry, other }) =>
    aBreak({
      ...common,
      type: 'chain_broken',
      entryIds: [entry.entryId],
      expected: canonicalAmount(entry.amountAfter),
      found: canonicalAmount(other.amountAfter),
      reason: `The provider lists entry ${entry.entryId} twice, with different balances.`,
    }),
  );
  const strays = history.strays.map((entry) =>
    aBreak({
      ...common,
      type: 'chain_broken',
      entryIds: [entry.entryId],
      expected: null,
      found: canonicalAmount(entry.amountBefore),
      reason: `Entry ${entry.entryId} begins with a balance that the account did not have then.`,
    }),
  );
  const copies = history.copies.map((entry) =>
    aBreak({
      ...common,
      type: 'double_entry',
      entryIds: [entry.entryId],
      expected: null,
      found: canonicalAmount(subtractAmounts(entry.amountAfter, entry.amountBefore)),
      reason: `Entry ${entry.entryId} repeats another one; the balance changed only once.`,
    }),
  );
  const others = [...contradictory, ...strays, ...copies].map((found) => ({
    found,
    missing: null,
    fromMs: 0,
    untilMs: 0,
  }));
  return [...broken, ...others, ...closingBreaks(chain)];
}

/** A single entry with wrong balances makes two gaps that cancel each other out: they are one break. */
function gapGroups(gaps: readonly HistoryGap<Movement>[]): HistoryGap<Movement>[][] {
  const groups: HistoryGap<Movement>[][] = [];
  for (const gap of gaps) {
    const [last, another] = groups.at(-1) ?? [];
    const cancels =
      last !== undefined &&
      another === undefined &&
      last.before === gap.after &&
      compareAmounts(jumpOf(last), subtractAmounts('0', jumpOf(gap))) === 0;
    if (cancels) groups.at(-1)?.push(gap);
    else groups.push([gap]);
  }
  return groups;
}

function jumpOf({ expected, found }: HistoryGap<Movement>): string {
  return subtractAmounts(found, expected);
}

function gapBreak(gaps: readonly HistoryGap<Movement>[], currency: string): ChainBreak {
  const [first, second] = gaps;
  if (first === undefined) throw new RangeError('a break of a chain has a gap');
  const { after, before, expected, found } = first;
  const where = after === null ? 'the first entry' : `entry ${after.entryId}`;
  const entryIds = [after, before].flatMap((entry) => entry?.entryId ?? []);
  const reason =
    second === undefined
      ? `The balance ${after === null ? 'before' : 'after'} ${where} is ${expected}, and ${before.entryId} begins with ${found}.`
      : `Entry ${before.entryId} has other balances than the entries around it.`;
  return {
    found: aBreak({
      type: 'chain_broken',
      currency,
      factIds: [],
      entryIds: second === undefined ? entryIds : [before.entryId],
      expected,
      found,
      isInterchangeable: false,
      reason,
    }),
    missing: second === undefined ? canonicalAmount(jumpOf(first)) : null,
    fromMs: after === null ? -Infinity : (dateOf(after) ?? -Infinity),
    untilMs: dateOf(before) ?? Infinity,
  };
}

function closingBreaks({ currency, history, opening, closing }: CurrencyChain): ChainBreak[] {
  const last = history.entries.at(-1);
  const reached = last?.amountAfter ?? opening;
  if (closing === null || reached === null || compareAmounts(reached, closing) === 0) return [];
  const found = aBreak({
    type: 'closing_differs',
    currency,
    factIds: [],
    entryIds: last === undefined ? [] : [last.entryId],
    expected: canonicalAmount(reached),
    found: canonicalAmount(closing),
    isInterchangeable: false,
    reason: `The history ends with ${canonicalAmount(reached)}, and the provider shows a balance of ${canonicalAmount(closing)}.`,
  });
  const missing = canonicalAmount(subtractAmounts(closing, reached));
  return [{ found, missing, fromMs: last === undefined ? -Infinity : (dateOf(last) ?? -Infinity), untilMs: Infinity }];
}

/**
 * Missing legs that are the entries missing in a chain belong to its break. Returns the breaks with them, and the other
 * legs. A leg counts if it has the whole missing amount and was expected around the gap.
 */
export function explainGaps(
  breaks: readonly ChainBreak[],
  missing: readonly Leg[],
): { breaks: Break[]; unexplained: Leg[] } {
  const byAmount = new Map<string, Leg[]>();
  for (const leg of missing) append(byAmount, amountKey(leg.currency, leg.amount), leg);
  const taken = new Set<Leg>();
  const explained = breaks.map(({ found, missing: amount, fromMs, untilMs }) => {
    if (amount === null) return found;
    const candidates = byAmount.get(amountKey(found.currency, amount)) ?? [];
    const at = candidates.findIndex((leg) => leg.fromMs <= untilMs + DAY_MS && leg.untilMs >= fromMs - DAY_MS);
    const [leg] = at === -1 ? [] : candidates.splice(at, 1);
    if (leg === undefined) return found;
    taken.add(leg);
    return { ...found, factIds: [leg.fact.factId] };
  });
  return { breaks: explained, unexplained: missing.filter((leg) => !taken.has(leg)) };
}
