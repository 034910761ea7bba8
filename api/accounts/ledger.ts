import { z } from 'zod';
import { amount, countInQuery, instant } from '../fields.ts';
import { accountInQuery, currencyInQuery } from './balance.ts';
import { runId } from '../runs/run.ts';

const ledgerBalanceSchema = z
  .object({
    account: z.string(),
    currency: z.string(),
    ledgerAccount: z.string().describe('`outside`, `free`, `run/<id>`, `payment/<id>-<attempt>` or `conversion/<id>`.'),
    amount: amount.describe('Negative for `outside`: the balance with the provider, and perhaps for `free`.'),
    runId: z.string().nullable().describe('The run that it belongs to.'),
    rowRef: z.string().nullable().describe('The row of a payment.'),
    shortBy: amount.nullable().describe('What a run lacks.'),
  })
  .meta({ id: 'LedgerBalance' });
export type LedgerBalance = z.infer<typeof ledgerBalanceSchema>;

export const TRANSFER_REASONS = [
  'opening',
  'entry',
  'missing_entries',
  'matched_later',
  'reserve',
  'return',
  'commit',
  'release',
  'not_in_history',
  'before_start',
] as const;

const ledgerTransferSchema = z
  .object({
    transferId: z.int(),
    account: z.string(),
    currency: z.string(),
    at: instant,
    debit: z.string().describe('The ledger account that it is taken from.'),
    credit: z.string().describe('The ledger account that it is given to.'),
    amount,
    reason: z
      .enum(TRANSFER_REASONS)
      .describe(
        '`opening`: the first balance of the history. `entry`: an entry of the history. `missing_entries`: a gap in it that was ' +
          'given up. `matched_later`: an entry that was free money turned out to belong to a payment. `reserve`, `return`: for ' +
          'a run, and back. `commit`, `release`: for a payment or conversion, and back. `not_in_history`: it ended, and has no ' +
          'entry of its amount. `before_start`: its entry is of before the start of the history, which has it already.',
      ),
    cause: z.string().describe('The entry, the request, or what else it follows from.'),
  })
  .meta({ id: 'LedgerTransfer' });
export type LedgerTransfer = z.infer<typeof ledgerTransferSchema>;

export const ledgerQuery = z.object({
  account: accountInQuery,
  currency: currencyInQuery,
  run: runId.nullable().default(null).describe('Only ledger accounts of this run and its payments.'),
  limit: countInQuery(1, 1000, 200),
  after: countInQuery(0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).describe(
    '`nextAfter` of the previous page.',
  ),
});
export type LedgerQuery = z.output<typeof ledgerQuery>;

export const ledgerPageSchema = z.object({
  balances: z
    .array(ledgerBalanceSchema)
    .describe('Ledger accounts with money or a lack of it, at most a thousand; on the first page.'),
  transfers: z.array(ledgerTransferSchema).describe('The newest first.'),
  nextAfter: z.int().nullable().describe('`after` of the next page; null: this is the last.'),
});
export type LedgerPage = z.infer<typeof ledgerPageSchema>;
