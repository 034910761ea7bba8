import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Document, isMap, isPair, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { z } from 'zod';
import { closestName } from '../domain/closest-name.ts';
import type { Environment } from './environment.ts';
import { ConfigurationError } from './configuration-error.ts';
import { uploadHeadersByName } from './header-fields.ts';
import {
  dateFormat,
  hostNames,
  providerAddress,
  storageClassPrefix,
  uploadMethod,
  virtualAccountPath,
} from './provider-fields.ts';

/**
 * The accounts file: several accounts with the provider in one installation. It is `payrun.yaml` in the working
 * directory, or the file that PAYRUN_CONFIG names. Secrets are given by reference alone, as the path of a file that
 * holds them or the name of an environment variable.
 */

const FILE_NAME = 'payrun.yaml';

/** As PAYRUN_CONFIG: no accounts file is read, also if there is one. */
export const NO_ACCOUNTS_FILE = 'none';

/** What a worker needs to sign in; a server never reads them. */
export const CREDENTIALS = ['api_key', 'access_key_id', 'secret_access_key'] as const;
const WEBHOOK_SECRETS = ['webhook_token', 'webhook_headers'] as const;
const SECRETS = [...CREDENTIALS, ...WEBHOOK_SECRETS] as const;
export type SecretName = (typeof SECRETS)[number];

const path = z.string().min(1);
const reference = z.object(
  Object.fromEntries(SECRETS.flatMap((name) => [`${name}_file`, `${name}_env`]).map((name) => [name, path.optional()])),
).shape as Record<`${SecretName}_file` | `${SecretName}_env`, z.ZodOptional<z.ZodString>>;

const limit = z.int('give a whole number').min(0);

const ACCOUNT_FIELDS = {
  api_url: providerAddress,
  ...reference,
  /** Workers alone need what is in it. */
  ca_file: path.optional(),
  requests_per_second: limit.default(5),
  requests_per_day: limit.default(432_000),
  requests_reserved_per_day: limit.optional(),
  upload_hosts: hostNames.optional(),
  upload_method: uploadMethod.optional(),
  upload_headers: uploadHeadersByName.optional(),
  date_format: dateFormat.optional(),
  storage_class_prefix: storageClassPrefix.optional(),
  virtual_account_path: virtualAccountPath.optional(),
};

const ACCOUNT = z.strictObject(ACCOUNT_FIELDS).superRefine((account, context) => {
  for (const name of CREDENTIALS) {
    if (account[`${name}_file`] === undefined && account[`${name}_env`] === undefined) {
      context.addIssue({ code: 'custom', path: [], message: `${name}_file or ${name}_env is missing` });
    }
  }
  for (const name of SECRETS) {
    if (account[`${name}_file`] !== undefined && account[`${name}_env`] !== undefined) {
      const message = `${name} is given twice, also as ${name}_file: give one of them`;
      context.addIssue({ code: 'custom', path: [`${name}_env`], message });
    }
  }
  const { requests_per_day: perDay, requests_reserved_per_day: reserved } = account;
  if (perDay > 0 && reserved !== undefined && reserved >= perDay) {
    const message = 'give fewer than requests_per_day, or nothing is begun';
    context.addIssue({ code: 'custom', path: ['requests_reserved_per_day'], message });
  }
});

/** It names task queues, files and addresses. */
const accountName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'give an account a name of small letters, digits and hyphens, at most 31');

const ACCOUNTS_FILE = z.strictObject({
  accounts: z.record(accountName, ACCOUNT).refine((accounts) => Object.keys(accounts).length > 0, 'name an account'),
});

const TOP_KEYS = ['accounts'];
const ACCOUNT_KEYS = Object.keys(ACCOUNT_FIELDS);

export type AccountEntry = z.output<typeof ACCOUNT>;

export interface AccountsFile {
  path: string;
  accounts: Record<string, AccountEntry>;
}

/** Where the accounts file is; undefined: there is none, and the environment names the only account. */
export function accountsFilePath({ PAYRUN_CONFIG: named }: Environment, workingDirectory: string): string | undefined {
  if (named === NO_ACCOUNTS_FILE) return undefined;
  if (named !== undefined) return resolve(workingDirectory, named);
  const beside = join(workingDirectory, FILE_NAME);
  return existsSync(beside) ? beside : undefined;
}

/** @throws ConfigurationError with a line for every wrong key and value, in the order of the file; never with a value */
export function readAccountsFile(file: string): AccountsFile {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    throw new ConfigurationError(`${file}: the accounts file cannot be read`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const problems = document.errors.map(({ pos: [at], code }) => ({
    line: lines.linePos(at).line,
    problem: notYaml(code.toLowerCase().replaceAll('_', ' ')),
  }));
  if (problems.length > 0) throw wrongFile(file, problems);
  const read = ACCOUNTS_FILE.safeParse(contentOf(document, file, lines), { reportInput: false });
  if (read.success) {
    const accounts = Object.entries(read.data.accounts).map(([name, entry]) => [name, withPaths(entry, dirname(file))]);
    return { path: file, accounts: Object.fromEntries(accounts) as Record<string, AccountEntry> };
  }
  const lineOf = (place: readonly PropertyKey[]): number => {
    const node = nodeAt(document.contents, place);
    return node?.range === undefined || node.range === null ? 1 : lines.linePos(node.range[0]).line;
  };
  throw wrongFile(
    file,
    read.error.issues.flatMap((issue) => problemsOf(issue, lineOf)),
  );
}

const notYaml = (why: string): string => `this is not YAML (${why})`;

/** The document as plain values. @throws ConfigurationError with the line of every alias that refers to nothing */
function contentOf(document: Document, file: string, lines: LineCounter): unknown {
  const aliases: Problem[] = [];
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      const { line } = lines.linePos(alias.range?.[0] ?? 0);
      aliases.push({ line, problem: notYaml('put a value that begins with * in quotes') });
    },
  });
  if (aliases.length > 0) throw wrongFile(file, aliases);
  try {
    return document.toJS();
  } catch {
    throw wrongFile(file, [{ line: 1, problem: notYaml('its aliases are too many to resolve') }]);
  }
}

/** The environment variables that hold the credentials of the accounts, which a server must not have. */
export function credentialVariables({ accounts }: AccountsFile): string[] {
  return Object.values(accounts).flatMap((entry) => CREDENTIALS.flatMap((name) => entry[`${name}_env`] ?? []));
}

interface Problem {
  line: number;
  problem: string;
}

function wrongFile(file: string, problems: readonly Problem[]): ConfigurationError {
  const sorted = [...problems].sort((a, b) => a.line - b.line);
  return new ConfigurationError(sorted.map(({ line, problem }) => `${file}:${line}: ${problem}`).join('\n'));
}

function problemsOf(issue: z.core.$ZodIssue, lineOf: (place: readonly PropertyKey[]) => number): Problem[] {
  const place = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      line: lineOf([...issue.path, key]),
      problem: `${[...issue.path, key].join('.')}: ${unknownKey(key, issue.path.length === 0 ? TOP_KEYS : ACCOUNT_KEYS)}`,
    }));
  }
  const message = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message;
  return [{ line: lineOf(issue.path), problem: place === '' ? message : `${place}: ${message}` }];
}

function unknownKey(key: string, known: readonly string[]): string {
  if ((SECRETS as readonly string[]).includes(key)) {
    return `a secret does not belong in this file: give ${key}_file, the path of a file that holds it, or ${key}_env`;
  }
  const meant = closestName(key, known);
  return meant === null ? 'there is no such key' : `there is no such key: did you mean ${meant}?`;
}

/** The node of a key (for its line), or the deepest one that is there. */
function nodeAt(contents: Node | null, place: readonly PropertyKey[]): Node | null {
  let node = contents;
  for (const key of place) {
    if (!isMap(node)) return node;
    const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
    if (pair === undefined) return node;
    if (key === place.at(-1)) return pair.key as Node;
    node = pair.value as Node | null;
  }
  return node;
}

/** Paths in the file are relative to the file. */
function withPaths(entry: AccountEntry, folder: string): AccountEntry {
  const isPath = (name: string): boolean => name.endsWith('_file');
  return Object.fromEntries(
    Object.entries(entry).map(([name, value]) => [
      name,
      isPath(name) && typeof value === 'string' ? resolve(folder, value) : value,
    ]),
  ) as AccountEntry;
}
