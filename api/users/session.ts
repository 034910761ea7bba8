import { z } from 'zod';
import { PERMISSIONS, ROLES } from '../../domain/users/role.ts';
import { instant } from '../fields.ts';
import { factorsSchema } from './second-factor.ts';
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from './password-lengths.ts';

/**
 * Sessions of the console: a cookie beside the tokens of programs. Both act as their user, and the database asks both for
 * the same token hash.
 */

const newPassword = z
  .string()
  .min(PASSWORD_MIN_LENGTH, `must have at least ${PASSWORD_MIN_LENGTH} characters`)
  .max(PASSWORD_MAX_LENGTH, `must have at most ${PASSWORD_MAX_LENGTH} characters`);
const enteredPassword = z.string().min(1).max(PASSWORD_MAX_LENGTH);

export const signInSchema = z
  .union([
    z.strictObject({
      login: z.string().trim().toLowerCase().min(1).max(64).describe('What the user signs in as.'),
      password: enteredPassword,
    }),
    z.strictObject({ link: z.string().min(1).max(200).describe('The code of a one-time link, or of an invitation.') }),
  ])
  .meta({ id: 'SignInRequest' });
export type SignInRequest = z.infer<typeof signInSchema>;

export const signInMethodsSchema = z
  .object({
    password: z
      .object({ minLength: z.int(), maxLength: z.int() })
      .nullable()
      .describe('Null: the policy takes the sign-in of the company alone.'),
    oidc: z
      .object({ name: z.string().describe('Text of the button.') })
      .nullable()
      .describe('Null: not configured.'),
  })
  .meta({ id: 'SignInMethods', description: 'What the page for signing in offers.' });
export type SignInMethods = z.infer<typeof signInMethodsSchema>;
export const PASSWORD_LENGTHS = { minLength: PASSWORD_MIN_LENGTH, maxLength: PASSWORD_MAX_LENGTH };

const SIGN_IN_METHODS = ['password', 'link', 'oidc'] as const;

export const sessionSchema = z
  .object({
    sessionId: z.string().describe('Id of the session; of a program, the id of its token.'),
    method: z.enum([...SIGN_IN_METHODS, 'token']),
    user: z.object({ userId: z.string(), login: z.string().nullable(), name: z.string() }),
    awaitsSecondFactor: z
      .boolean()
      .describe('True: nothing but showing a second factor (`{"kind": "session"}`) and signing out is possible yet.'),
    roles: z.array(z.enum(ROLES)),
    permissions: z.array(z.enum(PERMISSIONS)).describe('What the roles allow, all together.'),
    accounts: z.array(z.string()).nullable().describe('The accounts that the user is limited to; null: all.'),
    usableAccounts: z.array(z.string()).describe('The configured accounts that the user may use, by their names.'),
    timeZone: z
      .string()
      .describe('IANA name: of the days on which rows are due, where the account has none of its own.'),
    signedInAt: instant,
    endsAt: instant.nullable().describe('Even if it is used. Null: a token without an end.'),
    idleSeconds: z.int().nullable().describe('It ends when it is not used for so long. Null: a token.'),
    hasPassword: z.boolean(),
    hasIdentity: z.boolean().describe('Whether the sign-in of the company is connected.'),
    factors: factorsSchema,
    mayChangeSignIn: z
      .object({
        until: instant
          .nullable()
          .describe(
            'Null: not now; sign in again first. Of the sign-in of the company, the time counts at which one signed in there.',
          ),
        /** After a one-time link, which takes two administrators for whoever decides. */
        needsNoReauthentication: z
          .boolean()
          .describe('True: neither the present password nor a present factor is needed.'),
      })
      .describe('Passwords and factors are changed soon after one has signed in.'),
    approval: z.object({ needsSecondFactor: z.boolean().describe('Whether the policy asks for a second factor.') }),
  })
  .meta({ id: 'Session' });
export type Session = z.infer<typeof sessionSchema>;

export const sessionSummarySchema = z
  .object({
    sessionId: z.string(),
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    method: z.enum(SIGN_IN_METHODS),
    browser: z.string().nullable().describe('Browser, as it named itself.'),
    address: z.string().nullable().describe('IP address from which the session was begun.'),
    createdAt: instant,
    lastUsedAt: instant.nullable(),
    endsAt: instant,
    endedAt: instant.nullable(),
    isActive: z.boolean(),
    isThis: z.boolean(),
  })
  .meta({ id: 'SessionSummary' });
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

export const sessionListSchema = z.object({ sessions: z.array(sessionSummarySchema) });
export const sessionParams = z.object({ sessionId: z.guid('is not the id of a session').toLowerCase() });

export const passwordChangeSchema = z
  .strictObject({
    present: enteredPassword
      .nullable()
      .default(null)
      .describe('Null: there is none, or one signed in by a one-time link.'),
    password: newPassword,
  })
  .meta({ id: 'PasswordChange' });
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/** `GET /session/oidc` and its callback are pages: they answer with redirects. On a failure to `/sign-in#error=<code>`. */
export const oidcStartQuery = z.object({
  to: z
    .string()
    .regex(/^\/(?![/\\])[!-~]*$/, 'must be a path of the console')
    .max(500)
    .default('/')
    .describe('Where to go afterwards.'),
  again: z
    .stringbool()
    .default(false)
    .describe(
      '`true`: to be asked there who it is, even if one is signed in there. Changes of how one signs in may take it.',
    ),
});

export const identityLinkSchema = z
  .object({ url: z.string().describe('Go there, to connect the sign-in of the company with your user.') })
  .meta({ id: 'IdentityLink' });
