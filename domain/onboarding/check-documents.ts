import { MAX_FILE_BYTES } from '../payment-file/supporting-file.ts';
import { fileKindOf, type SupportedContentType } from '../payment-file/supporting-file-kind.ts';
import { shownValue } from '../payment-file/row-problem.ts';
import type { ApplicantDocument } from './applicant.ts';
import type { ApplicantValidation, ValueIssue } from './applicant-validation.ts';
import { textIssue } from './check-text.ts';
import { documentTypeOfSlot } from './choices.ts';

/** A document given beside the applicants' file. */
export interface ApplicantFile {
  sizeBytes: number;
  /** `FILE_KIND_BYTES` of them, or all of a shorter file. */
  firstBytes: Uint8Array;
}

export type NamedFile = ApplicantFile & { name: string };

const MAX_NAME_LENGTH = 255;

/** Some systems write é as two characters: names that look the same are the same. */
export function fileNameKey(name: string): string {
  return name.normalize('NFC');
}

export function filesByName(files: ReadonlyMap<string, ApplicantFile>): Map<string, NamedFile> {
  return new Map([...files].map(([name, file]) => [fileNameKey(name), { ...file, name }]));
}

/**
 * The documents that an applicant names, each checked against the files given (`filesByName`). Contract: account 2.6, 8.
 */
export function checkDocuments(
  applicant: ApplicantValidation,
  files: ReadonlyMap<string, NamedFile>,
): ApplicantDocument[] {
  const documents: ApplicantDocument[] = [];
  for (const [slot, document] of applicant.raw.documents) {
    const written = document.text?.trim() ?? '';
    const documentType = documentTypeOfSlot(slot);
    if (written === '' || documentType === null) continue;
    const file = files.get(fileNameKey(written));
    const issue = fileIssue(document.field, written, file ?? inOtherCapitals(written, files));
    if (issue !== null) applicant.addDocumentProblem(document, issue);
    // Counts as given even so: that it is wrong is reported already.
    documents.push({ slot, documentType, fileName: file?.name ?? written });
  }
  return documents;
}

/** The content type of each of these documents, by the name of its file. Their files were checked. */
export function contentTypesOf(
  documents: readonly ApplicantDocument[],
  files: ReadonlyMap<string, ApplicantFile>,
): Map<string, SupportedContentType> {
  const contentTypes = new Map<string, SupportedContentType>();
  for (const { fileName } of documents) {
    const contentType = fileKindOf(files.get(fileName)?.firstBytes ?? new Uint8Array()).contentType;
    if (contentType !== null) contentTypes.set(fileName, contentType);
  }
  return contentTypes;
}

/** The name of a file that was given in other capitals. */
function inOtherCapitals(written: string, files: ReadonlyMap<string, NamedFile>): string | undefined {
  const wanted = capitalsKey(written);
  return [...files.values()].find(({ name }) => capitalsKey(name) === wanted)?.name;
}

/** Equal for names that differ in upper and lower case alone. */
export function capitalsKey(name: string): string {
  return fileNameKey(name).toLowerCase();
}

/** Why a file cannot be sent as a document, or null. `file` is undefined when it was not given, or another name in other capitals. */
function fileIssue(field: string, fileName: string, file: ApplicantFile | string | undefined): ValueIssue | null {
  const issue = textIssue(field, fileName, MAX_NAME_LENGTH);
  if (issue !== null) return issue;
  if (/[/\\]/.test(fileName) || fileName === '.' || fileName === '..') {
    return {
      code: 'document_name',
      problem: 'the document is named with a folder',
      fix: 'give the name of the file alone',
    };
  }
  if (typeof file === 'string') {
    return {
      code: 'document_missing',
      problem: 'the file of this document was given in other capitals',
      fix: `write its name as the file has it: ${shownValue(file)}`,
    };
  }
  if (file === undefined) {
    return {
      code: 'document_missing',
      problem: 'the file of this document was not given',
      fix: 'put it into the folder of the documents, under exactly this name',
    };
  }
  if (file.sizeBytes === 0) {
    return { code: 'document_empty', problem: 'the file of this document is empty', fix: 'save it again' };
  }
  if (file.sizeBytes > MAX_FILE_BYTES) {
    return {
      code: 'document_too_large',
      problem: `the file of this document is larger than ${MAX_FILE_BYTES} bytes`,
      fix: 'make it smaller, for example by scanning it at a lower resolution',
    };
  }
  const { contentType, description } = fileKindOf(file.firstBytes);
  if (contentType !== null) return null;
  return {
    code: 'document_type',
    problem: `the file of this document is ${description}, not a PDF, PNG or JPEG`,
    fix: 'convert it, and give the converted file',
  };
}
