import { z } from 'zod';
import { CASE_STATES } from '../../domain/onboarding/case-state.ts';
import { onboardingHoldSchema } from './onboarding-hold.ts';
import { FILE_COUNT_LIMIT, FILE_LIMIT_BYTES } from '../runs/submission.ts';

/** Of the applicants' file: tens of thousands of applicants. The documents have the limits of supporting files. */
export const APPLICANTS_LIMIT_BYTES = 20 * 1024 * 1024;

const FORMATS = { csv: 'sheet', xlsx: 'sheet', yaml: 'yaml', yml: 'yaml', json: 'json' } as const;
export type ApplicantFileFormat = (typeof FORMATS)[keyof typeof FORMATS];

/** By the ending of the file's name; null: none of those that are read. */
export function formatOf(fileName: string): ApplicantFileFormat | null {
  const ending = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(FORMATS, ending) ? FORMATS[ending as keyof typeof FORMATS] : null;
}

/** Completes “the name of the file …”. */
export const FORMATS_IN_WORDS = 'must end in .csv, .xlsx, .yaml, .yml or .json, which says how it is read';

const binary = z.string().meta({ format: 'binary' });

const fileFields = {
  file: binary.describe(
    `The applicants: a CSV or .xlsx of one applicant a row, or one applicant as YAML or JSON, at most ${APPLICANTS_LIMIT_BYTES} bytes. Its name ${FORMATS_IN_WORDS}.`,
  ),
  documents: z
    .array(binary)
    .max(FILE_COUNT_LIMIT)
    .optional()
    .describe(`Documents by the names that the file mentions, at most ${FILE_LIMIT_BYTES} bytes each.`),
};

/** The fields of a submission beside its files. */
export const applicantsFieldsSchema = z.strictObject({
  account: z.string().min(1).max(100).nullable().default(null).describe("The provider's account to onboard with."),
  dryRun: z.enum(['true', 'false']).default('false').describe('`true`: only check the file; nothing is stored.'),
});

/** The whole form, as the description of the API shows it. */
export const applicantsFormSchema = applicantsFieldsSchema.extend(fileFields).meta({ id: 'ApplicantSubmission' });

export const submittedApplicantsSchema = z
  .object({
    cases: z
      .array(
        z.object({
          caseId: z.string(),
          applicantRef: z.string(),
          isNew: z
            .boolean()
            .describe('False: the account has a case of this reference already, which is left as it is.'),
          state: z.enum(CASE_STATES),
          differs: z
            .boolean()
            .nullable()
            .describe(
              'Of a case that is not new: the file has other values or documents than the case. They were not taken; a ' +
                'case that waits for an onboarder takes them by `supply`. Null: the case is new, or erased.',
            ),
        }),
      )
      .describe('In the order of the file.'),
    newCount: z.int(),
    warnings: z
      .array(z.object({ applicantRef: z.string(), code: z.string(), message: z.string() }))
      .describe('What was accepted, and is probably not meant. New cases alone.'),
    requestCount: z.int().describe('Requests to the provider that the new cases need until their screening.'),
    secondsToFinish: z.number().describe("Seconds until the last screening is requested, at the provider's limit."),
    holds: z.array(onboardingHoldSchema).describe('What keeps payrun from sending anything of the account now.'),
  })
  .meta({ id: 'SubmittedApplicants', description: 'An accepted submission; with `dryRun`, what it would be.' });
export type SubmittedApplicants = z.infer<typeof submittedApplicantsSchema>;

export const supplyFieldsSchema = z.strictObject({
  revision: z.coerce
    .number('must be a whole number')
    .int()
    .min(1)
    .describe('The revision of the case that was seen: 409 if somebody else has supplied something since.'),
});

export const supplyFormSchema = supplyFieldsSchema.extend(fileFields).meta({ id: 'CaseSupply' });

export const suppliedCaseSchema = z
  .object({ caseId: z.string(), revision: z.int().describe('The new one.') })
  .meta({ id: 'SuppliedCase' });
export type SuppliedCase = z.infer<typeof suppliedCaseSchema>;
