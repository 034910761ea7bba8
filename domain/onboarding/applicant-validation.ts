import { shownValue } from '../payment-file/row-problem.ts';
import type { ApplicantKey } from './applicant-fields.ts';
import type { ApplicantProblemCode } from './applicant-problem-codes.ts';
import type { ApplicantProblem } from './applicant-problem.ts';
import type { RawApplicant, RawDocument } from './raw-applicant.ts';

/** What is wrong with a value, and how to fix it. The texts never repeat the value. */
export interface ValueIssue {
  code: ApplicantProblemCode;
  problem: string;
  fix: string;
}

/** One applicant during the validation: the values, trimmed, and the problems found so far. */
export class ApplicantValidation {
  readonly problems: ApplicantProblem[] = [];
  readonly raw: RawApplicant;
  readonly #file: string;
  readonly #accepted = new Map<ApplicantKey, string>();
  readonly #keysWithProblem: Set<ApplicantKey>;

  constructor(file: string, raw: RawApplicant) {
    this.#file = file;
    this.raw = raw;
    this.#keysWithProblem = new Set(raw.reported);
  }

  /** Trimmed; the empty string when the value is empty, null or not given. */
  text(key: ApplicantKey): string {
    return this.raw.values.get(key)?.text?.trim() ?? '';
  }

  /** The value in the form in which it is stored, as `accept` set it. */
  accepted(key: ApplicantKey): string | null {
    return this.#accepted.get(key) ?? null;
  }

  accept(key: ApplicantKey, value: string): void {
    this.#accepted.set(key, value);
  }

  /** Later rules skip a value with a problem, so that one mistake is reported once. */
  hasProblem(key: ApplicantKey): boolean {
    return this.#keysWithProblem.has(key);
  }

  addProblem(key: ApplicantKey, issue: ValueIssue): void {
    const given = this.raw.values.get(key);
    this.#keysWithProblem.add(key);
    this.#add(key, given?.line ?? this.raw.line, given?.text ?? null, issue);
  }

  /** Of a document that the file names. */
  addDocumentProblem({ field, line, text }: RawDocument, issue: ValueIssue): void {
    this.#add(field, line, text, issue);
  }

  /** Of a document type for which the file names no file. */
  addDocumentTypeProblem(type: string, issue: ValueIssue): void {
    this.#add(`${this.raw.documentPrefix}${type}`, this.raw.line, null, issue);
  }

  #add(field: string, line: number | null, value: string | null, { code, problem, fix }: ValueIssue): void {
    const applicantRef = this.text('applicant_ref');
    this.problems.push({
      code,
      file: this.#file,
      line,
      applicantRef: applicantRef === '' ? null : shownValue(applicantRef),
      field,
      value: value === null ? null : shownValue(value),
      problem,
      fix,
    });
  }
}
