import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import type { CaseExport } from '../../api/onboarding/case-detail.ts';

/**
 * What is handed out about an applicant, as JSON. It is theirs, so the people of the team, their tokens, HMACs and hashes of the
 * audit trail are not in it. `documents`: those of the case and former ones, as whoever writes them has named them.
 */
export function handedOutCase(
  exported: CaseExport,
  documents: readonly object[],
  audit: readonly AuditEntrySummary[],
): object {
  const { caseId, applicantRef, account, accountType, state, stateReason, userId, accountId, providerStatus } =
    exported;
  const { submittedAt, changedAt, endedAt, erasableFrom, missing, revisions, remarks, requests } = exported;
  return {
    ...{ caseId, applicantRef, account, accountType, state, stateReason, userId, accountId, providerStatus },
    ...{ submittedAt, changedAt, endedAt, erasableFrom, missing, revisions },
    documents,
    ...{ remarks, requests },
    manualOutcomes: exported.manualOutcomes.map(
      ({ outcome, userId: user, reason, state: result, proposedAt, closedAt, closingReason }) => ({
        ...{ outcome, userId: user, reason, state: result, proposedAt, closedAt, closingReason },
      }),
    ),
    history: audit.map(({ at, kind, remark }) => ({ at, kind, remark })),
  };
}
