import { z } from 'zod';
import { amount, countInQuery, dayOrTimeInQuery, instant } from '../fields.ts';

/** An account of the provider in a query; the answer holds only those that the user may use. */
export const accountInQuery = z
  .string()
  .min(1)
  .max(100)
  .nullable()
  .default(null)
  .describe('Only this account of the provider.');
export const currencyInQuery = z
  .string()
  .length(3)
  .toUpperCase()
  .nullable()
  .default(null)
  .describe('Only this currency.');

export const balanceQuery = z.object({ account: accountInQuery, currency: currencyInQuery });
export type BalanceQuery = z.output<typeof balanceQuery>;

/** How far a balance is known from its history. */
export const HISTORY_STATUSES = ['complete', 'missing_entries', 'abandoned', 'no_entries'] as const;

const alarmSchema = z.object({
  kind: z
    .enum(['free_negative', 'debit_not_found', 'debit_of_unpaid'])
    .describe(
      '`free_negative`: others than payrun have taken more than was free. `debit_not_found`: a payment ended, and no entry of ' +
        'the history has its amount. `debit_of_unpaid`: money was taken for a payment whose state says that it is not paid.',
    ),
  ledgerAccount: z.string(),
  amount,
  raisedAt: instant,
});

export const balanceSchema = z
  .object({
    currency: z.string(),
    amount: amount.nullable().describe('Balance that the provider showed last; null: none yet.'),
    readAt: instant.nullable(),
    ageSeconds: z.int().nullable().describe('Seconds since the balance was read.'),
    historyStatus: z
      .enum(HISTORY_STATUSES)
      .describe(
        '`complete`: every change is known, up to `lastEntryAt`. `missing_entries`: one before the newest is still looked for. ' +
          '`abandoned`: it was not found, so the balance is not known from the history. `no_entries`: there are none.',
      ),
    amountByHistory: amount.nullable().describe('After the last entry that the history can be followed to.'),
    lastEntryAt: instant.nullable(),
    missingSince: instant.nullable().describe('Time since which entries are missing.'),
    free: amount
      .nullable()
      .describe('Committed to nothing. Negative: others have taken more than there was. Null: no ledger.'),
    committed: amount
      .nullable()
      .describe('Reserved for runs, or committed to payments and conversions; not debited yet.'),
    alarms: z.array(alarmSchema).describe('What people should look at.'),
  })
  .meta({ id: 'Balance' });
export type Balance = z.infer<typeof balanceSchema>;

export const accountBalancesSchema = z
  .object({
    account: z.string(),
    historyReadAt: instant.nullable().describe('When the history was last read; null: never.'),
    historyFrom: instant.nullable().describe('Time since which the history is complete.'),
    balances: z.array(balanceSchema).describe('Balances by currency.'),
  })
  .meta({ id: 'AccountBalances' });
export type AccountBalances = z.infer<typeof accountBalancesSchema>;

export const balanceListSchema = z.object({ accounts: z.array(accountBalancesSchema) });

export const historyEntrySchema = z
  .object({
    account: z.string(),
    currency: z.string(),
    entryId: z.string().describe("The provider's id of the entry; without one, a hash of its fields."),
    position: z.int().nullable().describe('Its place in the history of the currency, from 1; null: it has none.'),
    at: instant,
    change: amount.describe('Negative for a debit.'),
    before: amount,
    after: amount,
    total: amount.nullable().describe('Total as the provider shows it; its sign is not documented.'),
    transactionId: z.string().nullable(),
    type: z.string().describe("The provider's own word; may be empty."),
    firstSeenAt: instant,
    disregarded: z
      .enum(['copy', 'before_start'])
      .nullable()
      .describe('`copy`: listed again under another id. `before_start`: older than the first entry of the history.'),
  })
  .meta({ id: 'HistoryEntry', description: 'One change of a balance, as the provider shows it.' });
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const PARTS = /^([^/]+)\/([^/]+)\/([^/]+)$/;

/** The last entry of a page: account, currency and id of the entry. */
const pageEnd = z
  .string()
  .max(1000)
  .regex(PARTS, 'must be nextAfter of the page before')
  .transform((text) => {
    const [, of = '', inCurrency = '', entryId = ''] = PARTS.exec(text) ?? [];
    return { account: unescape(of), currency: unescape(inCurrency), entryId: unescape(entryId) };
  });

/** As `nextAfter`. */
export function pageEndOf(entry: Pick<HistoryEntry, 'account' | 'currency' | 'entryId'>): string {
  return [entry.account, entry.currency, entry.entryId].map((part) => encodeURIComponent(part)).join('/');
}

function unescape(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export const historyQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  from: dayOrTimeInQuery.describe('Only entries since this day or time, UTC.'),
  to: dayOrTimeInQuery.describe('Only entries before this time, or up to the end of this day, UTC.'),
  limit: countInQuery(1, 1000, 200),
  after: pageEnd.nullable().default(null).describe('`nextAfter` of the previous page.'),
});
export type HistoryQuery = z.output<typeof historyQuery>;

export const historyPageSchema = z.object({
  entries: z.array(historyEntrySchema).describe('The newest first.'),
  nextAfter: z.string().nullable().describe('`after` of the next page; null: this is the last.'),
});
export type HistoryPage = z.infer<typeof historyPageSchema>;
