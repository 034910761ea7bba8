import { z } from 'zod';
import { instant } from '../runs/run.ts';
import { plainText } from './user.ts';

/** Days after which a token expires unless its maker says another number. */
const USUAL_DAYS = 90;

export const tokenSchema = z
  .object({
    tokenId: z.string(),
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    label: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Token', description: 'A token, without its secret: only a hash of that is kept.' });

const validDays = z.int().min(1).max(730).default(USUAL_DAYS);
const label = plainText(100).describe('What it is for, so that one knows later which to revoke.');

export const tokenRequestSchema = z.strictObject({ label, validDays }).meta({ id: 'TokenRequest' });

export const invitationAcceptanceSchema = z
  .strictObject({ code: z.string().min(1).max(200), label: label.default('sign-in'), validDays })
  .meta({ id: 'InvitationAcceptance' });

export const issuedTokenSchema = z
  .object({ token: z.string().describe('Shown this once.'), tokenId: z.string(), expiresAt: instant })
  .meta({ id: 'IssuedToken' });
