import { z } from 'zod';
import { ROLES } from '../../domain/role.ts';
import { instant } from './run.ts';

export const tokenSchema = z
  .object({
    tokenId: z.string(),
    userId: z.string(),
    name: z.string(),
    role: z.enum(ROLES),
    label: z.string(),
    createdAt: instant,
    expiresAt: instant.nullable(),
    revokedAt: instant.nullable(),
    lastUsedAt: instant.nullable(),
  })
  .meta({ id: 'Token', description: 'A token, without its secret: only the hash of that is kept.' });

const plainText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters');

export const tokenRequestSchema = z
  .strictObject({
    name: plainText(100).describe('Whose token it is. A person is made on first mention.'),
    role: z.enum(ROLES),
    label: plainText(100).describe('What it is for, so that one knows later which to revoke.'),
    validDays: z.int().min(1).max(3650).nullable().default(null).describe('Null: until it is revoked.'),
  })
  .meta({ id: 'TokenRequest' });

export const personSchema = z
  .object({ userId: z.string(), name: z.string(), role: z.enum(ROLES) })
  .meta({ id: 'Person', description: 'The person or program behind a token.' });
