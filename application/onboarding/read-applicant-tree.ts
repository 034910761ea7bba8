import { type ApplicantKey, isApplicantKey } from '../../domain/onboarding/applicant-fields.ts';
import type { RawDocument, RawValue } from '../../domain/onboarding/raw-applicant.ts';
import { shownValue } from '../../domain/payment-file/row-problem.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { fileText } from './file-text.ts';
import { documentTarget, keyTarget, plainName } from './applicant-keys.ts';
import { type FormProblem, MAX_TREE_BYTES, type ReadApplicants } from './applicants-file.ts';
import type { TreeEntry, TreeValue } from './file-tree.ts';
import { readJsonTree } from './read-json-tree.ts';
import { readYamlTree } from './read-yaml-tree.ts';

/** The one applicant of a YAML or JSON file. Throws UnreadableFile for a file that is too large, empty or not UTF-8. */
export async function readApplicantTree(content: Uint8Array, format: 'yaml' | 'json'): Promise<ReadApplicants> {
  if (content.byteLength > MAX_TREE_BYTES) {
    const problem = `the file is larger than ${MAX_TREE_BYTES} bytes`;
    throw new UnreadableFile({ line: 0 }, 'file_too_large', problem, 'submit one applicant in each file');
  }
  const text = await fileText(content);
  if (text.trim() === '') throw emptyFile();
  const { root, problems } = format === 'json' ? readJsonTree(text) : readYamlTree(text);
  if (root === null) return { applicants: null, problems };
  if (root.kind === 'group') return applicantOf(root.entries, problems);
  if (root.kind === 'null' && format === 'yaml') throw emptyFile();
  return { applicants: null, problems: [root.kind === 'list' ? listOfApplicants(format) : notAnApplicant(format)] };
}

const emptyFile = (): UnreadableFile =>
  new UnreadableFile({ line: 1 }, 'empty_file', 'the file is empty', 'write one applicant into it');

function listOfApplicants(format: 'yaml' | 'json'): FormProblem {
  return {
    code: 'several_applicants',
    line: null,
    field: null,
    problem: `a ${format.toUpperCase()} file has one applicant, and this one has a list`,
    fix: 'use a CSV for many applicants, with one on each line',
  };
}

function notAnApplicant(format: 'yaml' | 'json'): FormProblem {
  return {
    code: 'not_an_applicant',
    line: null,
    field: null,
    problem: 'the file does not consist of keys with values',
    fix: format === 'yaml' ? 'write one key: value on each line' : 'write one object, in braces',
  };
}

/** Collects the values and documents of the entries. */
function applicantOf(entries: readonly TreeEntry[], formProblems: readonly FormProblem[]): ReadApplicants {
  const problems = [...formProblems];
  const values = new Map<ApplicantKey, RawValue>();
  const documents = new Map<string, RawDocument>();
  const reported = new Set<ApplicantKey>(
    formProblems.flatMap(({ field }) => (field !== null && isApplicantKey(field) ? field : [])),
  );
  const misnamedTypes = new Set<string>();
  const seen = new Set<string>();
  const add = (problem: FormProblem): unknown => problems.push(problem);
  for (const { key, line, value } of entries) {
    const name = plainName(key);
    const field = shownValue(name);
    const target = keyTarget(name);
    if (seen.has(name)) add({ ...REPEATED, line, field });
    else if (target.kind === 'problem') {
      add({ code: target.code, line, field, problem: target.problem, fix: target.fix });
      if (target.documentType !== undefined) misnamedTypes.add(target.documentType);
    } else if (target.kind === 'documents') addDocuments(value, line, { documents, misnamedTypes }, add);
    else if (target.kind === 'field') {
      const text = textOf(value);
      if (text !== undefined) values.set(target.key, { line, text });
      else {
        reported.add(target.key);
        add({ code: 'not_text', line, field, problem: `${field} is a list or a group of keys`, fix: 'give one text' });
      }
    }
    seen.add(name);
  }
  return {
    applicants: [{ line: null, values, documents, documentPrefix: 'documents.', reported, misnamedTypes }],
    problems,
  };
}

const REPEATED: Pick<FormProblem, 'code' | 'problem' | 'fix'> = {
  code: 'repeated_field',
  problem: 'the file has this key twice',
  fix: 'keep one of them',
};

function addDocuments(
  value: TreeValue,
  line: number,
  { documents, misnamedTypes }: { documents: Map<string, RawDocument>; misnamedTypes: Set<string> },
  add: (problem: FormProblem) => unknown,
): void {
  if (value.kind === 'null') return;
  if (value.kind !== 'group') {
    const problem = 'documents does not consist of document types, each with the name of a file';
    add({ code: 'not_text', line, field: 'documents', problem, fix: 'write for example passport: anna-passport.pdf' });
    return;
  }
  for (const entry of value.entries) {
    const slot = plainName(entry.key);
    const field = shownValue(`documents.${slot}`);
    const target = documentTarget(slot, 'documents.');
    const text = textOf(entry.value);
    const place = { line: entry.line, field };
    if (documents.has(slot)) add({ ...REPEATED, ...place });
    else if (target.kind === 'problem') {
      add({ ...place, code: target.code, problem: target.problem, fix: target.fix });
      if (target.documentType !== undefined) misnamedTypes.add(target.documentType);
    } else if (text === undefined) {
      add({
        ...place,
        code: 'not_text',
        problem: `${field} is a list or a group of keys`,
        fix: 'give the name of a file',
      });
    } else documents.set(slot, { field, line: entry.line, text });
  }
}

/** Undefined: it is no text. */
function textOf(value: TreeValue): string | null | undefined {
  if (value.kind === 'text') return value.text;
  return value.kind === 'null' ? null : undefined;
}
