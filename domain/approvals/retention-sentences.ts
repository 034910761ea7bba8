import type { ApprovalPolicy } from './approval-policy.ts';
import { counted } from '../counted.ts';

/** What a policy says of how long personal data is kept. */
export function retentionParts(retention: ApprovalPolicy['retention']): { name: string; says: string }[] {
  return [
    {
      name: 'Personal data of applicants whom the provider approved or rejected',
      says:
        retention === undefined ? 'is kept for five years after the end of the case' : keptFor(retention.decidedDays),
    },
    {
      name: 'Personal data of other applicants',
      says: keptFor(retention?.otherDays ?? 0),
    },
    {
      name: 'Personal data of those whom a run paid',
      says:
        retention?.payeesDays === undefined
          ? 'is kept for five years after the end of the run'
          : keptFor(retention.payeesDays, 'run'),
    },
  ];
}

function keptFor(days: number, what: 'case' | 'run' = 'case'): string {
  return days === 0
    ? `may be erased as soon as the ${what} has ended`
    : `is kept for ${counted(days, 'day')} after the end of the ${what}`;
}
