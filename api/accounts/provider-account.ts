import { z } from 'zod';
import { instant } from '../fields.ts';

const providerAccountSchema = z
  .object({
    account: z.string(),
    provider: z
      .object({
        apiAddress: z
          .string()
          .describe(
            "Address of the provider's API; of one on the same machine without its port, as `http://loopback`.",
          ),
        accessKey: z
          .string()
          .describe('SHA-256 of the id of the access key, in hex. The key itself is nowhere in the database.'),
        isSandbox: z.boolean().describe("Whether it is payrun's own sandbox."),
        recordedAt: instant,
      })
      .nullable()
      .describe('The provider that the data of the account belongs to; null: no worker has recorded one yet.'),
    limits: z
      .object({
        perSecond: z.int().describe('Requests; 0: no limit.'),
        perDay: z.int().describe('Requests.'),
        reservedPerDay: z.int().describe('How many of these are kept for payments that are begun.'),
      })
      .nullable()
      .describe('As the server is configured; null: the account is in the database alone.'),
  })
  .meta({ id: 'ProviderAccount', description: 'An account with a provider, without its secrets.' });
export type ProviderAccount = z.infer<typeof providerAccountSchema>;

export const providerAccountListSchema = z.object({ accounts: z.array(providerAccountSchema) });
