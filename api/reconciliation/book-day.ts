import { z } from 'zod';
import { accountInQuery } from '../accounts/balance.ts';
import { amount, countInQuery, day, flagInQuery, instant, person } from '../fields.ts';
import { isCalendarDate } from '../../domain/calendar-date.ts';

export const dayInQuery = z
  .string()
  .refine(isCalendarDate, 'give a day as 2026-01-31')
  .nullable()
  .default(null)
  .describe('UTC, YYYY-MM-DD, included.');

const accountName = z.string().min(1).max(100);

const booksSchema = z
  .object({
    currency: z.string(),
    opening: amount,
    closing: amount,
    entryCount: z.int(),
    isComplete: z.boolean().describe('Its entries lead to a balance that the provider showed afterwards.'),
    totals: z
      .array(z.object({ entryClass: z.string(), count: z.int(), amount }))
      .describe('What the balance changed by; opening and totals are the closing.'),
    late: z
      .array(z.object({ entryId: z.string(), ofDay: day, amount }))
      .describe('Entries that are dated on an earlier day: adjustments of that day.'),
    reclassified: z
      .array(z.object({ entryId: z.string(), ofDay: day, from: z.string(), to: z.string(), amount }))
      .describe('What open entries of earlier days turned out to be.'),
    historyHash: z.string().describe('SHA-256 of its entries.'),
    contentHash: z.string().describe('SHA-256 of its entries and what they were for.'),
  })
  .meta({ id: 'Books', description: 'The books of one currency on one day.' });

export const bookDaySchema = z
  .object({
    account: z.string(),
    day,
    state: z
      .enum(['matched', 'signed', 'closed'])
      .describe(
        '`matched`: reconciled. `signed`: a checker has signed its amounts. `closed`: so are all days before it, and all its ' +
          'breaks are closed; it never changes.',
      ),
    reconciledAt: instant,
    matched: z.int().describe('How many expected movements were found.'),
    contentHash: z.string().describe('SHA-256 of its books: what is signed.'),
    signedBy: person.nullable(),
    signedAt: instant.nullable(),
    closedAt: instant.nullable(),
    openBreaks: z.record(z.string(), z.int()).describe('Number of open breaks by type.'),
    books: z.array(booksSchema),
  })
  .meta({ id: 'BookDay', description: 'The books of an account on one day, UTC.' });
export type BookDay = z.infer<typeof bookDaySchema>;

export const bookDayListSchema = z.object({ days: z.array(bookDaySchema) });

export const bookDayQuery = z.object({
  account: accountInQuery,
  from: dayInQuery,
  to: dayInQuery,
  open: flagInQuery.describe('`true`: only days that are not closed.'),
  limit: countInQuery(1, 400, 62).describe('Days of each account.'),
});
export type BookDayQuery = z.output<typeof bookDayQuery>;

export const reconciliationRequestSchema = z
  .strictObject({
    account: accountName,
    from: dayInQuery.describe('The first day; null: the first that was not reconciled yet.'),
    to: dayInQuery.describe('The last day; null: yesterday.'),
  })
  .meta({ id: 'ReconciliationRequest' });
export type ReconciliationRequest = z.output<typeof reconciliationRequestSchema>;

export const askedReconciliationSchema = z
  .object({
    account: z.string(),
    askedAt: instant.describe('Days that are reconciled after it show the result.'),
    isUnderWay: z.boolean().describe('Another reconciliation of the account is under way: ask again after it.'),
  })
  .meta({ id: 'AskedReconciliation' });
export type AskedReconciliation = z.infer<typeof askedReconciliationSchema>;

export const reconciliationQuery = z.object({ account: accountName });

export const reconciliationProgressSchema = z
  .object({
    account: z.string(),
    isUnderWay: z.boolean(),
    hasFailed: z.boolean().describe('The last one ended without a result, as when the history could not be read.'),
  })
  .meta({ id: 'ReconciliationProgress' });
export type ReconciliationProgress = z.infer<typeof reconciliationProgressSchema>;

export const daySignatureSchema = z
  .strictObject({ account: accountName, day: z.string().refine(isCalendarDate), contentHash: z.string() })
  .meta({ id: 'DaySignature', description: 'Signs the books of a day that one has seen.' });
export type DaySignature = z.infer<typeof daySignatureSchema>;

export const signedDaySchema = z
  .object({
    state: z.enum(['signed', 'closed']).describe('`signed`: it closes when its breaks and the days before are.'),
  })
  .meta({ id: 'SignedDay' });
export type SignedDay = z.infer<typeof signedDaySchema>;

export const openingBalanceSchema = z
  .strictObject({
    account: accountName,
    currency: z.string().length(3).toUpperCase(),
    amount: z.string().regex(/^-?\d{1,20}(\.\d{1,8})?$/, 'give an amount as 1234.50'),
  })
  .meta({
    id: 'OpeningBalance',
    description: 'Signs the balance before the first entry of a history that does not begin with 0.',
  });
export type OpeningBalance = z.infer<typeof openingBalanceSchema>;

/** The files of a report; a statement is of one currency and day. */
export const REPORT_FILES = [
  'report.html',
  'breaks.csv',
  'entries.csv',
  'days.csv',
  'fees.csv',
  'exchange.csv',
  'statement.xml',
] as const;
export type ReportFile = (typeof REPORT_FILES)[number];

export const REPORT_MEDIA_TYPES = {
  'report.html': 'text/html',
  'breaks.csv': 'text/csv',
  'entries.csv': 'text/csv',
  'days.csv': 'text/csv',
  'fees.csv': 'text/csv',
  'exchange.csv': 'text/csv',
  'statement.xml': 'application/xml',
} as const satisfies Record<ReportFile, string>;

export const reportParams = z.object({ file: z.enum(REPORT_FILES) });

export const reportQuery = z.object({
  account: accountName,
  from: z.string().refine(isCalendarDate, 'give a day as 2026-01-31'),
  to: dayInQuery.describe('The last day; null: only the first. At most 31 days.'),
  currency: z.string().length(3).toUpperCase().nullable().default(null).describe('Currency of the statement.'),
});
export type ReportQuery = z.output<typeof reportQuery>;
