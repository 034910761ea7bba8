import type { HistoryGap } from '../accounts/history-chain.ts';
import { canonicalAmount, compareAmounts, subtractAmounts } from '../money.ts';
import { breakOf, type Break } from './break.ts';
import { dateOf, type Movement } from './movement.ts';
import type { CurrencyChain } from './reconciliation.ts';

/** A break of a chain, and what the missing entries amount to: a leg of that amount is missing there. */
export interface ChainBreak {
  readonly found: Break;
  /** Canonical; null if no amount is missing. */
  readonly missing: string | null;
  /** The entries on both sides of the gap, as far as there are any. */
  readonly around: readonly Movement[];
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Gaps, contradictions, strays, copies, and the closing balance of one currency. */
export function chainBreaks(chain: CurrencyChain): ChainBreak[] {
  const { currency, history } = chain;
  const common = { currency, factIds: [], isAmbiguous: false };
  const atEnd = closingGap(chain);
  const groups = gapGroups(atEnd === null ? history.gaps : [...history.gaps, atEnd]);
  const gaps = groups.filter(([first]) => first !== atEnd).map((group): ChainBreak => gapBreak(group, currency));
  // A last entry with other balances is the same as one between others.
  const isWrongAtEnd = groups.some(([first, second]) => first !== atEnd && second !== undefined && second === atEnd);
  const contradictory = history.conflicting.map(({ entry, other }) =>
    breakOf({
      ...common,
      type: 'chain_broken',
      entryIds: [entry.entryId],
      expected: canonicalAmount(entry.amountAfter),
      found: canonicalAmount(other.amountAfter),
      reason: `The provider lists entry ${entry.entryId} twice, with different balances.`,
    }),
  );
  const strays = history.strays.map((entry): ChainBreak => strayBreak(entry, currency));
  // Where a gap has the amount of a stray, the stray belongs there, with other balances.
  const changes = strays.map(({ missing }) => missing);
  const broken = gaps.filter(({ missing }) => {
    const at = missing === null ? -1 : changes.indexOf(missing);
    if (at !== -1) changes.splice(at, 1);
    return at === -1;
  });
  const copies = history.copies.map((entry) =>
    breakOf({
      ...common,
      type: 'double_entry',
      entryIds: [entry.entryId],
      expected: null,
      found: canonicalAmount(subtractAmounts(entry.amountAfter, entry.amountBefore)),
      reason: `Entry ${entry.entryId} repeats another one; the balance changed only once.`,
    }),
  );
  const others = [...contradictory, ...copies].map((found) => ({
    found,
    missing: null,
    around: [],
    fromMs: 0,
    untilMs: 0,
  }));
  return [...broken, ...strays, ...others, ...(isWrongAtEnd ? [] : closingBreak(chain))];
}

function strayBreak(entry: Movement, currency: string): ChainBreak {
  const found = breakOf({
    type: 'chain_broken',
    currency,
    factIds: [],
    entryIds: [entry.entryId],
    expected: null,
    found: canonicalAmount(entry.amountBefore),
    isAmbiguous: false,
    reason: `Entry ${entry.entryId} begins with a balance that the account did not have then.`,
  });
  const dateMs = dateOf(entry);
  const missing = canonicalAmount(subtractAmounts(entry.amountAfter, entry.amountBefore));
  return { found, missing, around: [], fromMs: dateMs ?? -Infinity, untilMs: dateMs ?? Infinity };
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
    found: breakOf({
      type: 'chain_broken',
      currency,
      factIds: [],
      entryIds: second === undefined ? entryIds : [before.entryId],
      expected,
      found,
      isAmbiguous: false,
      reason,
    }),
    around: after === null ? [before] : [after, before],
    missing: second === undefined ? canonicalAmount(jumpOf(first)) : null,
    fromMs: after === null ? -Infinity : (dateOf(after) ?? -Infinity),
    untilMs: dateOf(before) ?? Infinity,
  };
}

/** The difference to the balance that the provider shows, as a gap after the last entry; null if there is none. */
function closingGap({ history, closing }: CurrencyChain): HistoryGap<Movement> | null {
  const last = history.entries.at(-1);
  if (last === undefined || closing === null || compareAmounts(last.amountAfter, closing) === 0) return null;
  const [expected, found] = [canonicalAmount(last.amountAfter), canonicalAmount(closing)];
  return { after: last, before: last, expected, found };
}

function closingBreak({ currency, history, opening, closing }: CurrencyChain): ChainBreak[] {
  const last = history.entries.at(-1);
  const reached = last?.amountAfter ?? opening;
  if (closing === null || reached === null || compareAmounts(reached, closing) === 0) return [];
  const [expected, shown] = [canonicalAmount(reached), canonicalAmount(closing)];
  const found = breakOf({
    type: 'closing_differs',
    currency,
    factIds: [],
    entryIds: last === undefined ? [] : [last.entryId],
    expected,
    found: shown,
    isAmbiguous: false,
    reason: `The history ends with ${expected}, and the provider shows a balance of ${shown}.`,
  });
  const fromMs = last === undefined ? -Infinity : (dateOf(last) ?? -Infinity);
  const missing = canonicalAmount(subtractAmounts(closing, reached));
  return [{ found, missing, around: last === undefined ? [] : [last], fromMs, untilMs: Infinity }];
}
