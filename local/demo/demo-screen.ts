import type { Writable } from 'node:stream';
import { printable } from '../../client/cli/printable.ts';
import { renderProposal } from '../../client/cli/runs/render-proposal.ts';
import { renderRows } from '../../client/cli/runs/render-rows.ts';
import { textTable } from '../../client/cli/text-table.ts';
import type { RowSummary, RunSummary } from '../../client/sdk/index.ts';
import type { Ledger } from './demo-script.ts';
import type { Stack } from '../stack/start-stack.ts';

export interface DemoEnding {
  run: RunSummary;
  seconds: number;
  ledger: Ledger;
  /** What differs from the script. */
  deviations: readonly string[];
  written: readonly string[];
  stack: Stack;
  isKept: boolean;
}

/** What the demo shows, step by step. */
export interface DemoScreen {
  say(line: string): void;
  title(text: string): void;
  proposal(run: RunSummary): void;
  rows(rows: readonly RowSummary[]): void;
  ending(ending: DemoEnding): void;
}

export function openDemoScreen(out: Writable): DemoScreen {
  const print = (text: string): void => {
    out.write(`${text}\n`);
  };
  return {
    say: (line) => print(`  ${printable(line)}`),
    title: (text) => print(`\n== ${text}`),
    proposal: (run) => print(renderProposal(run)),
    rows: (rows) => print(`\n${resultTable(rows)}`),
    ending: (ending) => print(endingText(ending)),
  };
}

/** The number of paid rows, and every other row with its reason. */
function resultTable(rows: readonly RowSummary[]): string {
  const unpaid = rows.filter(({ state }) => state !== 'paid');
  return `${rows.length - unpaid.length} of ${rows.length} rows are paid. Not paid, and why:\n${renderRows(unpaid)}`;
}

function endingText({ run, seconds, ledger, deviations, written, stack, isKept }: DemoEnding): string {
  const sections = [ledgerTable(run, seconds, ledger), written.map((path) => `Written: ${path}`).join('\n')];
  sections.push(
    deviations.length === 0
      ? 'Everything went as expected.'
      : `Not everything went as expected:\n${deviations.map((line) => `  - ${line}`).join('\n')}`,
  );
  if (isKept) sections.push(addresses(stack));
  sections.push(nextSteps(run, isKept));
  return `\n${sections.join('\n\n')}`;
}

function ledgerTable(run: RunSummary, seconds: number, ledger: Ledger): string {
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

function addresses({ addresses: { serverUrl, temporalUiUrl, sandboxUrl } }: Stack): string {
  const lines = [`API description   ${serverUrl}/api/v1/openapi.json`];
  if (temporalUiUrl !== undefined) lines.push(`Temporal's UI     ${temporalUiUrl}`);
  if (sandboxUrl !== undefined) lines.push(`Sandbox's ledger  ${sandboxUrl}/__sandbox/ledger`);
  return lines.join('\n');
}

function nextSteps({ runId }: RunSummary, isKept: boolean): string {
  const steps = isKept
    ? [
        `bin/payrun show ${runId} --rows`,
        'bin/payrun submit examples/payroll.csv',
        'bin/payrun submit examples/broken-payments.csv',
      ]
    : [
        'npm run demo -- --keep    keeps everything running, to look around',
        'bin/payrun up             is payrun itself',
      ];
  return `What to try next:\n${steps.map((step) => `  ${step}`).join('\n')}`;
}
