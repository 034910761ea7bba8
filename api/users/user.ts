import { z } from 'zod';
import { ROLES } from '../../domain/users/role.ts';
import { changeStateSchema, changeSummarySchema } from '../approvals/change.ts';
import { instant, plainText } from '../fields.ts';
import { invitationSchema, mailedCodeSchema } from './invitation.ts';

const roleSchema = z.enum(ROLES);
export type Role = z.infer<typeof roleSchema>;

const mailAddress = z.email('is not a mail address').max(254);

const userAccounts = z
  .array(z.string())
  .nullable()
  .describe('The accounts with the provider that they are limited to; null: they may use all.');

export const userSummarySchema = z
  .object({
    userId: z.string(),
    login: z.string().nullable().describe('Null: they cannot sign in until an administrator sets it.'),
    name: z.string(),
    mail: z.string().nullable().describe('Where codes to sign in go, if the server sends mails.'),
    roles: z.array(roleSchema),
    pendingRoles: z.array(roleSchema).describe('They wait for a second administrator.'),
    accounts: userAccounts,
    disabledAt: instant.nullable(),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'User' });
export type UserSummary = z.infer<typeof userSummarySchema>;

export const userListSchema = z.object({ users: z.array(userSummarySchema) });

export const userRequestSchema = z
  .strictObject({
    login: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._@+-]{0,63}$/, 'give small letters, digits and . _ @ + -, at most 64')
      .describe('What the user signs in as.'),
    name: plainText(100),
    roles: z.array(roleSchema).min(1),
    mail: mailAddress
      .nullable()
      .default(null)
      .describe('Where codes to sign in go. Needed where the server sends mails.'),
  })
  .meta({ id: 'UserRequest' });
export type UserRequest = z.input<typeof userRequestSchema>;

export const addedUserSchema = z
  .object({
    userId: z.string(),
    change: changeStateSchema.nullable().describe('Roles that wait; null: all took effect at once.'),
    invitation: invitationSchema
      .nullable()
      .describe('Null: it was mailed, or invite them once both changes are effective.'),
    mailed: mailedCodeSchema.nullable().describe('Null: it was not.'),
    invitationChange: changeStateSchema.nullable().describe('What the invitation waits for.'),
  })
  .meta({ id: 'AddedUser' });
export type AddedUser = z.infer<typeof addedUserSchema>;

export const userMailSchema = z.strictObject({ mail: mailAddress }).meta({ id: 'UserMail' });

export const userParams = z.object({ userId: z.guid('is not the id of a user').toLowerCase() });
export const roleParams = userParams.extend({ role: roleSchema });
export const rolesSchema = z.strictObject({ roles: z.array(roleSchema).min(1) });

export const accountLimitSchema = z
  .strictObject({
    accounts: z
      .array(z.string().min(1).max(100))
      .min(1, 'name at least one account; null gives all')
      .max(100)
      .nullable()
      .describe('The accounts with the provider that the user may use; null: all.'),
  })
  .meta({ id: 'AccountLimit' });

export const selfSchema = z
  .object({
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    roles: z.array(roleSchema),
    accounts: userAccounts,
    tokenId: z.string(),
    pendingChanges: z.array(changeSummarySchema).describe('What everyone with a role should know of.'),
  })
  .meta({ id: 'Self', description: 'The user or program behind a token.' });
export type Self = z.infer<typeof selfSchema>;
