import { Big } from 'big.js';
import { z } from 'zod';
import { currencyCode, positiveAmount, nonEmptyText } from '../calls/request-fields.ts';
import type { VirtualAccountRequestStatus } from '../statuses.ts';
import { optionalAmount, optionalFlag, optionalText, optionalTimestamp, requiredText } from '../calls/answer-fields.ts';

/** The fields of virtual account requests. Contract: payments 2.8. Amounts are decimal strings. */

/** The currencies for which the contract gives a minimum amount. */
const MIN_AMOUNTS: ReadonlyMap<string, number> = new Map([
  ['IDR', 10_000],
  ['USD', 1],
]);

const commonFields = {
  name: z
    .string('give a name')
    .trim()
    .regex(/^[A-Za-z0-9 ]+$/, 'give letters, digits and spaces only'),
  provider: nonEmptyText,
  currency: currencyCode,
  description: nonEmptyText,
  approveAsync: z.boolean('give true or false').optional(),
};

/** The contract does not give the unit, nor does it exclude fractions. */
const expiryDuration = z
  .number('give a duration from 1 to 48')
  .min(1, 'give a duration from 1 to 48')
  .max(48, 'give a duration from 1 to 48');

/** The meaning of an amount or a duration for an open account is not documented: they are sent if given. */
export const virtualAccountRequest = z
  .discriminatedUnion(
    'type',
    [
      z.strictObject({ ...commonFields, type: z.literal('fixed'), amount: positiveAmount, expiryDuration }),
      z.strictObject({
        ...commonFields,
        type: z.literal('open'),
        amount: positiveAmount.optional(),
        expiryDuration: expiryDuration.optional(),
      }),
    ],
    'give open or fixed',
  )
  .superRefine(({ type, currency, amount }, context) => {
    const minAmount = MIN_AMOUNTS.get(currency);
    if (type !== 'fixed' || minAmount === undefined || new Big(amount.value).gte(minAmount)) return;
    context.addIssue({ code: 'custom', path: ['amount'], message: `give at least ${minAmount} ${currency}` });
  });
export type NewVirtualAccount = z.input<typeof virtualAccountRequest>;

/** Null while the account is being created: the provider then sends "Creating…" instead of a number. */
const accountNumber = optionalText.transform((text) => (text === null || /^\s*creating\b/i.test(text) ? null : text));

/** The provider sends users' ids as numbers; here they are strings. */
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
  /** Null until it exists. A number does not mean that the request is approved: only the status does. */
  virtualAccountNo: accountNumber,
});
export type VirtualAccountRequest = z.output<typeof virtualAccountAnswer>;
