import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { DataKey, DataKeys } from '../domain/personal-data/data-keys.ts';

/** The keys that personal data is encrypted with, as PAYRUN_DATA_KEY and key files have them: base64, one key per line. */

const KEY_BYTES = 32;
/** Of 32 bytes. */
const BASE64 = /^[A-Za-z0-9+/]{43}=$/;
const ID_LENGTH = 16;

export function newDataKey(): DataKey {
  return dataKeyOf(randomBytes(KEY_BYTES));
}

/** The key as one line of a key file, without a line end. */
export function dataKeyLine({ bytes }: DataKey): string {
  return Buffer.from(bytes).toString('base64');
}

/** The first key is the current one. `problems` names each wrong line, and never what it says. */
export function parseDataKeys(text: string): { keys: DataKeys } | { problems: string[] } {
  const keys: DataKey[] = [];
  const problems: string[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const given = line.trim();
    if (given === '') continue;
    const key = keyIn(given);
    const number = index + 1;
    const before = key === null ? undefined : lineOf.get(key.id);
    if (key === null) {
      problems.push(`line ${number}: give base64 of exactly ${KEY_BYTES} bytes, as 'payrun keys new' prints it`);
    } else if (before !== undefined) {
      problems.push(`line ${number}: is the key of line ${before} again: remove one of them`);
    } else {
      lineOf.set(key.id, number);
      keys.push(key);
    }
  }
  const [current] = keys;
  if (problems.length > 0) return { problems };
  if (current === undefined) return { problems: ["has no key: give one per line, as 'payrun keys new' prints it"] };
  return { keys: { current, all: keys } };
}

/** PAYRUN_DATA_KEY, as read. */
export const dataKeys = z.string().transform((text, context): DataKeys => {
  const parsed = parseDataKeys(text);
  if ('keys' in parsed) return parsed.keys;
  for (const problem of parsed.problems) context.addIssue({ code: 'custom', message: problem });
  return z.NEVER;
});

function keyIn(line: string): DataKey | null {
  if (!BASE64.test(line)) return null;
  const bytes = Buffer.from(line, 'base64');
  // Else several texts would stand for one key.
  return bytes.toString('base64') === line ? dataKeyOf(bytes) : null;
}

function dataKeyOf(bytes: Buffer): DataKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_LENGTH), bytes };
}
