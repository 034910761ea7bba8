import { renderRows } from '../../client/cli/runs/render-rows.ts';
import { textTable } from '../../client/cli/text-table.ts';
import type { RowSummary, RunSummary } from '../../client/sdk/index.ts';
import type { Ledger } from './demo-script.ts';

/** The number of paid rows, and every other row with its reason. */
export function resultTable(rows: readonly RowSummary[]): string {
  const unpaid = rows.filter(({ state }) => state !== 'paid');
  return `${rows.length - unpaid.length} of ${rows.length} rows are paid. Not paid, and why:\n${renderRows(unpaid)}`;
}

export function ledgerTable(run: RunSummary, seconds: number, ledger: Ledger): string {
  const { total, byOperation } = ledger.requests;
  const perPayment = (requests: number): string => (requests / Math.max(1, run.rowCount)).toFixed(2);
  // Left out, because they depend on how many beneficiaries are new and how many rows have files.
  const excluded = [
    'beneficiary-create',
    'simple-payment-get-upload-url',
    'simple-payment-upload-file',
    'auth-authenticate',
  ];
  const paying = Object.entries(byOperation)
    .filter(([operation]) => !excluded.includes(operation))
    .reduce((sum, [, requests]) => sum + requests, 0);
  return textTable(
    [{ title: "The provider's own ledger says" }, { title: '', align: 'right' }],
    [
      ['payments created more than once', String(ledger.createdMoreThanOnce.length)],
      ['payments funded more than once', String(ledger.fundedMoreThanOnce.length)],
      ['balances add up', ledger.invariantHolds ? 'yes' : 'NO'],
      ['requests in all', String(total)],
      ['requests per payment, from its quote to its end', perPayment(paying)],
      ['most requests in any second', String(ledger.mostInAnySecond)],
      ['requests rejected by the limit', String(ledger.rejectedByLimit)],
      ['seconds from the file to the last row', seconds.toFixed(1)],
    ],
  );
}

export function nextSteps({ runId }: RunSummary, isKept: boolean): string[] {
  return isKept
    ? [
        `bin/payrun show ${runId} --rows`,
        'bin/payrun submit examples/payroll.csv',
        'bin/payrun submit examples/broken-payments.csv',
      ]
    : [
        'npm run demo -- --keep    keeps everything running, to look around',
        'bin/payrun up             is payrun itself',
      ];
}
