import { readCertificates } from '../../config/certificates.ts';
import { plaintextProblem } from '../../config/plaintext.ts';
import { dataFolder, findRunningInstance, foldersToLookIn } from '../../config/running-instance.ts';
import { type SignIn, SignInsUnreadable, signInsAt } from '../../config/sign-ins.ts';
import { PayrunApiError } from '../sdk/errors.ts';
import type { PayrunClient } from '../sdk/payrun-client.ts';
import { createPayrunClient } from '../sdk/payrun-client.ts';
import type { CommandIo } from './command-io.ts';
import { ask, canAsk } from './confirm.ts';
import { type CommandLineEnvironment, readCommandLineEnvironment, wrongVariables } from './environment.ts';
import { WrongInput } from './exit-code.ts';

const DEFAULT_URL = 'http://127.0.0.1:8700';

export interface Connection {
  url: string;
  /** Null without PAYRUN_TOKEN and a sign-in at this address. */
  token: string | null;
  /** The login of the sign-in; null with PAYRUN_TOKEN, or without a token. */
  login: string | null;
}

/** A client of the server that the environment names, else of the one that runs from this folder. */
export async function connect(io: CommandIo): Promise<PayrunClient> {
  return clientOf(io, findConnection(io, io.as === undefined ? {} : { as: io.as }));
}

export async function clientOf(
  io: Pick<CommandIo, 'env' | 'stdin' | 'stderr' | 'code'>,
  { url, token }: Pick<Connection, 'url' | 'token'>,
): Promise<PayrunClient> {
  const environment = readCommandLineEnvironment(io.env);
  const allowPlaintext = environment.PAYRUN_ALLOW_PLAINTEXT.includes('server');
  const secondFactor = (asked: PayrunApiError): Promise<string | null> => codeFor(io, asked);
  return createPayrunClient({ url, token, allowPlaintext, secondFactor, ...(await fetchOf(environment)) });
}

/** The code that --code gave, else one that is asked for at a terminal. Null: there is none. */
async function codeFor(
  io: Pick<CommandIo, 'stdin' | 'stderr' | 'code'>,
  { status, code, message, details }: PayrunApiError,
): Promise<string | null> {
  if (io.code !== undefined) return io.code;
  const factors = details?.['factors'];
  if (!Array.isArray(factors) || !factors.includes('totp')) return null;
  if (!canAsk(io)) throw new PayrunApiError(status, code, `${message} (--code DIGITS)`, details);
  const typed = await ask(io, `${message}. Code of your authenticator app?`);
  return typed === '' ? null : typed;
}

/** A fetch that trusts the authorities of PAYRUN_CA_FILE, if it is set. */
async function fetchOf({ PAYRUN_CA_FILE }: CommandLineEnvironment): Promise<{ fetch?: typeof globalThis.fetch }> {
  if (PAYRUN_CA_FILE === undefined) return {};
  const { fetchTrusting } = await import('../sdk/fetch-trusting.ts');
  return { fetch: fetchTrusting(readCertificates(PAYRUN_CA_FILE)) };
}

/**
 * Where the server is: PAYRUN_URL, else the payrun that runs from the data folder (PAYRUN_HOME, else `.payrun` in the
 * working directory) or from the `demo` folder in it. `home` is the data folder, which holds the sign-ins. Throws
 * WrongInput, naming every wrong variable.
 */
export function findServer({ env, cwd }: Pick<CommandIo, 'env' | 'cwd'>): {
  url: string;
  home: string;
  isFound: boolean;
} {
  const environment = readCommandLineEnvironment(env);
  const { PAYRUN_URL, PAYRUN_HOME } = environment;
  const running = findRunningInstance(foldersToLookIn(PAYRUN_HOME, cwd));
  const url = PAYRUN_URL ?? running?.addresses.serverUrl ?? DEFAULT_URL;
  requireEncryption(url, environment);
  return { url, home: dataFolder(PAYRUN_HOME, cwd), isFound: PAYRUN_URL !== undefined || running !== undefined };
}

/**
 * The server, and who acts there: PAYRUN_TOKEN, else the sign-in at exactly this address of the user whom `as` (the
 * option --as) or PAYRUN_AS names, else the only one. Throws WrongInput, naming every wrong variable, or the logins to
 * choose from.
 */
export function findConnection(io: Pick<CommandIo, 'env' | 'cwd'>, { as }: { as?: string } = {}): Connection {
  const { url, home, isFound } = findServer(io);
  const { PAYRUN_TOKEN, PAYRUN_AS } = readCommandLineEnvironment(io.env);
  if (PAYRUN_TOKEN !== undefined && as !== undefined) {
    throw new WrongInput('PAYRUN_TOKEN already says who acts: unset it, or leave out --as');
  }
  if (PAYRUN_TOKEN !== undefined) return { url, token: PAYRUN_TOKEN, login: null };
  const signIns = signInsOf(home, url);
  if (!isFound && signIns.length === 0 && (as ?? PAYRUN_AS) !== undefined) {
    throw new WrongInput(
      "no payrun is running from this folder: start it with 'payrun up', change to its folder, or set PAYRUN_URL to its address",
    );
  }
  const signIn = chooseSignIn(signIns, url, as ?? PAYRUN_AS);
  return { url, token: signIn?.token ?? null, login: signIn?.login ?? null };
}

/** Requests carry the user's token, so they are encrypted beyond this machine. */
function requireEncryption(url: string, { PAYRUN_ALLOW_PLAINTEXT: allowed }: CommandLineEnvironment): void {
  const { protocol, hostname: host } = new URL(url);
  if (protocol === 'https:') return;
  const reached = { variable: 'PAYRUN_URL', service: 'server', host, fix: 'give an https address' } as const;
  const problem = plaintextProblem(reached, allowed);
  if (problem !== null) throw wrongVariables([problem]);
}

function signInsOf(home: string, url: string): SignIn[] {
  try {
    return signInsAt(home, url);
  } catch (error) {
    if (error instanceof SignInsUnreadable) throw new WrongInput(error.message);
    throw error;
  }
}

function chooseSignIn(signIns: readonly SignIn[], url: string, login: string | undefined): SignIn | undefined {
  const logins = signIns.map((signIn) => signIn.login).sort();
  if (login === undefined) {
    if (signIns.length > 1) {
      const options = alternatives(logins.map((name) => `--as ${name}`));
      throw new WrongInput(`several users are signed in here: choose who acts with ${options}`);
    }
    return signIns[0];
  }
  const named = signIns.find((signIn) => signIn.login === login);
  if (named !== undefined) return named;
  const others = logins.length === 0 ? '' : `, or act as a user who is: ${logins.join(', ')}`;
  throw new WrongInput(`${login} is not signed in at ${url}: sign in with 'payrun login'${others}`);
}

function alternatives(options: readonly string[]): string {
  return `${options.slice(0, -1).join(', ')} or ${options.at(-1) ?? ''}`;
}
