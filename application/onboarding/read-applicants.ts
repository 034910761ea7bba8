import { UnreadableFile } from '../payment-file/file-problem.ts';
import { type ApplicantsFile, type FormProblem, NOTHING_NEW_FIX, type ReadApplicants } from './applicants-file.ts';
import { readApplicantCsv } from './read-applicant-csv.ts';
import { readApplicantTree } from './read-applicant-tree.ts';

/**
 * Reads a file of applicants, without checking what its values mean. Every value stays the text that was written.
 * `isComplete`: the file is of new applicants, not of new values for one.
 */
export function readApplicants(file: ApplicantsFile, { isComplete }: { isComplete: boolean }): ReadApplicants {
  try {
    if (file.format === 'csv') return readApplicantCsv(file.content, { isComplete });
    return readApplicantTree(file.content, file.format);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const problem = formProblem(error, file.format);
    if (!isComplete && problem.code === 'empty_file') problem.fix = NOTHING_NEW_FIX;
    return { applicants: null, problems: [problem] };
  }
}

/** The texts of some problems speak of a CSV. */
function formProblem({ fileProblem }: UnreadableFile, format: ApplicantsFile['format']): FormProblem {
  const { code, problem, fix, line, column } = fileProblem;
  const isOfEncoding = ['not_utf8', 'utf16', 'workbook', 'zero_byte'].includes(code);
  return {
    code,
    line: line === 0 ? null : line,
    field: column,
    problem: format === 'csv' ? problem : problem.replace('not a CSV', 'not a text'),
    fix: format !== 'csv' && isOfEncoding ? 'save it as a text file in UTF-8' : fix,
  };
}
