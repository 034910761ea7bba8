import { z } from 'zod';
import { type CallOptions, listOf, readableListOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { currencyCode, pathId, timeWindow, WINDOW_FIX, windowIsForward } from '../calls/sent-fields.ts';
import { amount, optionalAmount, optionalText, optionalTimestamp, requiredText } from '../calls/wire-fields.ts';

const balanceAnswer = z.looseObject({ id: requiredText, amount, currency: requiredText, currencyName: optionalText });
type Balance = z.output<typeof balanceAnswer>;

/**
 * The change is `amountAfter` less `amountBefore`; the sign of `totalAmount` is not documented. `transactionId` is a
 * number on the wire and joins to no payment.
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

const historyRequest = z.strictObject(timeWindow).refine(windowIsForward, WINDOW_FIX);
type BalanceHistoryWindow = z.input<typeof historyRequest>;

/** The provider tells a currency from an id by its form alone, so what looks like a currency is not sent as an id. */
const balanceId = pathId.refine((id) => !/^[A-Za-z]{3}$/.test(id), 'give a balance id; three letters are a currency');

/** Contract: payments 2.7, 4.5. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface BalanceCalls {
  find(options?: CallOptions): Promise<Balance[]>;
  /** As `find`, for those who can do without some of it: entries that cannot be read are left out. */
  findReadable(options?: CallOptions): Promise<Balance[]>;
  byCurrency(currency: string, options?: CallOptions): Promise<Balance>;
  byId(balanceId: string, options?: CallOptions): Promise<Balance>;
  /** Start inclusive, end exclusive. All currencies, in no documented order. */
  history(window?: BalanceHistoryWindow, options?: CallOptions): Promise<BalanceHistoryEntry[]>;
}

const FIND = { operation: 'balance-find', method: 'GET', path: '/balances/v1/find' } as const;

export function createBalanceCalls(api: AuthorisedCaller): BalanceCalls {
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
    history: async (window = {}, options) =>
      api.call(
        {
          operation: 'balance-history',
          method: 'POST',
          path: '/balances/v1/history',
          body: checked('balance-history', historyRequest, window),
          answer: listOf(historyEntryAnswer),
        },
        options,
      ),
  };
}
