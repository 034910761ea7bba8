import { z } from 'zod';
import { REQUEST_OUTCOMES } from '../../domain/payments/request-result.ts';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { stateSentencesSchema } from '../state-sentences.ts';
import { countInQuery, instant, person } from '../fields.ts';
import { caseManualOutcomeSchema } from './case-manual-outcome.ts';
import { caseId, caseSummarySchema } from './case.ts';
import { onboardingHoldSchema } from './onboarding-hold.ts';

const caseDocumentSchema = z.object({
  slot: z.string().describe('The document type, with a number for a further file: `passport`, `passport_2`.'),
  documentType: z.string(),
  contentType: z.string(),
  sizeBytes: z.int(),
  sha256: z.string().describe('SHA-256 of the content, in hex.'),
  revision: z.int().describe('The revision that brought the file.'),
  fileName: z.string().nullable().describe('Null: masked, or erased.'),
  state: z
    .enum(['pending', 'announced', 'uploaded', 'verified'])
    .describe('`verified`: the file that the provider has is the submitted one.'),
});
export type CaseDocument = z.infer<typeof caseDocumentSchema>;

const caseRemarkSchema = z.object({
  providerStatus: z.string(),
  text: z.string().nullable().describe('Null: masked, or erased.'),
  seenAt: instant,
});

const caseRequestSchema = z.object({
  operation: z.string(),
  revision: z.int(),
  slot: z.string().nullable().describe('Slot of the document; null: not a document.'),
  begunAt: instant,
  answeredAt: instant.nullable(),
  outcome: z.enum([...REQUEST_OUTCOMES, 'unknown']),
  httpStatus: z.int().nullable(),
});

const caseUploadSchema = z.object({
  slot: z.string(),
  revision: z.int(),
  uploadedAt: instant,
  verifiedAt: instant.nullable().describe('When the provider was seen to have this file; null: not yet.'),
});

export const caseDetailSchema = caseSummarySchema
  .extend({
    userId: z.string().nullable().describe("The provider's id of the user."),
    accountId: z.string().nullable().describe("The provider's id of the user's account."),
    unlistedStatus: z
      .string()
      .nullable()
      .describe("The provider's text, where `providerStatus` is `unlisted`: it may be about the person."),
    erasableFrom: instant.nullable().describe('When the personal data may be erased; null: the case has not ended.'),
    values: z
      .record(z.string(), z.string())
      .nullable()
      .describe('What was supplied, by the names of the file; null: masked, not asked for, or erased.'),
    documents: z.array(caseDocumentSchema),
    remarks: z.array(caseRemarkSchema).describe('What the provider wrote about the applicant.'),
    requests: z.array(caseRequestSchema).describe('What was sent to the provider, and what came of it.'),
    uploads: z.array(caseUploadSchema).describe('Files that were uploaded to the provider, of all revisions.'),
    holds: z.array(onboardingHoldSchema).describe('What keeps payrun from sending anything of this case now.'),
    withdrawn: z
      .object({
        by: person,
        at: instant,
        reason: z.string().nullable().describe('Null: none was given, or it was erased.'),
      })
      .nullable()
      .describe('Who withdrew the case; null: nobody.'),
    erased: z.object({ by: person, at: instant }).nullable().describe('Who destroyed the personal data; null: nobody.'),
    manualOutcomes: z.array(caseManualOutcomeSchema),
    sentences: stateSentencesSchema,
    isMasked: z
      .boolean()
      .describe('Values, file names and remarks need the permission read_applicants, and `values` not to be false.'),
  })
  .meta({ id: 'CaseDetail', description: 'The onboarding of one applicant, with what was supplied and sent.' });
export type CaseDetail = z.infer<typeof caseDetailSchema>;

export const actionableCaseSchema = caseDetailSchema
  .extend({ allowedActions: allowedActionsSchema })
  .meta({ id: 'ActionableCase' });
export type ActionableCase = z.infer<typeof actionableCaseSchema>;

/** The case without personal data, for users who may not read it, and for those who do not ask for it. */
export function maskedCase(detail: CaseDetail): CaseDetail {
  return {
    ...detail,
    values: null,
    unlistedStatus: null,
    documents: detail.documents.map((document) => ({ ...document, fileName: null })),
    remarks: detail.remarks.map((remark) => ({ ...remark, text: null })),
    isMasked: true,
  };
}

export const caseQuery = z.object({
  values: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true')
    .describe('`false`: without personal data, also for users who may read it.'),
});

export const caseDocumentParams = z.object({
  caseId,
  slot: z.string().regex(/^[a-z0-9_]{1,64}$/, 'is not the name of a document, such as passport_2'),
});

export const caseDocumentQuery = z.object({
  revision: countInQuery(1, 1_000_000, 0).describe('Revision that supplied the file; by default the last one.'),
});

const caseRevisionSchema = z.object({
  revision: z.int(),
  suppliedAt: instant,
  values: z.record(z.string(), z.string()).describe('All values as they were then, by the names of the file.'),
});

export const caseExportSchema = caseDetailSchema
  .extend({
    revisions: z.array(caseRevisionSchema).describe('Everything that was supplied, the first revision first.'),
    formerDocuments: z.array(caseDocumentSchema).describe('Files that later ones have replaced.'),
  })
  .meta({ id: 'CaseExport', description: 'Everything about an applicant, also what was supplied before.' });
export type CaseExport = z.infer<typeof caseExportSchema>;
