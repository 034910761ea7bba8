import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FundingEvidence, wasItFunded } from '../../domain/treasury/funding-evidence.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DELAY = 30_000;
const NO_OTHERS = { earlier: 0, expected: 0, possible: 0 };
/** When the last request to fund was given up. */
const ENDED = 1_000 * HOUR;

/** A linked chain of entries with these changes. */
function chain(changes: readonly string[], opening = '10000.00'): FundingEvidence['entries'] {
  let balance = new Big(opening);
  return changes.map((change, index) => {
    const amountBefore = balance.toFixed(2);
    balance = balance.plus(change);
    return {
      amountBefore,
      amountAfter: balance.toFixed(2),
      date: `2026-11-23T10:00:${String(index).padStart(2, '0')}Z`,
    };
  });
}

/** A read that would lead to a second request: nothing seen, for the second time, after ten minutes. */
function evidence({
  times,
  ...differences
}: Omit<Partial<FundingEvidence>, 'times'> & { times?: Partial<FundingEvidence['times']> } = {}): FundingEvidence {
  return {
    entries: chain(['-70.00', '500.00']),
    isComplete: true,
    total: '1002.50',
    sellAmount: '1000.00',
    otherDebits: NO_OTHERS,
    status: 'awaiting_funds',
    requests: 1,
    secondRequest: 'payrun',
    ...differences,
    times: {
      lastRequestEndedMs: ENDED,
      readBeganMs: ENDED + 10 * MINUTE,
      earlierAbsenceMs: ENDED + DELAY,
      fundingCutoffMs: ENDED + 30 * HOUR,
      ...times,
    },
  };
}

const decide = (differences?: Parameters<typeof evidence>[0]) => wasItFunded(evidence(differences), DELAY);
const wait = (why: string, absent = false) => ({ decision: 'wait', why, absent });
const OURS = chain(['-70.00', '-1002.50', '500.00']);

describe('a conversion was funded', () => {
  test('when the history has a debit of its total that belongs to nobody else', () => {
    expect(decide({ entries: OURS })).toEqual({ decision: 'funded', by: 'history' });
  });

  test('also when the chain has gaps, the read was early or the item shows something else', () => {
    const seen = { decision: 'funded', by: 'history' };
    expect(decide({ entries: OURS, isComplete: false })).toEqual(seen);
    expect(decide({ entries: OURS, times: { readBeganMs: ENDED } })).toEqual(seen);
    expect(decide({ entries: OURS, status: 'under_review' })).toEqual(seen);
  });

  test('when the provider shows it as completed', () => {
    expect(decide({ status: 'completed', isComplete: false })).toEqual({ decision: 'funded', by: 'status' });
  });

  test('when there is one debit more than those of payments with an equal amount', () => {
    const two = chain(['-1002.50', '-1002.50']);
    expect(decide({ entries: two, otherDebits: { ...NO_OTHERS, expected: 1 } }).decision).toBe('funded');
    expect(decide({ entries: two, otherDebits: { ...NO_OTHERS, possible: 1 } }).decision).toBe('funded');
    expect(decide({ entries: two, otherDebits: { ...NO_OTHERS, earlier: 1 } }).decision).toBe('funded');
  });

  test('whatever the zeros at the end of its amounts', () => {
    expect(decide({ entries: OURS, total: '1002.5' }).decision).toBe('funded');
  });
});

describe('a conversion is funded once more', () => {
  test('when a complete chain without its debit was found twice, ten minutes after the request ended', () => {
    expect(decide()).toEqual({ decision: 'fund_once_more', by: 'payrun' });
    expect(decide({ entries: [] })).toEqual({ decision: 'fund_once_more', by: 'payrun' });
  });

  test('by a person, where the settings say so', () => {
    expect(decide({ secondRequest: 'person' })).toEqual({ decision: 'fund_once_more', by: 'person' });
  });

  test('also when all equal debits were recorded before the request, in spite of others that may have one', () => {
    const others = { earlier: 1, expected: 0, possible: 2 };
    expect(decide({ entries: chain(['-1002.50']), otherDebits: others }).decision).toBe('fund_once_more');
  });

  test('not before ten minutes have passed', () => {
    expect(decide({ times: { readBeganMs: ENDED + 10 * MINUTE - 1 } })).toEqual(wait('absent_once', true));
  });

  test('not after the first read without it', () => {
    expect(decide({ times: { earlierAbsenceMs: null } })).toEqual(wait('absent_once', true));
  });

  test('not by two reads at the same time, nor by one from before the request could show', () => {
    const readBeganMs = ENDED + 10 * MINUTE;
    expect(decide({ times: { earlierAbsenceMs: readBeganMs - DELAY + 1 } })).toEqual(wait('absent_once', true));
    expect(decide({ times: { earlierAbsenceMs: ENDED + DELAY - 1 } })).toEqual(wait('absent_once', true));
    const atOnce = evidence({ times: { earlierAbsenceMs: readBeganMs } });
    expect(wasItFunded(atOnce, 0)).toEqual(wait('absent_once', true));
  });

  test('not by a read from before the visibility delay', () => {
    expect(decide({ times: { readBeganMs: ENDED + DELAY - 1 } })).toEqual(wait('too_early'));
  });

  test('not while the item shows anything but awaiting_funds', () => {
    expect(decide({ status: 'under_review' })).toEqual(wait('other_status'));
  });

  test('never a third time', () => {
    expect(decide({ requests: 2 })).toEqual(wait('absent', true));
    expect(decide({ requests: 3 })).toEqual(wait('absent', true));
  });

  test('counting from the end of the second request, if it was refused with a conflict', () => {
    const second = ENDED + 20 * MINUTE;
    const times = { lastRequestEndedMs: second, readBeganMs: second + DELAY };
    expect(decide({ requests: 2, times })).toEqual(wait('absent_once', true));
    expect(decide({ requests: 2, times, entries: OURS }).decision).toBe('funded');
  });

  test('not after the funding cut-off: it has lapsed', () => {
    const readBeganMs = ENDED + 10 * MINUTE;
    expect(decide({ times: { fundingCutoffMs: readBeganMs - 1 } })).toEqual({ decision: 'lapsed' });
    expect(decide({ times: { fundingCutoffMs: readBeganMs } }).decision).toBe('fund_once_more');
    expect(decide({ times: { fundingCutoffMs: null } }).decision).toBe('fund_once_more');
    expect(decide({ times: { fundingCutoffMs: readBeganMs - 1, earlierAbsenceMs: null } }).decision).toBe('wait');
  });
});

describe('it is not known whether a conversion was funded', () => {
  const DAY = { readBeganMs: ENDED + 24 * HOUR };

  test.each<[string, Parameters<typeof evidence>[0]]>([
    ['incomplete', { isComplete: false }],
    ['incomplete', { entries: [...chain(['-70.00']), ...chain(['-20.00'], '9000.00')] }],
    ['contested', { entries: chain(['-1002.50']), otherDebits: { ...NO_OTHERS, possible: 1 } }],
    ['contested', { entries: chain(['-1002.50', '-1002.50']), otherDebits: { earlier: 1, expected: 0, possible: 3 } }],
    // It may be that of a payment that is done, or that payment was debited in another form, or not at all.
    ['contested', { entries: chain(['-1002.50']), otherDebits: { ...NO_OTHERS, expected: 1 } }],
    ['contested', { entries: chain(['-1002.50', '-1002.50']), otherDebits: { earlier: 1, expected: 1, possible: 0 } }],
    // A payment that is done has no debit in the chain: something is not understood.
    ['contested', { otherDebits: { ...NO_OTHERS, expected: 1 } }],
    // The fees beside the amount.
    ['contested', { entries: chain(['-1000.00', '-2.50']) }],
    ['contested', { entries: chain(['-2.00', '-1000.25', '-0.25']) }],
    ['contested', { entries: chain(['-1000.00', '-70.00']) }],
    ['other_status', { status: 'under_review' }],
  ])('when the evidence is %s: it waits, and after 24 hours two people decide', (why, differences) => {
    expect(decide(differences)).toEqual(wait(why));
    const almost = { readBeganMs: ENDED + 24 * HOUR - 1 };
    expect(decide({ ...differences, times: almost })).toEqual(wait(why));
    expect(decide({ ...differences, times: DAY })).toEqual({ decision: 'unknown', code: 'funding_uncertain' });
  });

  test('a day is counted from the last request, which may take effect for ten minutes whoever has asked for it', () => {
    const last = ENDED + 25 * HOUR;
    const times = { lastRequestEndedMs: last, readBeganMs: last + DELAY, earlierAbsenceMs: null };
    expect(decide({ isComplete: false, requests: 2, times })).toEqual(wait('incomplete'));
    expect(decide({ requests: 2, times })).toEqual(wait('absent_once', true));
    const aDayLater = { ...times, readBeganMs: last + 24 * HOUR };
    expect(decide({ isComplete: false, requests: 2, times: aDayLater }).decision).toBe('unknown');
  });

  test('a second request is not sent after a day, nor a third ever', () => {
    const unknown = { decision: 'unknown', code: 'second_funding_undecided' };
    expect(decide({ times: DAY })).toEqual(unknown);
    expect(decide({ requests: 2, times: DAY })).toEqual(unknown);
  });
});

test('whatever happens beside it, a conversion that was debited is never funded again', () => {
  const amount = fc.constantFrom('1002.50', '1000.00', '2.50', '70.00');
  /** What the account does: debits of payments in any form, deposits; ours is among them. */
  const movements = fc.array(
    fc.record({
      change: amount,
      kind: fc.constantFrom('done', 'under_way', 'deposit'),
      form: fc.constantFrom('one_entry', 'without_fee', 'with_charge', 'none'),
    }),
    { maxLength: 8 },
  );
  const cases = fc.record({
    movements,
    position: fc.nat(8),
    debited: fc.boolean(),
    shown: fc.nat(9),
    knowsAll: fc.boolean(),
  });
  const FORMS = { one_entry: '0', without_fee: '-2.50', with_charge: '0.50' };
  fc.assert(
    fc.property(cases, ({ movements: others, position, debited, shown, knowsAll }) => {
      const changes = others.flatMap(({ change, kind, form }) => {
        if (kind === 'deposit') return [change];
        return form === 'none' ? [] : [new Big(change).plus(FORMS[form]).times(-1).toFixed(2)];
      });
      if (debited) changes.splice(Math.min(position, changes.length), 0, '-1002.50');
      // A read that is cut off shows the beginning, and then the chain does not reach the balance.
      const all = chain(changes);
      const entries = knowsAll ? all : all.slice(0, shown);
      const equal = (kind: string) =>
        others.filter((other) => other.kind === kind && other.change === '1002.50').length;
      const found = decide({
        entries,
        isComplete: entries.length === all.length,
        otherDebits: { earlier: 0, expected: equal('done'), possible: equal('under_way') },
      });
      if (debited) expect(found.decision).not.toBe('fund_once_more');
      else expect(found.decision).not.toBe('funded');
    }),
    { numRuns: 500 },
  );
});
