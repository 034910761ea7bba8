import type { ApplicantKey } from './applicant-fields.ts';

/** A value as the file has it. */
export interface RawValue {
  /** From 1; null: the value is recorded, not in the file. */
  line: number | null;
  /** Exactly as written; null: the file gives null, which removes a value. */
  text: string | null;
}

/** A document as the file names it. */
export interface RawDocument extends RawValue {
  /** The key or column: `documents.passport`, `document_passport`. */
  field: string;
}

/** One applicant of a file as read, before any check. */
export interface RawApplicant {
  /** The line of a CSV on which the applicant begins, from 1; null: the file has one applicant. */
  line: number | null;
  values: ReadonlyMap<ApplicantKey, RawValue>;
  /** By slot. */
  documents: ReadonlyMap<string, RawDocument>;
  /** What stands before a document type in its key or column. */
  documentPrefix: 'documents.' | 'document_';
  /** Keys whose problem is reported already: that they have no value is no further problem. */
  reported: ReadonlySet<ApplicantKey>;
  /** Document types that are given under another name, which is reported already. */
  misnamedTypes: ReadonlySet<string>;
}
