import type { Deposit, Funding, Receipt, Refund } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { duration, moment, money, words } from '../wording.ts';

/** Money that came in or came back, as tables. `hasMore`: there are older lines. */

export function renderDeposits(deposits: readonly Deposit[], hasMore: boolean): string {
  if (deposits.length === 0) return 'There are no such deposits.';
  const table = textTable(
    [
      { title: 'Transaction', maxWidth: 40 },
      { title: 'Account', maxWidth: 20 },
      { title: 'Amount', align: 'right' },
      { title: 'State' },
      { title: 'Virtual account', maxWidth: 40 },
      { title: 'Entry', maxWidth: 40 },
    ],
    deposits.map((deposit) => [
      deposit.transactionId,
      deposit.account,
      amountOf(deposit),
      deposit.confirmedAt === null
        ? `reported as ${deposit.status} ${duration(deposit.ageSeconds)} ago, not seen`
        : `confirmed on ${moment(deposit.confirmedAt)}`,
      deposit.virtualAccountId ?? '',
      deposit.entryId ?? '',
    ]),
  );
  return withMore(table, hasMore);
}

export function renderFundings(fundings: readonly Funding[], hasMore: boolean): string {
  if (fundings.length === 0) return 'There are no such fundings.';
  const table = textTable(
    [
      { title: 'Funding', maxWidth: 40 },
      { title: 'Account', maxWidth: 20 },
      { title: 'Amount', align: 'right' },
      { title: 'Status' },
      { title: 'Money' },
      { title: 'Reference', maxWidth: 30 },
    ],
    fundings.map((funding) => [
      funding.fundingId,
      funding.account,
      amountOf(funding),
      funding.status === null ? 'not shown by the provider' : words(funding.status),
      funding.creditedAt === null ? 'not seen' : `seen on ${moment(funding.creditedAt)}`,
      funding.reference ?? '',
    ]),
  );
  return withMore(table, hasMore);
}

export function renderReceipts(receipts: readonly Receipt[], hasMore: boolean): string {
  if (receipts.length === 0) return 'There are no such receipts.';
  const table = textTable(
    [
      { title: 'Entry', maxWidth: 40 },
      { title: 'Account', maxWidth: 20 },
      { title: 'Amount', align: 'right' },
      { title: 'Age', align: 'right' },
      { title: 'Type', maxWidth: 20 },
      { title: 'What it is', maxWidth: 80 },
    ],
    receipts.map((receipt) => [
      receipt.entryId,
      receipt.account,
      amountOf(receipt),
      duration(receipt.ageSeconds),
      receipt.type,
      explanationOf(receipt),
    ]),
  );
  return withMore(table, hasMore);
}

export function renderRefunds(refunds: readonly Refund[], hasMore: boolean): string {
  if (refunds.length === 0) return 'There are no such refunds.';
  const table = textTable(
    [
      { title: 'Refund', maxWidth: 40 },
      { title: 'Account', maxWidth: 20 },
      { title: 'Amount', align: 'right' },
      { title: 'State' },
      { title: 'Row', maxWidth: 24 },
      { title: 'Payment' },
      { title: 'Run' },
      { title: 'Remarks', maxWidth: 60 },
    ],
    refunds.map((refund) => [
      refund.refundId,
      refund.account,
      refund.amount === null ? '' : `${refund.currency ?? ''} ${money(refund.amount)}`,
      stateOf(refund),
      refund.rowRef ?? '',
      refund.paymentState === null ? 'not of a run' : words(refund.paymentState),
      refund.runId ?? '',
      refund.remarks ?? '',
    ]),
  );
  return withMore(table, hasMore);
}

function explanationOf(receipt: Receipt): string {
  const { explainedBy, assignment, matchesEarlierDebit } = receipt;
  const said = assignment === null ? '' : `${assignment.by}: ${assignment.reason ?? '(erased)'}`;
  if (explainedBy === 'person') return said;
  if (explainedBy === null) return matchesEarlierDebit ? 'not known; it follows a debit' : 'not known';
  const id = receipt.refundId ?? receipt.fundingId ?? receipt.depositTransactionId ?? '';
  return [`${explainedBy} ${id}`.trim(), said].filter((part) => part !== '').join('; ');
}

function amountOf({ currency, amount }: { currency: string | null; amount: string | null }): string {
  if (amount === null) return '';
  return currency === null ? money(amount) : `${currency} ${money(amount)}`;
}

function withMore(table: string, hasMore: boolean): string {
  return hasMore ? `${table}\n… and older ones: --limit shows more` : table;
}

function stateOf({ state, creditedAt, ageSeconds }: Refund): string {
  return creditedAt === null ? `${state} for ${duration(ageSeconds)}` : `${state} on ${moment(creditedAt)}`;
}
