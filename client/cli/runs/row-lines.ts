import type { RowSummary, RunSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { describeAccount } from './render-account.ts';
import { displayWidth, fit } from '../text-table.ts';
import { money, rowWord, words } from '../wording.ts';
import { cameBack } from './render-rows.ts';

/**
 * Rows in columns of fixed width, so that they can be printed as they arrive. A row takes two lines of 120 columns, and
 * one more for each remark. Only names are cut; other long values push the rest of the line.
 */

const WIDTHS = { line: 6, row: 22, state: 17, name: 27, amount: 19, account: 38, country: 7, payOn: 10 };
const INDENT = ' '.repeat(WIDTHS.line + 2);

export const ROWS_TITLE = [
  upperLine('Line', 'Row', 'State', 'Beneficiary', 'Sends', 'Receives'),
  lowerLine('Account', 'Country', 'Pays on', 'Reference'),
].join('\n');

/**
 * Formats one row after another. The other settings (purpose, funding, channel, sender) are printed before the first row
 * and wherever they change.
 */
export function rowFormatter(run: RunSummary['state']): (row: RowSummary) => string {
  let last: string | null = null;
  return (row) => {
    const settings = settingsLine(row);
    const isSame = settings === null || settings === last;
    if (settings !== null) last = settings;
    return isSame ? rowLines(row, run) : `${settings}\n${rowLines(row, run)}`;
  };
}

function settingsLine({ purpose, purposeDescription, settings }: RowSummary): string | null {
  if (settings === null) return null;
  const parts = [
    ...(purpose === null ? [] : [`purpose ${purpose}${purposeDescription === null ? '' : ` (${purposeDescription})`}`]),
    ...Object.entries(settings).map(([column, value]) => `${words(column)} ${value}`),
  ];
  return parts.length === 0 ? null : printable(`With ${parts.join(', ')}:`);
}

export function rowLines(row: RowSummary, run: RunSummary['state']): string {
  const name = row.beneficiaryName ?? row.beneficiary ?? (row.isMasked ? '(not shown)' : '');
  const word = rowWord(run, row.state);
  const state = row.attempt > 1 ? `${word} (${row.attempt})` : word;
  const account = row.bankAccount === null ? '' : describeAccount(row.bankAccount);
  return [
    upperLine(
      String(row.line),
      row.rowRef,
      state,
      fit(printable(name), WIDTHS.name),
      amountIn(row.sellCurrency, row.sellAmount),
      amountIn(row.buyCurrency, row.buyAmount),
    ),
    lowerLine(account, row.country ?? '', row.payOn ?? '', row.reference ?? ''),
    ...[...remarks(row, name)].map((remark) => `${INDENT}${printable(remark)}`),
  ]
    .filter((line) => line.trim() !== '')
    .join('\n');
}

function* remarks(row: RowSummary, name: string): Generator<string, void, undefined> {
  const { marks } = row;
  if (marks !== null && marks.length > 0) yield marks.map((mark) => `! ${words(mark)}`).join('  ');
  const holder = row.bankAccount?.holder ?? null;
  if (holder !== null && holder.toLowerCase() !== name.toLowerCase()) yield `account held by ${holder}`;
  if (row.beneficiaryId !== null) yield `beneficiary ${row.beneficiaryId} at the provider`;
  const via = row.bankAccount?.intermediaryBank ?? null;
  if (via !== null) yield `via ${via}`;
  if (row.files !== null && row.files.length > 0) yield `files: ${row.files.join(', ')}`;
  if (row.errorMessage !== null)
    yield `reason: ${row.errorMessage}${row.errorCode === null ? '' : ` (${row.errorCode})`}`;
  else if (row.errorCode !== null) yield `reason: ${row.errorCode}`;
  if (row.sellAmount === null || row.buyAmount === null) {
    const { sells, buys, fees } = row.expected;
    if (sells !== null && buys !== null && fees !== null)
      yield `expected: ${amountIn(row.sellCurrency, sells)} and ${money(fees)} of fees for ${amountIn(row.buyCurrency, buys)}`;
  }
  const { delivery } = row;
  if (delivery !== null && (delivery.nameCut !== '' || delivery.referenceCut !== '' || delivery.lost !== ''))
    yield `the payee reads "${delivery.name}" and "${delivery.reference}" (${delivery.by})`;
  const back = cameBack(row);
  if (back !== null) yield back;
}

function upperLine(line: string, row: string, state: string, name: string, sends: string, receives: string): string {
  return [
    right(line, WIDTHS.line),
    left(row, WIDTHS.row),
    left(state, WIDTHS.state),
    left(name, WIDTHS.name),
    right(sends, WIDTHS.amount),
    right(receives, WIDTHS.amount),
  ]
    .join('  ')
    .trimEnd();
}

function lowerLine(account: string, country: string, payOn: string, reference: string): string {
  return `${INDENT}${[
    left(account, WIDTHS.account),
    left(country, WIDTHS.country),
    left(payOn, WIDTHS.payOn),
    printable(reference),
  ].join('  ')}`.trimEnd();
}

/** With the currency even if the amount is known only with the quote. */
function amountIn(currency: string | null, amount: string | null): string {
  if (amount === null) return currency === null ? '' : `${currency} as quoted`;
  return currency === null ? money(amount) : `${currency} ${money(amount)}`;
}

function left(text: string, width: number): string {
  const safe = printable(text);
  return safe + spaces(safe, width);
}

function right(text: string, width: number): string {
  const safe = printable(text);
  return spaces(safe, width) + safe;
}

function spaces(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - displayWidth(text)));
}
