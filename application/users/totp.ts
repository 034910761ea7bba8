import { Secret, TOTP } from 'otpauth';
import type { SteppedUp, StepUpSubject, TotpEnrolment } from '../../api/users/second-factor.ts';
import type { DataKeys } from '../../domain/personal-data/data-keys.ts';
import {
  beginTotpAs,
  confirmTotpAs,
  readTotpSeedAs,
  removeTotpAs,
  stepUpWithTotpAs,
} from '../../store/users/second-factors.ts';
import { newSessionSecret, TokenHash } from '../../store/users/token-hash.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SessionCookie } from './console-sessions.ts';
import type { SignedIn } from './signed-in.ts';
import { storedSubject } from './step-up-subject.ts';

/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, as all apps know them. */

const ISSUER = 'payrun';
const SEED_BYTES = 20;
const STEP_SECONDS = 30;

export async function beginTotp(
  { database, dataKeys }: ApplicationDependencies,
  user: SignedIn,
): Promise<TotpEnrolment> {
  const secret = new Secret({ size: SEED_BYTES });
  await asApplicationError(beginTotpAs(database, user.tokenHash, configured(dataKeys), secret.bytes));
  return { secret: secret.base32, uri: totpOf(secret, user.login).toString() };
}

export async function confirmTotp(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  code: string,
): Promise<SessionCookie> {
  const step = await verifiedStep(dependencies, user, code, true);
  const secret = newSessionSecret();
  await asApplicationError(confirmTotpAs(dependencies.database, user.tokenHash, step, TokenHash.of(secret)));
  return { secret };
}

export function removeTotp({ database }: ApplicationDependencies, user: SignedIn): Promise<void> {
  return asApplicationError(removeTotpAs(database, user.tokenHash));
}

export async function stepUpWithTotp(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  subject: StepUpSubject,
  code: string,
): Promise<SteppedUp & SessionCookie> {
  const step = await verifiedStep(dependencies, user, code, false);
  const secret = newSessionSecret();
  const shown = { step, newTokenHash: TokenHash.of(secret) };
  const { validUntil } = await asApplicationError(
    stepUpWithTotpAs(dependencies.database, user.tokenHash, storedSubject(user, subject), shown),
  );
  return { validUntil: new Date(validUntil).toISOString(), secret };
}

/** The time step that the code is of; the database lets each count once. */
async function verifiedStep(
  { database, dataKeys, now }: ApplicationDependencies,
  user: SignedIn,
  code: string,
  isNew: boolean,
): Promise<number> {
  const seed = await asApplicationError(readTotpSeedAs(database, user.tokenHash, configured(dataKeys), isNew));
  const timestamp = now();
  const delta = totpOf(new Secret({ buffer: new Uint8Array(seed).buffer }), user.login).validate({
    token: code,
    timestamp,
    window: 1,
  });
  if (delta === null) {
    throw new ApplicationError(
      'invalid_input',
      'the code is wrong, or its time is over: give the one that the app shows now',
    );
  }
  return Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

function totpOf(secret: Secret, login: string): TOTP {
  return new TOTP({ issuer: ISSUER, label: login, secret, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS });
}

function configured(dataKeys: DataKeys | null): DataKeys {
  if (dataKeys !== null) return dataKeys;
  throw new ApplicationError(
    'conflict',
    'authenticator apps need a data key, which encrypts their seeds: set PAYRUN_DATA_KEY, or use a passkey',
  );
}
