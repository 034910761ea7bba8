import { z } from 'zod';
import type { RowProblem as DomainRowProblem } from '../../domain/payment-file/row-problem.ts';

export const rowProblemSchema = z
  .object({
    line: z.int().describe('Line of the file, from 1; 0: the problem is of the file as a whole.'),
    rowRef: z.string().nullable(),
    column: z.string().nullable().describe('Null: the whole line.'),
    header: z
      .string()
      .nullish()
      .describe('What the sheet calls the cells that fill the column; absent or null: the same, or no cell fills it.'),
    value: z.string().nullable(),
    problem: z.string(),
    fix: z.string(),
    code: z.string().describe('Code for programs. A later version may have others.'),
  })
  .meta({
    id: 'RowProblem',
    description: 'One thing that is wrong with a payment file, and its fix.',
  }) satisfies z.ZodType<Omit<DomainRowProblem, 'code'> & { code: string }>;
export type RowProblem = z.infer<typeof rowProblemSchema>;

/** The `details` of the error `file_refused`. */
export const fileProblemsSchema = z.object({
  problems: z.array(rowProblemSchema).describe('The first 1,000.'),
  problemCount: z.int().describe('How many in all.'),
  sheetNames: z.array(z.string()).optional().describe('Of a workbook whose sheet was not chosen: those with content.'),
});
export type FileProblems = z.infer<typeof fileProblemsSchema>;
