import { describe, expect, test } from 'vitest';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { type DecidedOrder, endOfOrders, endWithoutOrders, pauseReason } from '../../domain/treasury/occurrence-end.ts';

const order = (state: ConversionState | null, reason: string | null = null): DecidedOrder => ({ state, reason });

describe('an occurrence without orders', () => {
  test.each([
    ['nothing_to_convert', 'nothing_to_do'],
    ['payments_stopped', 'nothing_to_do'],
    ['schedule_not_active', 'nothing_to_do'],
    ['started_too_late', 'missed'],
    ['no_quote', 'missed'],
    ['not_enough_money', 'refused_by_guard'],
    ['balance_not_known', 'refused_by_guard'],
  ])('because of %s is %s', (why, ended) => {
    expect(endWithoutOrders(why)).toBe(ended);
  });
});

describe('an occurrence with orders', () => {
  test('has not ended before each of them is created, or never will be', () => {
    expect(endOfOrders([order('created'), order('quoted')])).toBeNull();
    expect(endOfOrders([order('committed')])).toBeNull();
    expect(endOfOrders([order('created'), order('skipped', 'cost_too_high')])).toEqual({
      ended: 'done',
      reason: null,
    });
  });

  test('is unknown at once with one unknown order', () => {
    expect(endOfOrders([order('approved'), order('unknown')])).toMatchObject({ ended: 'unknown' });
  });

  test('is missed if none of them could be created within their hour', () => {
    expect(endOfOrders([order('expired', 'order_expired')])).toEqual({ ended: 'missed', reason: 'order_expired' });
  });

  test('is missed in part if one was carried out, and another one was not in time', () => {
    const orders = [order('settled'), order('expired', 'order_expired'), order('skipped', 'cost_too_high')];
    expect(endOfOrders(orders)).toEqual({ ended: 'partly_missed', reason: 'order_expired' });
    expect(endOfOrders([...orders, order('unknown')])).toMatchObject({ ended: 'unknown' });
    expect(endOfOrders([...orders, order('quoted')])).toBeNull();
    expect(pauseReason(['partly_missed', 'refused_by_guard', 'refused_by_guard'])).toBeNull();
  });

  test('is refused if another order of the pair was open', () => {
    const refused = order(null, 'pair_has_open_order');
    expect(endOfOrders([refused])).toEqual({ ended: 'refused_by_guard', reason: 'pair_has_open_order' });
  });
});

test('what was missed pauses nothing, however often', () => {
  expect(pauseReason(['missed', 'missed', 'missed', 'missed'])).toBeNull();
  expect(pauseReason(['refused_by_guard', 'missed', 'refused_by_guard'])).toBeNull();
  expect(pauseReason(['refused_by_guard', 'missed', 'refused_by_guard', 'nothing_to_do', 'refused_by_guard'])).toBe(
    'guards_refused',
  );
});
