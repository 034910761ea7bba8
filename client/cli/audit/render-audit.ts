import type { AuditEntrySummary, AuditReport } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { displayWidth, fit } from '../text-table.ts';
import { counted, exactMoment, words } from '../wording.ts';

const WIDTHS = { at: 23, who: 16, row: 20, what: 26 };

export const AUDIT_TITLE = line('Time (UTC)', 'Who', 'Row', 'What', 'Outcome');

/** One entry on one line, in columns of fixed width, so that entries can be printed as they arrive. */
export function auditLine(entry: AuditEntrySummary): string {
  const row = entry.rowRef ?? entry.paymentId ?? '';
  return line(exactMoment(entry.at), entry.person ?? entry.actor, row, words(entry.kind), outcomeOf(entry));
}

function line(at: string, who: string, row: string, what: string, outcome: string): string {
  const cells = [cell(at, WIDTHS.at), cell(who, WIDTHS.who), cell(row, WIDTHS.row), cell(what, WIDTHS.what)];
  return `${cells.join('  ')}  ${printable(outcome)}`.trimEnd();
}

function cell(text: string, width: number): string {
  const fitting = fit(printable(text), width);
  return fitting + ' '.repeat(Math.max(0, width - displayWidth(fitting)));
}

/** The outcome: the state first, then the other details by their names. */
function outcomeOf({ detail, remark }: AuditEntrySummary): string {
  const { state, ...others } = detail;
  const details = Object.entries(others).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${textOf(value)}`],
  );
  const quoted = remark === null ? [] : [`“${remark}”`];
  return [...(typeof state === 'string' ? [words(state)] : []), ...quoted, ...details].join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The result of a verification, for people. */
export function renderAuditReport(
  { broken, chained, head, unchained, unchainedSince }: AuditReport,
  noted: string | null,
): string {
  if (broken !== null)
    return `BROKEN at position ${broken.position}; ${counted(chained, 'entry', 'entries')} before it are intact.`;
  const lines = [`Intact: ${counted(chained, 'entry', 'entries')} as they were when chained.`];
  if (noted !== null) lines.push('The noted head is in the chain.');
  if (unchained > 0) {
    const since = unchainedSince === null ? '' : `, since ${exactMoment(unchainedSince)} UTC`;
    lines.push(`Not chained yet: ${counted(unchained, 'entry', 'entries')}${since}.`);
  }
  if (head !== null) lines.push(`Head, to be noted elsewhere: ${head.position}:${head.hash}`);
  return lines.join('\n');
}

const PROBLEMS: Readonly<Record<NonNullable<AuditReport['broken']>['problem'], string>> = {
  link_missing: 'its link is missing',
  entry_missing: 'the entry was removed',
  entry_not_chained: 'the entry was inserted between chained ones',
  out_of_order: 'the entry does not come after the one before it',
  hash_differs: 'the entry, its link or their order was altered',
  head_differs: 'the noted head is not in the chain: the trail was rebuilt, or its end was cut off',
};

export function describeBreak(broken: NonNullable<AuditReport['broken']>): string {
  const entry = broken.entryId === null ? '' : `, entry ${broken.entryId}`;
  return `position ${broken.position}${entry}: ${PROBLEMS[broken.problem]}`;
}
