import type { Writable } from 'node:stream';
import { isDoneForNow } from '../../../domain/onboarding/case-state.ts';
import type { CaseDetail, CaseWatchOptions, PayrunClient } from '../../sdk/index.ts';
import { writeLine } from '../command-io.ts';
import { NotAsRequested } from '../exit-code.ts';
import { printable } from '../printable.ts';
import { counted } from '../wording.ts';
import { missingInWords } from './render-case.ts';
import { holdsInWords } from './render-holds.ts';

/**
 * Prints each case at once and whenever its state changes, or what holds it, until all are done for now. Returns them as they were
 * last.
 */
export async function followCases(
  client: Pick<PayrunClient, 'watchCases'>,
  cases: readonly { caseId: string }[],
  out: Writable,
  options: CaseWatchOptions = {},
): Promise<CaseDetail[]> {
  const last = new Map<string, CaseDetail>();
  const caseIds = cases.map(({ caseId }) => caseId);
  for await (const seen of client.watchCases(caseIds, isDoneForNow, options)) {
    last.set(seen.caseId, seen);
    await writeLine(out, changeLine(seen));
  }
  return [...last.values()];
}

/** `A-17: incomplete (document: passport)`. */
function changeLine({ applicantRef, state, stateReason, missing, holds }: CaseDetail): string {
  const asked = missing.length > 0 ? missing.map(missingInWords).join(', ') : (stateReason ?? '');
  const why = holds.length > 0 ? holdsInWords(holds) : asked;
  return printable(`${applicantRef}: ${state}${why === '' ? '' : ` (${why})`}`);
}

/** Throws NotAsRequested unless the provider has approved every applicant. */
export function expectAllApproved(cases: readonly CaseDetail[]): void {
  const others = cases.filter(({ state }) => state !== 'approved');
  if (others.length === 0) return;
  throw new NotAsRequested(
    `${counted(others.length, 'case')} of ${cases.length} ${others.length === 1 ? 'is' : 'are'} not approved: ` +
      `see payrun onboard show ${printable(others[0]?.applicantRef ?? '')}`,
  );
}
