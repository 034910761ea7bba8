import type { CasePage, CaseSummary } from '../../sdk/index.ts';
import { textTable } from '../text-table.ts';
import { moment, words } from '../wording.ts';
import { missingInWords } from './missing-in-words.ts';

/** Cases as a table. */
export function renderCases({ cases, nextAfter }: CasePage): string {
  if (cases.length === 0) return 'There are no such cases.';
  const table = textTable(
    [
      { title: 'Case' },
      { title: 'Applicant' },
      { title: 'Type' },
      { title: 'State' },
      { title: 'Since' },
      { title: 'Account', maxWidth: 20 },
      { title: 'Asked for', maxWidth: 60 },
    ],
    cases.map((one) => [
      one.caseId,
      one.applicantRef,
      one.accountType,
      words(one.state),
      moment(one.changedAt),
      one.account,
      askedFor(one),
    ]),
  );
  return nextAfter === null ? table : `${table}\n… and older ones: --limit and --state show others`;
}

function askedFor({ missing, stateReason }: CaseSummary): string {
  if (missing.length > 0) return missing.map(missingInWords).join(', ');
  return stateReason === null ? '' : words(stateReason);
}
