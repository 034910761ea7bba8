import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { z } from 'zod';
import type { PasskeyRegistration, SteppedUp, StepUpSubject } from '../../api/users/second-factor.ts';
import {
  addPasskeyAs,
  beginPasskeyAs,
  beginPasskeyStepUpAs,
  findChallenge,
  listPasskeys,
  type Passkey,
  removePasskeyAs,
  stepUpWithPasskeyAs,
} from '../../store/users/second-factors.ts';
import { newSessionSecret, TokenHash } from '../../store/users/token-hash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SessionCookie } from './console-sessions.ts';
import type { SignedIn } from './signed-in.ts';
import { storedSubject } from './step-up-subject.ts';

/** The site that passkeys are for: the address in the browser, and its name. */
export interface PasskeySite {
  origin: string;
  name: string;
}

/**
 * Passkeys (WebAuthn Level 3) as a second factor. What a passkey signs is a hash that the database makes of the run or order,
 * the hash of what was seen and the decision: the signature is of exactly what is paid, and is kept.
 */

const TIMEOUT_MS = 300_000;

export async function beginPasskey(
  { database }: ApplicationDependencies,
  user: SignedIn,
  site: PasskeySite,
): Promise<Record<string, unknown>> {
  const challenge = await asApplicationError(beginPasskeyAs(database, user.tokenHash));
  const present = await listPasskeys(database, user.userId);
  const options = await generateRegistrationOptions({
    rpName: 'payrun',
    rpID: site.name,
    userName: user.login,
    userDisplayName: user.name,
    userID: new Uint8Array(Buffer.from(user.userId)),
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: present.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'required' },
  });
  return { ...options };
}

export async function addPasskey(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { label, response }: PasskeyRegistration,
  site: PasskeySite,
): Promise<SessionCookie> {
  const challenge = challengeIn(response);
  const given = response as unknown as RegistrationResponseJSON;
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response: given,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.name,
      requireUserVerification: true,
    }),
  );
  if (registrationInfo === undefined) throw notVerified();
  const { credential } = registrationInfo;
  const secret = newSessionSecret();
  const passkey = {
    challenge,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: credential.publicKey,
    counter: credential.counter,
    transports: credential.transports ?? [],
    label,
  };
  await asApplicationError(addPasskeyAs(database, user.tokenHash, passkey, TokenHash.of(secret)));
  return { secret };
}

export function removePasskey({ database }: ApplicationDependencies, user: SignedIn, passkeyId: string): Promise<void> {
  return asApplicationError(removePasskeyAs(database, user.tokenHash, passkeyId));
}

export async function beginPasskeyStepUp(
  { database }: ApplicationDependencies,
  user: SignedIn,
  subject: StepUpSubject,
  site: PasskeySite,
): Promise<Record<string, unknown>> {
  const challenge = await asApplicationError(
    beginPasskeyStepUpAs(database, user.tokenHash, storedSubject(user, subject)),
  );
  const present = await listPasskeys(database, user.userId);
  const options = await generateAuthenticationOptions({
    rpID: site.name,
    challenge: new Uint8Array(challenge),
    timeout: TIMEOUT_MS,
    allowCredentials: present.map(({ credentialId, transports }) => ({
      id: credentialId.toString('base64url'),
      // As the browser named them when the passkey was added; it ignores those that it does not know.
      transports: transports as AuthenticatorTransport[],
    })),
    userVerification: 'required',
  });
  return { ...options };
}

export async function stepUpWithPasskey(
  { database }: ApplicationDependencies,
  user: SignedIn,
  subject: StepUpSubject,
  response: Record<string, unknown>,
  site: PasskeySite,
): Promise<SteppedUp & SessionCookie> {
  const challenge = challengeIn(response);
  const begun = await findChallenge(database, challenge, user.tokenId);
  const wanted = storedSubject(user, subject);
  if (begun === null || !isSame(begun, wanted)) {
    throw new ApplicationError('conflict', 'the passkey was asked for something else, or took too long: begin again');
  }
  const given = response as unknown as AuthenticationResponseJSON;
  const passkey = passkeyOf(given.id, await listPasskeys(database, user.userId));
  const { authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response: given,
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: site.origin,
      expectedRPID: site.name,
      credential: {
        id: given.id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  const secret = newSessionSecret();
  const { validUntil } = await asApplicationError(
    stepUpWithPasskeyAs(
      database,
      user.tokenHash,
      {
        challenge,
        credentialId: passkey.credentialId,
        counter: authenticationInfo.newCounter,
        clientData: Buffer.from(given.response.clientDataJSON, 'base64url'),
        authenticatorData: Buffer.from(given.response.authenticatorData, 'base64url'),
        signature: Buffer.from(given.response.signature, 'base64url'),
      },
      TokenHash.of(secret),
    ),
  );
  return { validUntil: new Date(validUntil).toISOString(), secret };
}

function isSame(one: object, other: object): boolean {
  const text = (subject: object) => JSON.stringify(Object.entries(subject).sort());
  return text(one) === text(other);
}

function passkeyOf(credentialId: unknown, passkeys: readonly Passkey[]): Passkey {
  const found = passkeys.find((passkey) => passkey.credentialId.toString('base64url') === credentialId);
  if (found === undefined) throw new ApplicationError('not_allowed', 'this passkey is not one of yours');
  return found;
}

const answered = z.looseObject({ id: z.string(), response: z.looseObject({ clientDataJSON: z.string().max(10_000) }) });
const clientData = z.object({ challenge: z.string().max(200) });

/** The challenge that the browser says it has answered. */
function challengeIn(response: Record<string, unknown>): Buffer {
  try {
    const { clientDataJSON } = answered.parse(response).response;
    const { challenge } = clientData.parse(JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()));
    return Buffer.from(challenge, 'base64url');
  } catch {
    throw notVerified();
  }
}

/** The library throws for each thing that is wrong, in words for engineers. */
async function verified<T extends { verified: boolean }>(verify: () => Promise<T>): Promise<T> {
  const answer = await verify().catch(() => null);
  if (answer?.verified !== true) throw notVerified();
  return answer;
}

function notVerified(): ApplicationError {
  return new ApplicationError(
    'invalid_input',
    'the passkey could not be verified: try again at the address where it was added',
  );
}
