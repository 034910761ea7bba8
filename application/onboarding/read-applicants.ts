import { UnreadableFile } from '../payment-file/file-problem.ts';
import { type ApplicantsFile, type FormProblem, NOTHING_NEW_FIX, type ReadApplicants } from './applicants-file.ts';
import { readApplicantSheet } from './read-applicant-sheet.ts';
import { readApplicantTree } from './read-applicant-tree.ts';

/**
 * Reads a file of applicants, without checking what its values mean. Every value stays the text that was written.
 * `isComplete`: the file is of new applicants, not of new values for one.
 */
export async function readApplicants(
  file: ApplicantsFile,
  { isComplete }: { isComplete: boolean },
): Promise<ReadApplicants> {
  try {
    if (file.format === 'sheet') return await readApplicantSheet(file.content, { isComplete });
    return await readApplicantTree(file.content, file.format);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const problem = formProblem(error);
    if (!isComplete && problem.code === 'empty_file') problem.fix = NOTHING_NEW_FIX;
    return { applicants: null, problems: [problem] };
  }
}

function formProblem({ fileProblem: { code, problem, fix, line, column } }: UnreadableFile): FormProblem {
  return { code, line: line === 0 ? null : line, field: column, problem, fix };
}
