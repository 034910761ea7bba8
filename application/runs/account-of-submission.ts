import { DEFAULT_ACCOUNT } from '../../domain/identifiers.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { mayUse, type SignedIn } from '../users/signed-in.ts';

/**
 * The account that a file is paid from. Without a name: the only one that the user is limited to; for a user without a limit
 * the only one that is configured, or the one called `default`. Never one by its place in the file: the same submission,
 * repeated, must not reach another account, where it is no duplicate. @throws ApplicationError `invalid_input` when no account is configured under the name, or a
 * user who is limited to several names none; `not_allowed` for an account that the user may not use.
 */
export async function accountOf(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  name: string | null,
): Promise<string> {
  const limit = user.accounts;
  if (name === null && limit !== null && limit.length > 1) {
    throw new ApplicationError('invalid_input', `name the account to pay from: you may use ${limit.join(', ')}`);
  }
  const configured = dependencies.accounts.map((account) => account.name);
  const wanted = name ?? limit?.[0] ?? (configured.length === 1 ? configured[0] : DEFAULT_ACCOUNT);
  if (name === null && limit === null && !configured.includes(wanted ?? '')) {
    throw new ApplicationError('invalid_input', `name the account to pay from: ${configured.join(', ')}`);
  }
  // guard: submitted-to-own-account-first
  if (wanted !== undefined && !mayUse(user, wanted)) await refuseAccount(dependencies, user, wanted);
  if (wanted !== undefined && configured.includes(wanted)) return wanted;
  // A user who is limited is not told which other accounts there are.
  const known = configured.filter((account) => mayUse(user, account)).join(', ');
  throw new ApplicationError('invalid_input', `there is no provider account of that name; configured are: ${known}`);
}

/** The database refuses it as well; this is before the file is checked. */
async function refuseAccount({ database }: ApplicationDependencies, user: SignedIn, account: string): Promise<never> {
  const detail = { what: 'submit_run', why: 'account', account, user: user.userId, token: user.tokenId };
  await appendAudit(database, { actor: 'server', kind: 'access_refused', detail });
  throw new ApplicationError('not_allowed', `you may not use the account "${account}"`);
}
