import { rowTextsIn } from '../../../domain/runs/run-sentences.ts';
import type { RowDetail, RunSummary } from '../../sdk/index.ts';
import { shortHash } from '../approvals/content-hash.ts';
import { printable } from '../printable.ts';
import { MASKED_SENTENCE } from './render-findings.ts';
import { describeAccount } from './render-account.ts';
import { amountIn, renderRows } from './render-rows.ts';
import { textTable } from '../text-table.ts';
import { counted, moment, stateLines, words } from '../wording.ts';

/** One row with its instruction and the evidence of its outcome: requests, lookups and what people said. */
export function renderRowDetail({ runId, state }: Pick<RunSummary, 'runId' | 'state'>, row: RowDetail): string {
  return [
    renderRows([row]),
    stateLines(rowTextsIn(state, row.state)).join('\n'),
    decisions(row),
    marks(row),
    instruction(row),
    identity(row),
    requests(row.requests),
    lookups(row.lookups),
    similar(runId, row),
    release(row),
    manualOutcomes(row.manualOutcomes),
    nextStep(runId, row),
  ]
    .filter((section) => section !== '')
    .join('\n\n');
}

/** On its run: what covers the row, or ended it. */
function decisions({ decisions: made }: RowDetail): string {
  return made
    .map(({ sentence, at, comment }) =>
      printable(`${sentence}, on ${moment(at)}${comment === null ? '' : `: ${comment}`}`),
    )
    .join('\n');
}

function marks({ marks: found }: RowDetail): string {
  return (found ?? []).map((mark) => `! ${words(mark)}`).join('\n');
}

/** Everything that an approval of the row covers, and what the provider shows for a beneficiary given by its id. */
function instruction(row: RowDetail): string {
  if (row.isMasked) return MASKED_SENTENCE;
  if (row.asSubmitted !== null) {
    const cells = row.asSubmitted.map(({ header, text }): [string, string] => [header, text]);
    return textTable([{ title: 'The sheet says, and it is not paid' }, { title: '' }], cells);
  }
  const { instruction: paid, beneficiaryId, beneficiaryName, bankAccount } = row;
  const atProvider = beneficiaryId === null ? {} : { 'the provider shows': { name: beneficiaryName, ...bankAccount } };
  const fields = [...fieldsOf({ ...paid, ...atProvider }, '')];
  return fields.length === 0 ? '' : textTable([{ title: 'Payment instruction' }, { title: '' }], fields);
}

/** Each field that is set, by its name in words; a nested field follows the name of its parent. */
function* fieldsOf(record: object, prefix: string): Generator<[name: string, value: string], void, undefined> {
  for (const [key, value] of Object.entries(record) as [string, unknown][]) {
    const name = `${prefix}${key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
    if (Array.isArray(value)) {
      if (value.length > 0) yield [name, value.join(', ')];
    } else if (typeof value === 'object' && value !== null) {
      yield* fieldsOf(value, key === 'beneficiary' || key === 'details' ? prefix : `${name}: `);
    } else if (typeof value === 'string' || typeof value === 'number') {
      yield [name, String(value)];
    }
  }
}

function identity(row: RowDetail): string {
  const status =
    row.providerStatus === null
      ? 'never seen'
      : `${row.providerStatus}${row.lastShownAt === null ? '' : ` (shown on ${moment(row.lastShownAt)})`}`;
  return [
    `Reference          ${row.referenceId ?? 'none: no creation was tried'}`,
    `Provider's id      ${row.providerPaymentId ?? 'none'}`,
    `Provider's status  ${status}`,
  ]
    .map(printable)
    .join('\n');
}

function requests(sent: RowDetail['requests']): string {
  if (sent.length === 0) return 'Nothing was sent to the provider for this row.';
  return textTable(
    [
      { title: 'Sent' },
      { title: 'Attempt', align: 'right' },
      { title: 'Started' },
      { title: 'Ended' },
      { title: 'HTTP', align: 'right' },
      { title: 'Outcome' },
    ],
    sent.map((request) => [
      request.operation,
      String(request.attempt),
      moment(request.begunAt),
      request.answeredAt === null ? 'not seen' : moment(request.answeredAt),
      request.httpStatus === null ? '' : String(request.httpStatus),
      words(request.outcome),
    ]),
  );
}

function lookups(looks: RowDetail['lookups']): string {
  if (looks.length === 0) return '';
  return textTable(
    [
      { title: 'Looked up by' },
      { title: 'Result' },
      { title: 'Times', align: 'right' },
      { title: 'First' },
      { title: 'Last' },
    ],
    looks.map((look) => [
      look.request === 'by_reference' ? 'by reference' : "by the provider's id",
      words(look.result),
      String(look.times),
      moment(look.firstAt),
      moment(look.lastAt),
    ]),
  );
}

/** The rows that a suspected duplicate resembles, and how it is released. */
function similar(runId: string, { rowRef, similar: found }: RowDetail): string {
  if (found === null) return '';
  const command = printable(`payrun release ${runId} --row ${rowRef} --seen ${shortHash(found.hash)}`);
  const how = `To pay it anyway, a checker other than the maker runs:\n  ${command} --reason TEXT`;
  if (found.rowCount === 0) return `No other row is similar now. ${how}`;
  const table = textTable(
    [
      { title: 'Similar to' },
      { title: 'Line', align: 'right' },
      { title: 'Row' },
      { title: 'Beneficiary', maxWidth: 28 },
      { title: 'Account' },
      { title: 'Reference', maxWidth: 28 },
      { title: 'Sends', align: 'right' },
      { title: 'Receives', align: 'right' },
      { title: 'State' },
      { title: 'Submitted' },
      { title: 'Paid' },
      { title: 'Run' },
    ],
    found.rows.map((row) => [
      row.fileName,
      String(row.line),
      row.rowRef,
      row.beneficiaryName ?? row.beneficiary ?? '',
      row.bankAccount === null ? '' : describeAccount(row.bankAccount),
      row.reference ?? '',
      amountIn(row.sellCurrency, row.sellAmount),
      amountIn(row.buyCurrency, row.buyAmount),
      words(row.state),
      moment(row.submittedAt),
      row.paidAt === null ? '' : moment(row.paidAt),
      row.runId === runId ? 'this run' : row.runId,
    ]),
  );
  const unlisted = found.rowCount - found.rows.length;
  return [
    table,
    ...(unlisted > 0 ? [`… and ${counted(unlisted, 'more row')}, of other accounts or not listed`] : []),
    how,
  ].join('\n');
}

function release({ release: made }: RowDetail): string {
  if (made === null) return '';
  const reason = made.reason === null ? '' : `: ${made.reason}`;
  return printable(`Suspected duplicate, released by ${made.by.name} on ${moment(made.at)}${reason}`);
}

function manualOutcomes(proposals: RowDetail['manualOutcomes']): string {
  return proposals.map(manualOutcome).join('\n');
}

function manualOutcome(proposal: RowDetail['manualOutcomes'][number]): string {
  const { outcome, providerPaymentId, proposedBy, proposedAt, reason, state, closedBy, closedAt, closingReason } =
    proposal;
  const id = providerPaymentId === null ? '' : ` (payment ${providerPaymentId})`;
  const closing = [
    words(state),
    ...(closedBy === null ? [] : [`by ${closedBy.name}`]),
    ...(closedAt === null ? [] : [`on ${moment(closedAt)}`]),
  ].join(' ');
  return [
    `Proposed as ${words(outcome)}${id} by ${proposedBy.name} on ${moment(proposedAt)}: ${reason ?? '(erased)'}`,
    `  ${state === 'proposed' ? 'needs a second person' : closing}${closingReason === null ? '' : `: ${closingReason}`}`,
  ]
    .map(printable)
    .join('\n');
}

function nextStep(runId: string, row: RowDetail): string {
  if (row.state !== 'unknown') return '';
  const command = printable(`payrun resolve ${runId} --row ${row.rowRef}`);
  return row.manualOutcomes.some(({ state }) => state === 'proposed')
    ? `A checker who did not propose it decides: ${command} --confirm, or --reject`
    : `This row may have been paid. Ask the provider, then:\n  ${command} --outcome paid|rejected|failed|never_created --reason TEXT`;
}
