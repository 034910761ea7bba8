import { resolve } from 'node:path';
import { type CommandIo, writeJson, writeLine } from '../client/cli/command-io.ts';
import { expectConfirmed } from '../client/cli/confirm.ts';
import { EXIT, type ExitCode, NotAsRequested, ServiceUnreachable, WrongInput } from '../client/cli/exit-code.ts';
import { printable } from '../client/cli/printable.ts';
import { textTable } from '../client/cli/text-table.ts';
import { counted } from '../client/cli/wording.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { addDataKey } from '../config/data-key-file.ts';
import { dataKeyLine, newDataKey } from '../config/data-keys.ts';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { readDataKeys } from '../config/installation.ts';
import {
  type DataKeys,
  explainMissingKeys,
  type KeyUse,
  missingKeys,
  unusedFormerKeys,
} from '../domain/personal-data/data-keys.ts';
import { makeMailIndexAgain } from '../store/onboarding/mail-index.ts';
import type { Rewrapping } from '../store/personal-data/key-rotation.ts';
import { connected, readKeyUse, rotateKeys } from '../store/personal-data/owner-keys.ts';
import { ownerDatabase } from './owner-database.ts';

/** `payrun keys new`. @throws ConfigurationError when the file is wrong or cannot be written */
export async function makeKey(
  io: CommandIo,
  { file, json }: { file: string | undefined; json: boolean },
): Promise<void> {
  if (file === undefined) {
    const key = newDataKey();
    if (json) return writeJson(io, { id: key.id, key: dataKeyLine(key) });
    await writeLine(
      io.stderr,
      `Data key ${key.id}, shown only now. Keep a copy where a loss of the database cannot reach it:`,
    );
    return writeLine(io.stdout, dataKeyLine(key));
  }
  const path = resolve(io.cwd, file);
  const { key, former } = addDataKey(path);
  const formerIds = former.map(({ id }) => id);
  if (json) return writeJson(io, { id: key.id, file: path, former: formerIds });
  await writeLine(
    io.stdout,
    `Data key ${key.id} is now the current one in ${printable(path)}. Keep a copy of this file elsewhere.`,
  );
  if (formerIds.length === 0) return;
  await writeLine(
    io.stdout,
    `Former, still needed: ${formerIds.join(', ')}. Workers and servers that read this file know the new key from now on. Give it ` +
      'to every other copy of the file, and restart those that get their keys in PAYRUN_DATA_KEY; then: payrun keys rotate',
  );
}

/** `payrun keys check`. Returns the exit code: 2 if a key is missing. @throws WrongInput, ServiceUnreachable */
export async function checkKeys(io: CommandIo, { json }: { json: boolean }): Promise<ExitCode> {
  const environment = readEnvironment(io.env);
  const keys = keysOf(environment, io);
  const uses = await readKeyUse(databaseOf(environment, io)).catch(explained);
  const rows = keyRows(uses, keys);
  const missing = missingKeys(uses, keys);
  if (json) await writeJson(io, { keys: rows });
  else await writeLine(io.stdout, rows.length === 0 ? NO_KEYS : keyTable(rows));
  if (missing.length === 0) return EXIT.done;
  if (!json) await writeLine(io.stderr, `payrun: ${explainMissingKeys(missing)}`);
  return EXIT.wrongInput;
}

/** `payrun keys rotate`. @throws NotAsRequested when something could not be unwrapped; WrongInput, ServiceUnreachable */
export async function rotate(io: CommandIo, { json }: { json: boolean }): Promise<void> {
  const environment = readEnvironment(io.env);
  const keys = configuredKeys(environment, io);
  const url = databaseOf(environment, io);
  const result = await rotateKeys(url, keys).catch(explained);
  // Also what was added under a former key after the last pass.
  const noLongerNeeded = unusedFormerKeys(await readKeyUse(url).catch(explained), keys);
  if (json) await writeJson(io, { key: keys.current.id, ...result, noLongerNeeded });
  else await writeLine(io.stdout, rotationText(keys, result, noLongerNeeded));
  if (result.unreadable.length > 0) throw new NotAsRequested('not everything could be rewrapped: payrun keys check');
}

/** `payrun keys reindex`. @throws WrongInput when the secret can be read; ServiceUnreachable */
export async function reindex(io: CommandIo, { yes, json }: { yes: boolean; json: boolean }): Promise<void> {
  const environment = readEnvironment(io.env);
  const keys = configuredKeys(environment, io);
  if (!yes) {
    await expectConfirmed(
      io,
      'Cases that cannot be read are not recognised by their mail address afterwards. Make the index again?',
    );
  }
  const made = await connected(databaseOf(environment, io), (owner) => makeMailIndexAgain(owner, keys)).catch(
    explained,
  );
  if (made === null) throw new WrongInput('the secret that recognizes mail addresses can be read: nothing was done');
  const { found, lost } = made;
  await (json
    ? writeJson(io, made)
    : writeLine(
        io.stdout,
        `${counted(found, 'case')} recognised by the mail address again; ${counted(lost, 'case')} cannot be read, and not recognised.`,
      ));
}

function rotationText(
  keys: DataKeys,
  { rewrapped, current, unreadable }: Rewrapping,
  noLongerNeeded: string[],
): string {
  return [
    `${counted(rewrapped, 'key')} of cases, runs and secrets rewrapped; data key ${keys.current.id} wraps ${current} now.`,
    'Workers and servers that read a file of keys take the new key from there; one that was started with PAYRUN_DATA_KEY and ' +
      'without this key cannot read cases or pay runs until it is restarted.',
    ...unreadable.map(
      ({ wrappedBy, count }) =>
        `${counted(count, 'key')} wrapped by ${wrappedBy} could not be read: ` +
        (keys.all.some(({ id }) => id === wrappedBy) ? 'damaged, or exchanged.' : 'that data key is not configured.'),
    ),
    ...(noLongerNeeded.length === 0
      ? []
      : [
          `No longer needed: ${noLongerNeeded.join(', ')}. First back up case_keys, run_keys and data_secrets again, as the backups until ` +
            'now need them; then remove their lines, and start every worker and server again.',
        ]),
  ].join('\n');
}

interface KeyRow extends Omit<KeyUse, 'wrappedBy' | 'openRunSince'> {
  id: string;
  /** Null: it is needed, and not configured. */
  configured: 'current' | 'former' | null;
}

/** The configured keys, and then those that are missing. */
function keyRows(uses: readonly KeyUse[], keys: DataKeys | null): KeyRow[] {
  const configured = (keys?.all ?? []).map(({ id }): KeyRow => {
    const {
      cases = 0,
      runs = 0,
      secrets = 0,
      endpoints = 0,
      totps = 0,
    } = uses.find(({ wrappedBy }) => wrappedBy === id) ?? {};
    return { id, configured: id === keys?.current.id ? 'current' : 'former', cases, runs, secrets, endpoints, totps };
  });
  const missing = missingKeys(uses, keys).map(
    ({ wrappedBy, cases, runs, secrets, endpoints, totps }): KeyRow => ({
      ...{ id: wrappedBy, configured: null, cases, runs },
      ...{ secrets, endpoints, totps },
    }),
  );
  return [...configured, ...missing];
}

const NO_KEYS = 'No data key is configured, and none is needed: nothing is encrypted.';

const COLUMNS = [
  { title: 'Data key' },
  { title: 'Configured' },
  { title: 'Cases', align: 'right' },
  { title: 'Runs', align: 'right' },
  { title: 'Secrets', align: 'right' },
  { title: 'Webhooks', align: 'right' },
  { title: 'Apps', align: 'right' },
  { title: '' },
] as const;

function keyTable(rows: readonly KeyRow[]): string {
  return textTable(
    COLUMNS,
    rows.map(({ id, configured, cases, runs, secrets, endpoints, totps }) => [
      id,
      configured ?? 'MISSING',
      String(cases),
      String(runs),
      String(secrets),
      String(endpoints),
      String(totps),
      configured === 'former' && cases + runs + secrets + endpoints + totps === 0 ? 'no longer needed' : '',
    ]),
  );
}

/** The keys of the installation whose database it is: those of a running payrun are not for one that the environment names. */
function keysOf(environment: Environment, io: CommandIo): DataKeys | null {
  const { PAYRUN_OWNER_DATABASE_URL: ownerUrl, PAYRUN_DATA_KEY: given } = environment;
  return ownerUrl === undefined ? readDataKeys(environment, io.cwd) : (given ?? null);
}

/** @throws ConfigurationError when there is none */
function configuredKeys(environment: Environment, io: CommandIo): DataKeys {
  const keys = keysOf(environment, io);
  if (keys !== null) return keys;
  throw new ConfigurationError("no data key is configured: set PAYRUN_DATA_KEY_FILE ('payrun keys new')");
}

/** As its owner where the environment names one; a login of its own is enough to check. */
function databaseOf(environment: Environment, io: CommandIo): string {
  return environment.PAYRUN_OWNER_DATABASE_URL ?? environment.DATABASE_URL ?? ownerDatabase(environment, io.cwd);
}

const UNDEFINED_TABLE = '42P01';
const INSUFFICIENT_PRIVILEGE = '42501';

/** Errors of a connection, which have no code. */
const CONNECTION = /connection|timeout/i;

/** What a person can do about an error of Postgres. */
function explained(error: unknown): never {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === UNDEFINED_TABLE) {
    throw new WrongInput("the database has an older schema than this payrun: run 'payrun migrate' first");
  }
  if (code === INSUFFICIENT_PRIVILEGE) {
    throw new WrongInput('this login may not do that: set PAYRUN_OWNER_DATABASE_URL to the database, as its owner');
  }
  const message = error instanceof Error && error.message !== '' ? error.message : code;
  if (code === '' && !CONNECTION.test(message)) throw error;
  throw new ServiceUnreachable(`Postgres cannot be reached: ${message}`);
}
