import { Big } from 'big.js';
import { z } from 'zod';
import { currencyCode, sentAmount, sentText } from '../calls/sent-fields.ts';
import type { VirtualAccountRequestStatus } from '../payments/payment-statuses.ts';
import { optionalAmount, optionalFlag, optionalText, optionalTimestamp, requiredText } from '../calls/wire-fields.ts';

/** Requests for virtual accounts on the wire, as sent and as read. Contract: payments 2.8. Amounts are decimal strings. */

/** The only currencies for which the contract names a least amount. */
const LEAST_AMOUNT: ReadonlyMap<string, number> = new Map([
  ['IDR', 10_000],
  ['USD', 1],
]);

const described = {
  name: z
    .string('give a name')
    .trim()
    .regex(/^[A-Za-z0-9 ]+$/, 'give letters, digits and spaces only'),
  provider: sentText,
  currency: currencyCode,
  description: sentText,
  approveAsync: z.boolean('give true or false').optional(),
};

/** In a unit that the contract does not give; nor does it say that parts of one are refused. */
const expiryDuration = z
  .number('give a duration from 1 to 48')
  .min(1, 'give a duration from 1 to 48')
  .max(48, 'give a duration from 1 to 48');

/** What an amount or a duration means for an open account is not documented: it is passed on when it is given. */
export const virtualAccountSent = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ ...described, type: z.literal('fixed'), amount: sentAmount, expiryDuration }),
      z.strictObject({
        ...described,
        type: z.literal('open'),
        amount: sentAmount.optional(),
        expiryDuration: expiryDuration.optional(),
      }),
    ],
    'give open or fixed',
  )
  .superRefine(({ type, currency, amount }, context) => {
    const least = LEAST_AMOUNT.get(currency);
    if (type !== 'fixed' || least === undefined || new Big(amount.value).gte(least)) return;
    context.addIssue({ code: 'custom', path: ['amount'], message: `give at least ${least} ${currency}` });
  });
export type NewVirtualAccount = z.input<typeof virtualAccountSent>;

/** While the account is being made, this text stands in place of its number. */
const accountNumber = optionalText.transform((text) => (text === null || /^\s*creating\b/i.test(text) ? null : text));

/** Ids of people are numbers on the wire and texts here. */
export const virtualAccountAnswer = z.looseObject({
  requestId: requiredText,
  status: requiredText.transform((status): VirtualAccountRequestStatus => status),
  name: optionalText,
  provider: optionalText,
  currency: optionalText,
  description: optionalText,
  type: optionalText,
  amount: optionalAmount,
  expiryDuration: optionalAmount,
  approveAsync: optionalFlag,
  userId: optionalText,
  userFullname: optionalText,
  createdBy: optionalText,
  createdByName: optionalText,
  updatedBy: optionalText,
  updatedByName: optionalText,
  approvedBy: optionalText,
  approvedByName: optionalText,
  createdAt: optionalTimestamp,
  updatedAt: optionalTimestamp,
  approvedAt: optionalTimestamp,
  virtualAccountId: optionalText,
  /** Null until there is one. Its presence is no approval: only the status is. */
  virtualAccountNo: accountNumber,
});
export type VirtualAccountRequest = z.output<typeof virtualAccountAnswer>;
