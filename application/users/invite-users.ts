import type { Invitation, InvitedUser, MailedCode } from '../../api/users/invitation.ts';
import type { AddedUser } from '../../api/users/user.ts';
import { DELIVERY_ERRORS } from '../../domain/notifications/delivery-errors.ts';
import { codeMail } from '../../domain/users/code-mail.ts';
import type { Role } from '../../domain/users/role.ts';
import { newCode, storedHashOf, TokenHash } from '../../store/users/token-hash.ts';
import { addUserAs, endUnsentCode, type Invited, inviteUserAs } from '../../store/users/users.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from './signed-in.ts';

/** A code that is not used within days is replaced by a new one. */
const INVITATION_VALID_MS = 72 * 3_600_000;

/**
 * Adds a user with an invitation to sign in. Roles that decide on something wait for a second administrator, and so does
 * the invitation of a user with such a role: whoever creates a code could use it.
 */
export async function addUser(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  added: { login: string; name: string; roles: readonly Role[]; mail: string | null },
): Promise<AddedUser> {
  const { code, stored } = codeFor(dependencies);
  const { userId, change, invited } = await asApplicationError(
    addUserAs(dependencies.database, user.tokenHash, added, stored),
  );
  const given = await give(dependencies, code, stored.expiresAt, invited ?? {});
  return {
    userId,
    change,
    invitation: 'invitation' in given ? given.invitation : null,
    mailed: 'mailed' in given ? given.mailed : null,
    invitationChange: 'change' in given ? given.change : null,
  };
}

export async function inviteUser(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  userId: string,
): Promise<InvitedUser> {
  const { code, stored } = codeFor(dependencies);
  const invited = await asApplicationError(inviteUserAs(dependencies.database, user.tokenHash, { userId, ...stored }));
  return give(dependencies, code, stored.expiresAt, invited);
}

function codeFor({ mailCode, now }: ApplicationDependencies) {
  const code = newCode();
  const expiresAt = new Date(now() + INVITATION_VALID_MS);
  const byMail = mailCode !== undefined && mailCode !== null;
  return { code, stored: { codeHash: storedHashOf(TokenHash.of(code)), expiresAt, byMail } };
}

/** Gives the code to its user by mail, where that is configured, else to who has made it. It is stored nowhere. */
async function give(
  dependencies: ApplicationDependencies,
  code: string,
  expiresAt: Date,
  { change, mail = null }: Invited,
): Promise<{ invitation: Invitation } | { mailed: MailedCode } | { change: NonNullable<Invited['change']> }> {
  if (change !== undefined) return { change };
  const { mailCode, settings } = dependencies;
  const until = expiresAt.toISOString();
  // guard: code-seen-by-its-user
  if (mailCode === undefined || mailCode === null) return { invitation: { code, expiresAt: until } };
  const address = mail ?? '';
  const sent = codeMail(
    { address, code, until: `${until.slice(0, 16).replace('T', ' ')} UTC` },
    settings.publicUrl ?? null,
  );
  const error = await mailCode(sent);
  // guard: unsent-code-ends
  if (error !== null) await endUnsentCode(dependencies.database, TokenHash.of(code));
  return { mailed: { to: address, expiresAt: until, problem: error === null ? null : DELIVERY_ERRORS[error].cause } };
}
