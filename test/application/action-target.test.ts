import { describe, expect, test } from 'vitest';
import { actionTargetOf } from '../../api/approvals/action-target.ts';

const ID = '018f2a00-0000-7000-8000-000000000001';

describe('what actions are asked for', () => {
  test.each(['run', 'row', 'order', 'case', 'break', 'stop', 'change', 'schedule', 'virtual_account'])(
    'is a %s by its id, in small or capital letters',
    (kind) => {
      expect(actionTargetOf(`${kind}:${ID}`)).toEqual({ kind, id: ID });
      expect(actionTargetOf(`${kind}:${ID.toUpperCase()}`)).toEqual({ kind, id: ID });
    },
  );

  test('is a receipt by the parts of its name, which may have any characters', () => {
    const entryId = 'a/b, c:d#1\n';
    expect(actionTargetOf(`receipt:default/USD/${encodeURIComponent(entryId)}`)).toEqual({
      kind: 'receipt',
      name: { account: 'default', currency: 'USD', entryId },
    });
  });

  test('is a day of the books of an account', () => {
    expect(actionTargetOf('day:default/2026-01-31')).toEqual({
      kind: 'day',
      name: { account: 'default', day: '2026-01-31' },
    });
  });

  test.each([
    ...['', 'run', ID, `run:${ID}:`, `:${ID}`, `toString:${ID}`, `day:${ID}`, `receipt:${ID}`, 'run:1'],
    ...['day:default/2026-02-30', 'day:/2026-01-31', 'day:default/2026-01-31/x', 'day:default'],
    ...['receipt:default/USD', 'receipt:default/USD/', 'receipt:default//x', 'receipt:default/USD/a/b'],
    ...['receipt:default/USD/%', 'receipt:default/USD/%ff', 'receipt:default/USD/%00'],
  ])('is not %j', (text) => {
    expect(actionTargetOf(text)).toBeNull();
  });
});
