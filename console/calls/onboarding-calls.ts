import type { AuditEntrySummary, AuditPage } from '../../api/audit/audit.ts';
import type { ActionableCase } from '../../api/onboarding/case-detail.ts';
import type { CaseExport } from '../../api/onboarding/case-export.ts';
import type { CasePage } from '../../api/onboarding/case.ts';
import type { ResumedSignUps, SignUpPauses, SignUpResumptionRequest } from '../../api/onboarding/sign-up-pause.ts';
import type { SubmittedApplicants, SuppliedCase } from '../../api/onboarding/submission.ts';
import { call, type ConsoleCall } from './call.ts';

type Query = NonNullable<ConsoleCall['query']>;

export function listCases(query: Query, signal: AbortSignal): Promise<CasePage> {
  return call<CasePage>({ path: '/cases', query, signal });
}

export function readCase(caseId: string, signal: AbortSignal): Promise<ActionableCase> {
  return call<ActionableCase>({ path: `/cases/${caseId}`, signal });
}

export function listCaseAudit(caseId: string, query: Query, signal: AbortSignal): Promise<AuditPage> {
  return call<AuditPage>({ path: `/cases/${caseId}/audit`, query, signal });
}

/** All of it, oldest first. */
export async function listWholeCaseAudit(caseId: string): Promise<AuditEntrySummary[]> {
  const all: AuditEntrySummary[] = [];
  for (let afterEntry: number | null = 0; afterEntry !== null; ) {
    const page: AuditPage = await call<AuditPage>({
      path: `/cases/${caseId}/audit`,
      query: { limit: 1000, afterEntry },
    });
    all.push(...page.entries);
    afterEntry = page.nextAfterEntry;
  }
  return all;
}

/** With all values that were ever given: the audit trail says who has taken it. */
export function exportCase(caseId: string): Promise<CaseExport> {
  return call<CaseExport>({ method: 'POST', path: `/cases/${caseId}/export` });
}

export function submitApplicants(form: FormData): Promise<SubmittedApplicants> {
  return call<SubmittedApplicants>({ method: 'POST', path: '/cases', body: form });
}

export function supplyCase(caseId: string, form: FormData): Promise<SuppliedCase> {
  return call<SuppliedCase>({ method: 'POST', path: `/cases/${caseId}/supply`, body: form });
}

/** `verb`: withdraw, retry, erase, resolution, resolution/confirm or resolution/deny. */
export function actOnCase(caseId: string, verb: string, body?: unknown): Promise<unknown> {
  return call({ method: 'POST', path: `/cases/${caseId}/${verb}`, body });
}

export async function listPauses(signal: AbortSignal): Promise<SignUpPauses['pauses']> {
  return (await call<SignUpPauses>({ path: '/sign-ups/pauses', signal })).pauses;
}

export function resumeSignUps(body: SignUpResumptionRequest): Promise<ResumedSignUps> {
  return call<ResumedSignUps>({ method: 'POST', path: '/sign-ups/resume', body });
}
