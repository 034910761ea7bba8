import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addSignIn, readSignIns, removeSignIn, signInsAt } from '../../config/sign-ins.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const now = (): number => Date.UTC(2026, 2, 2, 8);
const ADA = { url: 'https://pay.example/team', login: 'ada', token: 'token-of-ada' };
const MIA = { ...ADA, login: 'mia', token: 'token-of-mia' };

function aHome(...signIns: (typeof ADA)[]): string {
  const home = join(temporaryFolder(), 'not-there-yet');
  for (const signIn of signIns) addSignIn(home, signIn, now);
  return home;
}

test('a folder without the file has no sign-ins', () => {
  expect(readSignIns(aHome())).toEqual([]);
});

test('a sign-in is kept with its time, in a file that its owner alone may read', () => {
  const home = aHome(ADA);
  expect(readSignIns(home)).toEqual([{ ...ADA, savedAt: '2026-03-02T08:00:00.000Z' }]);
  expect(statSync(join(home, 'sign-ins.json')).mode & 0o777).toBe(0o600);
});

test('signing in again replaces the token of the same user at the same address, and no other', () => {
  const home = aHome(ADA, MIA, { ...ADA, url: 'https://other.example' });
  addSignIn(home, { ...ADA, url: 'HTTPS://Pay.Example:443/team/', token: 'second' }, now);
  expect(readSignIns(home).map(({ url, login, token }) => [url, login, token])).toEqual([
    ['https://pay.example/team', 'mia', 'token-of-mia'],
    ['https://other.example', 'ada', 'token-of-ada'],
    ['https://pay.example/team', 'ada', 'second'],
  ]);
});

test('signing out removes the one sign-in and says whether there was one', () => {
  const home = aHome(ADA, MIA);
  expect(removeSignIn(home, { url: 'https://pay.example/team/', login: 'ada' })).toBe(true);
  expect(removeSignIn(home, ADA)).toBe(false);
  expect(readSignIns(home).map(({ login }) => login)).toEqual(['mia']);
});

describe('the sign-ins at an address', () => {
  test.each(['https://pay.example/team', 'https://pay.example/team/', 'https://PAY.example:443/team'])(
    '%s is the address that they were recorded with',
    (url) => expect(signInsAt(aHome(ADA), url)).toHaveLength(1),
  );

  test.each([
    'http://pay.example/team',
    'https://pay.example:8443/team',
    'https://pay.example',
    'https://pay.example/Team',
    'https://pay.example/team/more',
    'https://pay.example.evil.example/team',
    'https://evil.example/https://pay.example/team',
  ])('%s is another one, whose server gets none of their tokens', (url) =>
    expect(signInsAt(aHome(ADA), url)).toEqual([]),
  );
});

test.each(['{ broken', '[{"url":"https://pay.example"}]', '{}'])(
  'a file that holds %s is named and left as it is',
  (text) => {
    const home = temporaryFolder();
    const path = join(home, 'sign-ins.json');
    writeFileSync(path, text);
    expect(() => readSignIns(home)).toThrow(`${path} cannot be read`);
    expect(() => addSignIn(home, ADA, now)).toThrow('move it away and sign in again');
    expect(readFileSync(path, 'utf8')).toBe(text);
  },
);

test('an address with credentials in it is not recorded', () => {
  expect(() => addSignIn(temporaryFolder(), { ...ADA, url: 'https://ada:secret@pay.example' }, now)).toThrow(TypeError);
});
