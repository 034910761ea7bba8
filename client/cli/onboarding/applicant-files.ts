import { readdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { parse as parseCsv } from 'csv-parse/sync';
import { parse as parseYaml } from 'yaml';
import { type ApplicantFileFormat, formatOf, FORMATS_IN_WORDS } from '../../../api/onboarding/submission.ts';
import type { FileToSubmit } from '../../sdk/submission.ts';
import { WrongInput } from '../exit-code.ts';
import { type CommandIo, writeLine } from '../command-io.ts';
import { printable } from '../printable.ts';
import { FILE_COUNT_LIMIT } from '../../../api/runs/submission.ts';
import { cannotRead, readBytes, readNamedFile, readSupportingFiles } from '../runs/input-files.ts';
import { counted } from '../wording.ts';

export interface ApplicantFiles {
  fileName: string;
  content: Uint8Array;
  documents: FileToSubmit[];
  /** Names of documents that are not in the folder, or are there in other capitals. */
  notFound: string[];
  /** In which documents were looked for; null: in none. */
  folder: string | null;
}

/**
 * An applicants' file, with the documents that it names, from the folder; without a folder, those of a YAML or JSON file are
 * beside it; of a workbook, with all files of the folder. Documents that are not there are left out: the server says which are missing, with everything else.
 * Throws WrongInput when something cannot be read.
 */
export async function readApplicantFiles(
  cwd: string,
  file: string,
  folder: string | undefined,
): Promise<ApplicantFiles> {
  const format = formatOf(file);
  if (format === null) throw new WrongInput(`${file}: its name ${FORMATS_IN_WORDS}`);
  const content = await readBytes(resolve(cwd, file), file);
  const isBeside = folder === undefined && format !== 'sheet';
  if (isWorkbook(content)) return { fileName: basename(file), content, ...(await allDocuments(cwd, folder)) };
  const names = documentNamesIn(format, textOf(content));
  const place = isBeside ? dirname(file) : folder;
  const given = { fileName: basename(file), content };
  if (names.length === 0 && isBeside) return { ...given, documents: [], notFound: [], folder: null };
  if (place === undefined && names.length > 0) {
    throw new WrongInput(`${file} names ${counted(names.length, 'document')}: give their folder with --files`);
  }
  if (place === undefined) return { ...given, documents: [], notFound: [], folder: null };
  return { ...given, ...(await readDocuments(cwd, place, names)), folder: place };
}

/** Only the server reads workbooks. */
function isWorkbook(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 2)).toString('latin1') === 'PK';
}

/** As its byte order mark says, else as UTF-8: where it is neither, the server asks for that. */
function textOf(content: Uint8Array): string {
  const [first, second] = content;
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
  return new TextDecoder(encoding).decode(content);
}

/** All files of the folder: the server says which of them no applicant names. */
async function allDocuments(
  cwd: string,
  folder: string | undefined,
): Promise<Pick<ApplicantFiles, 'documents' | 'notFound' | 'folder'>> {
  if (folder === undefined) return { documents: [], notFound: [], folder: null };
  return { documents: await readSupportingFiles(cwd, folder), notFound: [], folder };
}

/**
 * The file names of documents in the text; none when it cannot be read as the format, which the server explains. The server
 * checks them as well: here they only say which files to send.
 */
function documentNamesIn(format: ApplicantFileFormat, text: string): string[] {
  try {
    const names = format === 'sheet' ? namesInCsv(text) : namesIn(format === 'json' ? JSON.parse(text) : textsOf(text));
    return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))];
  } catch {
    return [];
  }
}

/** YAML with every value as text, so that a file name like 2024 stays one. */
function textsOf(text: string): unknown {
  return parseYaml(text, { schema: 'failsafe', logLevel: 'silent' }) as unknown;
}

function namesIn(applicant: unknown): string[] {
  const values = isRecord(applicant) ? Object.entries(applicant) : [];
  return values
    .filter(([key]) => /^\s*documents\s*$/i.test(key))
    .flatMap(([, documents]) => (isRecord(documents) ? Object.values(documents) : []))
    .filter((name) => typeof name === 'string');
}

function namesInCsv(text: string): string[] {
  const [, named, table = ''] = /^(?:sep=(.)\r?\n)?([^]*)$/i.exec(text) ?? [];
  const delimiter = named ?? [',', ';', '\t', '|'].find((sign) => table.split('\n', 1)[0]?.includes(sign)) ?? ',';
  const [header = [], ...lines] = parseCsv(table, { delimiter, relax_column_count: true, skip_empty_lines: true });
  const columns = [...header.keys()].filter((at) => /^\s*document_/i.test(header[at] ?? ''));
  return lines.flatMap((line) => columns.map((at) => line[at] ?? ''));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * The regular files of the folder that have one of the names. No name leads out of the folder: only its own entries are
 * read, and no links. A name counts as equal in whichever way its accents are encoded, and is sent as it was mentioned.
 */
async function readDocuments(
  cwd: string,
  folder: string,
  names: readonly string[],
): Promise<{ documents: FileToSubmit[]; notFound: string[] }> {
  const path = resolve(cwd, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw cannotRead(folder, error);
  });
  const files = new Map(entries.filter((entry) => entry.isFile()).map(({ name }) => [name.normalize(), name]));
  const found = names.flatMap((name) => {
    const entry = files.get(name.normalize());
    return entry === undefined ? [] : [{ name, entry }];
  });
  const notFound = names.filter((name) => !files.has(name.normalize()));
  // Under the name that they have: the server says that the other one is written in other capitals.
  const similar = [...files.values()].filter((entry) => notFound.some((name) => differsInCapitals(name, entry)));
  found.push(
    ...similar.filter((entry) => found.every(({ name }) => name !== entry)).map((entry) => ({ name: entry, entry })),
  );
  if (found.length > FILE_COUNT_LIMIT) {
    throw new WrongInput(
      `${found.length} documents are named: a submission takes at most ${FILE_COUNT_LIMIT}, so split the file`,
    );
  }
  const documents: FileToSubmit[] = [];
  for (const { name, entry } of found) documents.push(await readNamedFile(join(path, entry), name));
  return { documents, notFound };
}

function differsInCapitals(one: string, other: string): boolean {
  return one.normalize() !== other.normalize() && one.normalize().toLowerCase() === other.normalize().toLowerCase();
}

/** Says where documents were looked for that are not there. Which applicants name them, the server says. */
export async function reportNotFound(io: CommandIo, { notFound, folder }: ApplicantFiles): Promise<void> {
  if (notFound.length === 0) return;
  const unlisted = notFound.length - MAX_NOT_FOUND;
  const names = notFound.slice(0, MAX_NOT_FOUND).join(', ');
  const more = unlisted > 0 ? ` and ${unlisted} more` : '';
  await writeLine(io.stderr, printable(`Not found in ${resolve(io.cwd, folder ?? '.')}: ${names}${more}`));
}

const MAX_NOT_FOUND = 10;
