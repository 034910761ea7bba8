import { z } from 'zod';
import { ROLES } from '../../domain/users/role.ts';
import { instant, person } from '../runs/run.ts';

export const plainText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

const role = z.enum(ROLES);

export const userSchema = z
  .object({
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    roles: z.array(role),
    pendingRoles: z.array(role).describe('They wait for a second administrator.'),
    disabledAt: instant.nullable(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'User' });

export const changeStateSchema = z
  .object({
    changeId: z.string(),
    state: z.enum(['pending', 'effective', 'rejected']),
    takesEffectAt: instant.nullable().describe('When a pending one takes effect, if nobody objects.'),
  })
  .meta({ id: 'ChangeState', description: 'What became of a change that takes two administrators.' });

export const changeSchema = changeStateSchema
  .extend({
    kind: z.string(),
    user: person.nullable(),
    detail: z.record(z.string(), z.unknown()),
    proposedBy: person.nullable(),
    proposedAt: instant,
    decidedBy: person.nullable(),
    decidedAt: instant.nullable(),
  })
  .meta({ id: 'Change' });

const invitation = z
  .object({ code: z.string().describe('Works once: hand it to the user.'), expiresAt: instant })
  .meta({ id: 'Invitation' });

export const userRequestSchema = z
  .strictObject({
    login: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._@+-]{0,63}$/, 'give small letters, digits and . _ @ + -, at most 64')
      .describe('What the user signs in as.'),
    name: plainText(100),
    roles: z.array(role).min(1),
  })
  .meta({ id: 'UserRequest' });

export const addedUserSchema = z
  .object({
    userId: z.string(),
    change: changeStateSchema.nullable().describe('Roles that wait; null: they are all there.'),
    invitation: invitation.nullable().describe('Null: invite them once both changes are effective.'),
    invitationChange: changeStateSchema.nullable().describe('What the invitation waits for.'),
  })
  .meta({ id: 'AddedUser' });

export const invitedUserSchema = z
  .union([z.object({ invitation }), z.object({ change: changeStateSchema })])
  .meta({ id: 'InvitedUser', description: 'A code, or the change that must be confirmed before there is one.' });

export const userParams = z.object({ userId: z.guid('is not the id of a user').toLowerCase() });
export const roleParams = userParams.extend({ role });
export const rolesSchema = z.strictObject({ roles: z.array(role).min(1) });
export const changeParams = z.object({ changeId: z.guid('is not the id of a change').toLowerCase() });
export const remarkParams = z.object({ remarkId: z.guid('is not the id of a remark').toLowerCase() });

export const selfSchema = z
  .object({
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    roles: z.array(role),
    tokenId: z.string(),
    pendingChanges: z.array(changeSchema).describe('What everyone with a role should know of.'),
  })
  .meta({ id: 'Self', description: 'The user or program behind a token.' });
