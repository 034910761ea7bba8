import type { CasePage, CaseState } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { count, counted, moment } from '../wording.ts';
import { missingInWords } from './render-case.ts';

/** Cases as a table, and how many there are in each state. `state`: only these were asked for. */
export function renderCases({ cases, nextAfter, counts }: CasePage, state: CaseState | null = null): string {
  if (cases.length === 0) return ['There are no such cases.', ...totals(counts)].join('\n');
  const table = textTable(
    [
      { title: 'Case' },
      { title: 'Applicant' },
      { title: 'Type' },
      { title: 'State' },
      { title: 'Since' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Reason' },
      { title: 'Asked for', maxWidth: 60 },
    ],
    cases.map((one) => [
      one.caseId,
      one.applicantRef,
      one.accountType,
      one.state,
      moment(one.changedAt),
      one.account,
      one.stateReason ?? '',
      one.missing.map(missingInWords).join(', '),
    ]),
  );
  return [table, ...(nextAfter === null ? [] : [older(cases.length, counts, state)]), ...totals(counts)].join('\n');
}

function older(shown: number, counts: CasePage['counts'], state: CaseState | null): string {
  const all = sumOf(counts.filter((one) => state === null || one.state === state));
  return `… and ${counted(Math.max(all - shown, 1), 'older one')}: --limit ${Math.max(all, shown + 1)} shows them all`;
}

function totals(counts: CasePage['counts']): string[] {
  if (counts.length === 0) return [];
  const states = counts.map((one) => `${count(one.count)} ${one.state}`).join(', ');
  return [`${counted(sumOf(counts), 'case')} in all: ${states}`];
}

function sumOf(counts: CasePage['counts']): number {
  return counts.reduce((sum, one) => sum + one.count, 0);
}
