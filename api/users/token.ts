import { z } from 'zod';
import { TOKEN_SCOPES } from '../../domain/users/token-scope.ts';
import { instant, plainText } from '../fields.ts';

const DEFAULT_VALID_DAYS = 90;

const tokenScope = z.enum(TOKEN_SCOPES);
export type TokenScope = z.infer<typeof tokenScope>;
const tokenScopes = z.array(tokenScope);

export const tokenSummarySchema = z
  .object({
    tokenId: z.string(),
    userId: z.string(),
    login: z.string().nullable(),
    name: z.string(),
    label: z.string(),
    scopes: tokenScopes.describe('What it may be used for, of all that the roles of its user permit.'),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Token', description: 'A token, without its secret: only a hash of that is kept.' });
export type TokenSummary = z.infer<typeof tokenSummarySchema>;

export const tokenListSchema = z.object({ tokens: z.array(tokenSummarySchema) });

export const validDays = z.int().min(1).max(730).default(DEFAULT_VALID_DAYS);
export const tokenLabel = plainText(100).describe('What it is for, so that one knows later which to revoke.');

export const tokenRequestSchema = z
  .strictObject({
    label: tokenLabel,
    validDays,
    scopes: tokenScopes
      .default(['read'])
      .describe('Every token reads, without saying so. One that decides ends after 24 hours at the latest.'),
  })
  .meta({ id: 'TokenRequest' });
export type TokenRequest = z.input<typeof tokenRequestSchema>;

export const issuedTokenSchema = z
  .object({
    token: z.string().describe('Shown only this once.'),
    tokenId: z.string(),
    expiresAt: instant,
    scopes: tokenScopes,
  })
  .meta({ id: 'IssuedToken' });
export type IssuedToken = z.infer<typeof issuedTokenSchema>;

export const tokenParams = z.object({ tokenId: z.guid('is not a token id').toLowerCase() });
