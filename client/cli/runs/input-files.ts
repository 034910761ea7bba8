import { openAsBlob } from 'node:fs';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Profile, profileSchema } from '../../../domain/import-profiles/profile.ts';
import type { FileToSubmit } from '../../sdk/submission.ts';
import { FILE_COUNT_LIMIT, FILE_LIMIT_BYTES } from '../../../api/runs/submission.ts';
import { WrongInput } from '../exit-code.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
};

/** A payment file, which is read as it is sent: it may be large. Throws WrongInput when it cannot be read. */
export async function openPaymentFile(cwd: string, path: string): Promise<{ fileName: string; file: Blob }> {
  const whole = resolve(cwd, path);
  const file = await open(whole).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  try {
    // A folder can be opened, and not read.
    await file.read(Buffer.alloc(1), 0, 1, 0);
  } catch (error) {
    throw cannotRead(path, error);
  } finally {
    await file.close();
  }
  return { fileName: basename(path), file: await openAsBlob(whole) };
}

/** The files of a folder, without those of its subfolders. */
export async function readSupportingFiles(cwd: string, folder: string): Promise<FileToSubmit[]> {
  const path = resolve(cwd, folder);
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    throw cannotRead(folder, error);
  });
  const names = entries.filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.')).map(({ name }) => name);
  if (names.length > FILE_COUNT_LIMIT) {
    throw new WrongInput(`${folder} holds ${names.length} files: a submission takes at most ${FILE_COUNT_LIMIT}`);
  }
  const files: FileToSubmit[] = [];
  for (const name of names.sort()) files.push(await readSupportingFile(join(path, name), name));
  return files;
}

/** A file to send under a name. Throws WrongInput when it cannot be read, or is larger than the provider accepts. */
export async function readSupportingFile(path: string, name: string): Promise<FileToSubmit> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (size > FILE_LIMIT_BYTES) {
    throw new WrongInput(`${path} has ${size} bytes: the provider takes at most ${FILE_LIMIT_BYTES}`);
  }
  return { name, contentType: contentTypeOf(name), bytes: await readBytes(path, path) };
}

/**
 * A file as `readSupportingFile` has it, whatever its size: of one that is too large, as much as shows the server that it is.
 * The server then says which applicant names it, with everything else that is wrong.
 */
export async function readNamedFile(path: string, name: string): Promise<FileToSubmit> {
  const { size } = await stat(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  if (size <= FILE_LIMIT_BYTES) return readSupportingFile(path, name);
  const file = await open(path).catch((error: unknown) => {
    throw cannotRead(path, error);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(FILE_LIMIT_BYTES + 1), 0, FILE_LIMIT_BYTES + 1, 0);
    return { name, contentType: contentTypeOf(name), bytes: buffer.subarray(0, bytesRead) };
  } finally {
    await file.close();
  }
}

function contentTypeOf(name: string): string {
  return CONTENT_TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream';
}

/** A profile, as `payrun prepare` writes it. Throws WrongInput that names the file and the place. */
export async function readProfile(cwd: string, path: string): Promise<Profile> {
  const text = Buffer.from(await readBytes(resolve(cwd, path), path)).toString('utf8');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new WrongInput(`${path} is not JSON: payrun prepare writes a profile`);
  }
  const read = profileSchema.safeParse(json);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new WrongInput(`${path}, ${issue?.path.join('.') || 'as a whole'}: ${issue?.message ?? 'is not a profile'}`);
}

/**
 * Names with their values, from a JSON object or a CSV of two columns (whose first line may be `header`, such as
 * `column,value`). Throws WrongInput that names the file and the place.
 */
export async function readPairs(
  cwd: string,
  path: string,
  header: readonly [string, string],
): Promise<Record<string, string>> {
  const text = Buffer.from(await readBytes(resolve(cwd, path), path))
    .toString('utf8')
    .replace(/^\ufeff/, '');
  return text.trimStart().startsWith('{') ? pairsOfJson(path, text) : pairsOfCsv(path, text, header);
}

function pairsOfJson(path: string, text: string): Record<string, string> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new WrongInput(`${path} is not JSON: write an object such as {"sell_currency": "SGD"}`);
  }
  const pairs = z.record(z.string(), z.string()).safeParse(json);
  if (pairs.success) return pairs.data;
  const names = pairs.error.issues.map((issue) => issue.path.join('.')).join(', ');
  throw new WrongInput(`${path}: ${names} must be text: put values in quotes, as in "100.00"`);
}

function pairsOfCsv(path: string, text: string, header: readonly [string, string]): Record<string, string> {
  let lines: string[][];
  try {
    lines = parse(text, { relax_column_count: true, skip_empty_lines: true, trim: true });
  } catch {
    throw new WrongInput(`${path} is neither a JSON object nor a CSV of two columns`);
  }
  if (lines[0]?.join() === header.join()) lines.shift();
  const pairs = new Map<string, string>();
  for (const [index, [name = '', value, ...rest]] of lines.entries()) {
    if (name === '' || value === undefined || rest.length > 0) {
      throw new WrongInput(`${path}, entry ${index + 1}: must have two columns, ${header.join(' and ')}`);
    }
    if (pairs.has(name)) throw new WrongInput(`${path}: ${name} occurs twice`);
    pairs.set(name, value);
  }
  return Object.fromEntries(pairs);
}

/** Throws WrongInput that names the file as it was given. */
export async function readBytes(path: string, shown: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    throw cannotRead(shown, error);
  }
}

export function cannotRead(path: string, error: unknown): WrongInput {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const reasons: Record<string, string> = {
    ENOENT: 'there is no such file or folder',
    EISDIR: 'it is a folder',
    ENOTDIR: 'it is not a folder',
    EACCES: 'this user may not read it',
  };
  return new WrongInput(`cannot read ${path}: ${reasons[String(code)] ?? String(code)}`);
}
