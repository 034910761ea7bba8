import { z } from 'zod';
import { CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { countInQuery, instant, person } from '../fields.ts';
import { onboardingHoldSchema } from './onboarding-hold.ts';

const caseStateSchema = z.enum(CASE_STATES);
export type CaseState = z.infer<typeof caseStateSchema>;

export const caseSummarySchema = z
  .object({
    caseId: z.string(),
    account: z.string(),
    applicantRef: z.string().describe("The team's own reference of the applicant."),
    accountType: z.enum(['individual', 'company']),
    state: caseStateSchema,
    stateReason: z.string().nullable().describe('A code: why the case is in this state.'),
    isExistingUser: z.boolean().describe('The user existed with the provider before the case.'),
    revision: z.int().describe('What was supplied last; from 1.'),
    missing: z.array(z.string()).describe('Names of the fields and documents that are asked for.'),
    providerStatus: z
      .string()
      .nullable()
      .describe(
        'Status of the user, as the provider writes it; `unlisted`: one that payrun does not know; null: never seen.',
      ),
    submittedBy: person,
    submittedAt: instant,
    changedAt: instant,
    endedAt: instant.nullable(),
    waitingSince: instant.nullable().describe('When the case began to wait for the provider or an onboarder.'),
  })
  .meta({ id: 'Case', description: 'The onboarding of one applicant. It holds no personal data.' });
export type CaseSummary = z.infer<typeof caseSummarySchema>;

/** Case ids as they may appear in an address: anything else must not reach a query. */
export const caseId = z.guid('is not the id of a case').toLowerCase();
export const caseParams = z.object({ caseId });

export const caseListQuery = z.object({
  account: z.string().min(1).max(100).nullable().default(null).describe('Only cases of this account.'),
  state: caseStateSchema.nullable().default(null).describe('Only cases in this state.'),
  ref: z.string().min(1).max(200).nullable().default(null).describe('Only cases of this reference of the team.'),
  limit: countInQuery(1, 200, 50),
  after: caseId.nullable().default(null).describe('`nextAfter` of the previous page.'),
});
export type CaseListQuery = z.output<typeof caseListQuery>;

export const casePageSchema = z.object({
  cases: z.array(caseSummarySchema),
  nextAfter: z.string().nullable().describe('`after` of the next page; null: this is the last.'),
  counts: z
    .array(z.object({ state: caseStateSchema, count: z.int() }))
    .describe('How many cases have each state, of all pages and whatever state was asked for.'),
  holds: z.array(onboardingHoldSchema).describe('What keeps payrun from sending anything, of these accounts.'),
});
export type CasePage = z.infer<typeof casePageSchema>;
export type CaseList = Omit<CasePage, 'nextAfter'>;

export const caseAuditQuery = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
});
export type CaseAuditQuery = z.output<typeof caseAuditQuery>;
