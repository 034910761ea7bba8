import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writeWhole } from './whole-file.ts';

/** A user of this machine who is signed in at a payrun server. */
export interface SignIn {
  /** The server's address: origin and path, without a slash at its end. */
  url: string;
  login: string;
  /** Sent to `url` and to nobody else. */
  token: string;
  /** ISO 8601. */
  savedAt: string;
}

/** The file is there and cannot be used. The message names it and the fix, and quotes nothing of it. */
export class SignInsUnreadable extends Error {
  override readonly name = 'SignInsUnreadable';
}

const SIGN_INS = z.array(z.object({ url: z.url(), login: z.string(), token: z.string().min(1), savedAt: z.string() }));

const fileOf = (home: string): string => join(home, 'sign-ins.json');

/** All sign-ins of a data folder, the latest last. Throws SignInsUnreadable. */
export function readSignIns(home: string): SignIn[] {
  const path = fileOf(home);
  try {
    return SIGN_INS.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    if (code === 'EACCES') throw new SignInsUnreadable(`${path} cannot be read: it is another user's`);
    throw new SignInsUnreadable(`${path} cannot be read: move it away and sign in again`);
  }
}

/** The sign-ins that were recorded with this very address. Throws SignInsUnreadable, TypeError for no address. */
export function signInsAt(home: string, url: string): SignIn[] {
  const address = addressOf(url);
  // guard: token-to-its-address
  return readSignIns(home).filter((signIn) => signIn.url === address);
}

/**
 * Adds a sign-in, in place of an earlier one of the same user at the same address. The file holds tokens, so only its
 * owner may read it. `now` in milliseconds since 1970. Throws SignInsUnreadable, TypeError for no address.
 */
export function addSignIn(home: string, signIn: Omit<SignIn, 'savedAt'>, now: () => number): void {
  const added = { ...signIn, url: addressOf(signIn.url), savedAt: new Date(now()).toISOString() };
  const others = readSignIns(home).filter((other) => !isSame(other, added));
  mkdirSync(home, { recursive: true });
  writeSignIns(home, [...others, added]);
}

/** Removes one sign-in; false when there is none such. Throws SignInsUnreadable, TypeError for no address. */
export function removeSignIn(home: string, { url, login }: Pick<SignIn, 'url' | 'login'>): boolean {
  const removed = { url: addressOf(url), login };
  const all = readSignIns(home);
  const others = all.filter((other) => !isSame(other, removed));
  if (others.length === all.length) return false;
  writeSignIns(home, others);
  return true;
}

function writeSignIns(home: string, signIns: readonly SignIn[]): void {
  writeWhole(fileOf(home), `${JSON.stringify(signIns, null, 2)}\n`);
}

function isSame(one: Pick<SignIn, 'url' | 'login'>, other: Pick<SignIn, 'url' | 'login'>): boolean {
  return one.url === other.url && one.login === other.login;
}

/** Origin and path: two spellings of one address are equal, and two servers on one host are not. */
function addressOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) throw new TypeError('not an http address');
  if (parsed.username !== '' || parsed.password !== '') throw new TypeError('the address must hold no credentials');
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}
