import { z } from 'zod';

/** Both the answer and the request. */
export { type ApprovalPolicy, approvalPolicySchema } from '../../domain/approvals/approval-policy.ts';

export const providerAccountParams = z.object({ account: z.string().min(1).max(100) });

export const providerRequestSchema = z
  .strictObject({
    apiUrl: z.url({ protocol: /^https?$/ }),
    accessKeyId: z.string().min(1).max(200).describe('Only a hash of it is kept.'),
  })
  .meta({ id: 'ProviderRequest' });

/** The provider that the data belongs to once the change is in effect. */
export type ChangedProvider = z.infer<typeof providerAccountParams> & z.infer<typeof providerRequestSchema>;
