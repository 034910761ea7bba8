import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findConnection } from '../../client/cli/connection.ts';
import { WrongInput } from '../../client/cli/exit-code.ts';
import { removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { addSignIn } from '../../config/sign-ins.ts';
import { aFolder } from './cli-harness.ts';

const LOCAL = 'http://127.0.0.1:8700';

/** Writes what a running `payrun up` writes to its data folder, for this process. */
function runningIn(home: string, serverUrl: string): void {
  writeRunningInstance(home, { serverUrl }, Date.now);
  onTestFinished(() => removeRunningInstance(home));
}

/** The file of a killed payrun: it names an ended process. */
function killedIn(home: string, serverUrl: string): void {
  writeRunningInstance(home, { serverUrl }, Date.now);
  const path = join(home, 'services.json');
  const record = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...record, processStartedAt: 'earlier' }));
}

function signedIn(home: string, url: string, ...logins: string[]): void {
  for (const login of logins) addSignIn(home, { url, login, token: `token-of-${login}` }, Date.now);
}

describe('finding the server', () => {
  it('prefers PAYRUN_URL to anything else', async () => {
    const cwd = await aFolder();
    runningIn(join(cwd, '.payrun'), 'http://127.0.0.1:9000');
    const env = { PAYRUN_URL: 'http://127.0.0.1:9999' };
    expect(findConnection({ env, cwd })).toEqual({ url: 'http://127.0.0.1:9999', token: null, login: null });
  });

  it('finds the payrun that runs from this folder, on any port', async () => {
    const cwd = await aFolder();
    runningIn(join(cwd, '.payrun'), 'http://127.0.0.1:9000');
    expect(findConnection({ env: {}, cwd }).url).toBe('http://127.0.0.1:9000');
  });

  it('finds a demo despite the files of a killed payrun', async () => {
    const cwd = await aFolder();
    killedIn(join(cwd, '.payrun'), 'http://127.0.0.1:9000');
    runningIn(join(cwd, '.payrun', 'demo'), 'http://127.0.0.1:9001');
    expect(findConnection({ env: {}, cwd }).url).toBe('http://127.0.0.1:9001');
  });

  it('looks in PAYRUN_HOME', async () => {
    const cwd = await aFolder();
    runningIn(join(cwd, 'elsewhere'), 'http://127.0.0.1:9002');
    expect(findConnection({ env: { PAYRUN_HOME: 'elsewhere' }, cwd }).url).toBe('http://127.0.0.1:9002');
  });

  it('refuses a mistyped variable, and names every wrong one', async () => {
    const cwd = await aFolder();
    const env = { PAYRUN_TOKENS: 'mine', PAYRUN_URL: 'nowhere' };
    expect(() => findConnection({ env, cwd })).toThrow(WrongInput);
    expect(() => findConnection({ env, cwd })).toThrow(
      /PAYRUN_TOKENS: payrun has no such variable: did you mean PAYRUN_TOKEN\?\n.*PAYRUN_URL: give an address/,
    );
  });

  it('refuses credentials in the address, and does not show them', async () => {
    const cwd = await aFolder();
    const env = { PAYRUN_URL: 'https://ada:S3CRET@pay.example' };
    expect(() => findConnection({ env, cwd })).toThrow(
      /^these environment.*\n {2}PAYRUN_URL: leave out the credentials$/,
    );
  });

  it.each(['http://pay.example', 'http://10.0.0.1:8700', 'http://127.0.0.1.evil.example'])(
    'refuses %s: tokens would travel in clear',
    async (url) => {
      const cwd = await aFolder();
      expect(() => findConnection({ env: { PAYRUN_URL: url }, cwd })).toThrow(
        /PAYRUN_URL: \S+ would be reached without encryption: give an https address, or allow it by PAYRUN_ALLOW_PLAINTEXT=server/,
      );
      const env = { PAYRUN_URL: url, PAYRUN_ALLOW_PLAINTEXT: 'server' };
      expect(findConnection({ env, cwd })).toMatchObject({ url });
    },
  );

  it('uses the default address without any hint', async () => {
    const cwd = await aFolder();
    const env = { PAYRUN_URL: '', PAYRUN_TOKEN: '', PAYRUN_AS: '' };
    expect(findConnection({ env, cwd })).toEqual({ url: LOCAL, token: null, login: null });
  });
});

describe('choosing the user', () => {
  it('prefers PAYRUN_TOKEN to every sign-in', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), LOCAL, 'ada', 'mia');
    const env = { PAYRUN_TOKEN: 'mine' };
    expect(findConnection({ env, cwd })).toEqual({ url: LOCAL, token: 'mine', login: null });
  });

  it('uses the only user who is signed in', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), LOCAL, 'ada');
    signedIn(join(cwd, '.payrun'), 'https://pay.example', 'mia');
    expect(findConnection({ env: {}, cwd })).toEqual({ url: LOCAL, token: 'token-of-ada', login: 'ada' });
  });

  it('with several sign-ins uses --as, then PAYRUN_AS', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), LOCAL, 'mia', 'ada', 'chris');
    const env = { PAYRUN_AS: 'mia' };
    expect(findConnection({ env, cwd })).toMatchObject({ login: 'mia', token: 'token-of-mia' });
    expect(findConnection({ env, cwd }, { as: 'chris' })).toMatchObject({ login: 'chris' });
  });

  it('with several sign-ins and no choice sends nothing', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), LOCAL, 'mia', 'ada', 'chris');
    expect(() => findConnection({ env: {}, cwd })).toThrow(
      'several users are signed in here: choose who acts with --as ada, --as chris or --as mia',
    );
  });

  it('refuses a user who is not signed in at that address', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), LOCAL, 'ada');
    signedIn(join(cwd, '.payrun'), 'https://pay.example', 'mia');
    const asMia = () => findConnection({ env: {}, cwd }, { as: 'mia' });
    expect(asMia).toThrow(
      `mia is not signed in at ${LOCAL}: sign in with 'payrun login', or act as a user who is: ada`,
    );
  });

  it('says so if nothing runs here and nobody is signed in', async () => {
    const cwd = await aFolder();
    expect(() => findConnection({ env: {}, cwd }, { as: 'mia' })).toThrow(
      'no payrun is running from this folder: start it',
    );
    expect(findConnection({ env: { PAYRUN_TOKEN: 'a-token' }, cwd })).toMatchObject({ token: 'a-token' });
    expect(findConnection({ env: { PAYRUN_URL: LOCAL }, cwd })).toMatchObject({ url: LOCAL, token: null });
  });

  it('sends a token only to the address that it was saved for', async () => {
    const cwd = await aFolder();
    signedIn(join(cwd, '.payrun'), 'https://pay.example/team', 'ada');
    for (const url of [
      'https://pay.example',
      'https://pay.example.evil.example/team',
      'https://pay.example:8443/team',
    ]) {
      expect(findConnection({ env: { PAYRUN_URL: url }, cwd })).toEqual({ url, token: null, login: null });
    }
    const url = 'https://pay.example/team/';
    expect(findConnection({ env: { PAYRUN_URL: url }, cwd })).toMatchObject({ token: 'token-of-ada' });
  });

  it('ignores an administrator’s token in the data folder', async () => {
    const cwd = await aFolder();
    await mkdir(join(cwd, '.payrun'));
    writeFileSync(join(cwd, '.payrun', 'admin-token'), 'admin');
    expect(findConnection({ env: {}, cwd }).token).toBeNull();
    expect(existsSync(join(cwd, '.payrun', 'sign-ins.json'))).toBe(false);
  });

  it('names a sign-in file that cannot be read', async () => {
    const cwd = await aFolder();
    await mkdir(join(cwd, '.payrun'));
    writeFileSync(join(cwd, '.payrun', 'sign-ins.json'), '{ broken');
    expect(() => findConnection({ env: {}, cwd })).toThrow(WrongInput);
  });
});
