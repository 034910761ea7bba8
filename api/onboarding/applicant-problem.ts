import { z } from 'zod';
import type { ApplicantProblem as DomainApplicantProblem } from '../../domain/onboarding/applicant-problem.ts';

export const applicantProblemSchema = z
  .object({
    file: z.string().nullable().describe("The applicants' file, or a document."),
    line: z.int().nullable().describe('Line of the file, from 1; null: the file as a whole.'),
    applicantRef: z.string().nullable(),
    field: z.string().nullable().describe('Field by its name in the file.'),
    value: z.string().nullable(),
    problem: z.string(),
    fix: z.string(),
    code: z.string().describe('Code for programs. A later version may have others.'),
  })
  .meta({
    id: 'ApplicantProblem',
    description: "One thing that is wrong with an applicants' file, and its fix.",
  }) satisfies z.ZodType<Omit<DomainApplicantProblem, 'code'> & { code: string }>;
export type ApplicantProblem = z.infer<typeof applicantProblemSchema>;

/** The `details` of the error `applicants_refused`. */
export const applicantProblemsSchema = z.object({
  problems: z.array(applicantProblemSchema).describe('The first 1,000.'),
  problemCount: z.int().describe('How many in all.'),
});
export type ApplicantProblems = z.infer<typeof applicantProblemsSchema>;
