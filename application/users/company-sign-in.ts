import { createHash, randomBytes } from 'node:crypto';
import * as client from 'openid-client';
import { readCompanyAcr } from '../../store/approvals/policy.ts';
import {
  beginIdentityLinkAs,
  removeIdentityAs,
  type SignInOrigin,
  signInWithIdToken,
} from '../../store/users/sign-ins.ts';
import { newSessionSecret, TokenHash } from '../../store/users/token-hash.ts';
import type { ApplicationDependencies, CompanySignIn } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import { RECENT_MS, userOfNew } from './console-sessions.ts';
import type { BegunSession } from './console-sessions.ts';
import type { SignedIn } from './signed-in.ts';

/** What leads to the sign-in of the company and back. */
export interface CompanySignInRequest {
  /** Where the company's sign-in sends the browser back to. */
  redirectUri: string;
  /** Null: to sign in. A user: to connect their identity. */
  user: SignedIn | null;
  /** Whether the company is to ask who it is even if they have signed in there before. */
  isAgain: boolean;
}

export interface CompanySignInAnswer {
  /** What `beginCompanySignIn` gave, by which the browser shows that the answer is to its own request. */
  secret: string;
  /** The whole address that the browser was sent back to. */
  url: string;
}

/**
 * The sign-in of the company: OpenID Connect, authorization code with PKCE. State, nonce and verifier are made from one secret,
 * which the browser keeps in a cookie; so any server can finish what another began, and the answer to somebody else's request
 * is refused. The database verifies the id token once more, with keys that no server can write.
 */

const SECRET_BYTES = 32;
const DISCOVERY_MAX_AGE_MS = 600_000;
const TIMEOUT_SECONDS = 10;
/**
 * A request that has a `max_age` is answered with the time of the sign-in at the company, `auth_time` (OpenID Connect Core 1.0,
 * 3.1.2.1). Who only signs in need not sign in there once more for it, however long ago that was: ten years.
 */
const OF_ANY_AGE = { max_age: String(10 * 365 * 86_400) };
/** Some issuers know one of the two. The database decides by `auth_time` alone: addresses can be changed in the browser. */
const ONCE_MORE = { prompt: 'login', max_age: String(RECENT_MS / 1_000) };

export async function beginCompanySignIn(
  dependencies: ApplicationDependencies,
  { redirectUri, user, isAgain }: CompanySignInRequest,
): Promise<{ url: string; secret: string }> {
  const secret = randomBytes(SECRET_BYTES);
  const config = await discovered(dependencies);
  if (user !== null) {
    await asApplicationError(beginIdentityLinkAs(dependencies.database, user.tokenHash, sha256(secret)));
  }
  const acr = await readCompanyAcr(dependencies.database);
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: 'openid',
    ...(acr.length === 0 ? {} : { acr_values: acr.join(' ') }),
    ...(isAgain ? ONCE_MORE : OF_ANY_AGE),
    state: stateOf(secret),
    nonce: nonceOf(secret),
    code_challenge: await client.calculatePKCECodeChallenge(verifierOf(secret)),
    code_challenge_method: 'S256',
  });
  return { url: url.href, secret: secret.toString('base64url') };
}

export async function finishCompanySignIn(
  dependencies: ApplicationDependencies,
  { secret: given, url }: CompanySignInAnswer,
  origin: SignInOrigin,
): Promise<BegunSession | null> {
  const request = Buffer.from(given, 'base64url');
  const config = await discovered(dependencies);
  const checks = {
    expectedState: stateOf(request),
    expectedNonce: nonceOf(request),
    pkceCodeVerifier: verifierOf(request),
    idTokenExpected: true,
  };
  // What is wrong is in the provider's own words, which may name people.
  const tokens = await client.authorizationCodeGrant(config, new URL(url), checks).catch(() => null);
  const idToken = tokens?.id_token;
  if (idToken === undefined) {
    throw new ApplicationError('unauthenticated', "the company's sign-in has refused, or took too long: try again");
  }
  const secret = newSessionSecret();
  const { connected } = await asApplicationError(
    signInWithIdToken(dependencies.database, { idToken, request, newTokenHash: TokenHash.of(secret) }, origin),
  );
  return connected === true ? null : { secret, user: await userOfNew(dependencies, secret) };
}

export function removeIdentity({ database }: ApplicationDependencies, user: SignedIn): Promise<void> {
  return asApplicationError(removeIdentityAs(database, user.tokenHash));
}

const known = new WeakMap<CompanySignIn, { config: client.Configuration; readAtMs: number }>();

/** What the issuer says of itself, read again after a while. @throws ApplicationError `not_found`, `unavailable` */
async function discovered({ companySignIn, now }: ApplicationDependencies): Promise<client.Configuration> {
  if (companySignIn === undefined || companySignIn === null) {
    throw new ApplicationError('not_found', 'no sign-in of a company is configured: set PAYRUN_OIDC_ISSUER');
  }
  const before = known.get(companySignIn);
  if (before !== undefined && now() - before.readAtMs < DISCOVERY_MAX_AGE_MS) return before.config;
  const { issuer, clientId, clientSecret } = companySignIn;
  // Of loopback addresses alone: the configuration refuses others. It is marked only to stand out.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const overPlainHttp = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
  try {
    const config = await client.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: [...overPlainHttp, client.enableNonRepudiationChecks],
      timeout: TIMEOUT_SECONDS,
    });
    known.set(companySignIn, { config, readAtMs: now() });
    return config;
  } catch {
    throw new ApplicationError(
      'unavailable',
      "the company's sign-in does not answer: try again, or sign in another way",
    );
  }
}

const stateOf = (secret: Buffer): string => derived('state', secret).toString('base64url');
/** As the database derives it. */
const nonceOf = (secret: Buffer): string => derived('nonce', secret).toString('hex');
const verifierOf = (secret: Buffer): string => derived('verifier', secret).toString('base64url');

function derived(purpose: string, secret: Buffer): Buffer {
  return sha256(Buffer.concat([Buffer.from(purpose), secret]));
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
