import { z } from 'zod';
import { type CallOptions, countedListOf, listOf, readableListOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { currencyCode, pathId, timeRange, RANGE_ISSUE, isRangeForward } from '../calls/request-fields.ts';
import {
  amount,
  optionalAmount,
  optionalText,
  optionalTimestamp,
  readTimestamp,
  requiredText,
} from '../calls/answer-fields.ts';

const balanceAnswer = z.looseObject({ id: requiredText, amount, currency: requiredText, currencyName: optionalText });
type Balance = z.output<typeof balanceAnswer>;

/**
 * The change is `amountAfter` minus `amountBefore`; the sign of `totalAmount` is not documented. `transactionId` does
 * not refer to a payment.
 */
const historyEntryAnswer = z.looseObject({
  id: requiredText,
  balanceId: optionalText,
  amountBefore: amount,
  amountAfter: amount,
  currency: requiredText,
  totalAmount: optionalAmount,
  transactionId: optionalText,
  transactionType: optionalText,
  date: optionalTimestamp,
});
type BalanceHistoryEntry = z.output<typeof historyEntryAnswer>;

/** An entry that can take its place in the history. Its id may be absent. */
const readableEntryAnswer = historyEntryAnswer
  .extend({ id: optionalText, date: requiredText.transform(readTimestamp) })
  .transform(({ date, ...entry }, context) => {
    if (date.epochMs !== null) return { ...entry, date: { raw: date.raw, epochMs: date.epochMs } };
    context.addIssue({ code: 'custom', message: 'not a time', path: ['date'] });
    return z.NEVER;
  });
type ReadableHistoryEntry = z.output<typeof readableEntryAnswer>;

const historyRequest = z.strictObject(timeRange).refine(isRangeForward, RANGE_ISSUE);
type BalanceHistoryRange = z.input<typeof historyRequest>;

/** The provider distinguishes a currency from an id by its format only, so an id must not look like a currency. */
const balanceId = pathId.refine((id) => !/^[A-Za-z]{3}$/.test(id), 'give a balance id; three letters are a currency');

/** Contract: payments 2.7, 4.5. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface BalanceCalls {
  find(options?: CallOptions): Promise<Balance[]>;
  /** As `find`, without unreadable entries: for callers that do not need a complete list. */
  findReadable(options?: CallOptions): Promise<Balance[]>;
  byCurrency(currency: string, options?: CallOptions): Promise<Balance>;
  byId(balanceId: string, options?: CallOptions): Promise<Balance>;
  /** Start inclusive, end exclusive. All currencies, in no documented order. */
  history(range?: BalanceHistoryRange, options?: CallOptions): Promise<BalanceHistoryEntry[]>;
  /** As `history`, without entries that cannot be read, and how many those are. */
  historyReadable(
    range?: BalanceHistoryRange,
    options?: CallOptions,
  ): Promise<{ entries: ReadableHistoryEntry[]; unreadable: number }>;
}

const HISTORY = { operation: 'balance-history', method: 'POST', path: '/balances/v1/history' } as const;

function checkedRange(range: BalanceHistoryRange): z.output<typeof historyRequest> {
  return checked('balance-history', historyRequest, range);
}

const FIND = { operation: 'balance-find', method: 'GET', path: '/balances/v1/find' } as const;

export function createBalanceCalls(api: AuthorizedCaller): BalanceCalls {
  const item = (operation: 'balance-get-by-currency' | 'balance-get-by-id', key: string, options?: CallOptions) =>
    api.call(
      {
        operation,
        method: 'GET',
        path: `/balances/v1/item/${encodeURIComponent(key)}`,
        answer: recordOf(balanceAnswer),
      },
      options,
    );
  return {
    find: async (options) => api.call({ ...FIND, answer: listOf(balanceAnswer) }, options),
    findReadable: async (options) => api.call({ ...FIND, answer: readableListOf(balanceAnswer) }, options),
    byCurrency: async (currency, options) =>
      item('balance-get-by-currency', checked('balance-get-by-currency', currencyCode, currency), options),
    byId: async (id, options) => item('balance-get-by-id', checked('balance-get-by-id', balanceId, id), options),
    history: async (range = {}, options) =>
      api.call({ ...HISTORY, body: checkedRange(range), answer: listOf(historyEntryAnswer) }, options),
    historyReadable: async (range = {}, options) =>
      api.call({ ...HISTORY, body: checkedRange(range), answer: countedListOf(readableEntryAnswer) }, options),
  };
}
