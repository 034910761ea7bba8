import { z } from 'zod';
import { manualOutcomeStatesOf } from '../../domain/payments/manual-outcome-state.ts';
import { allowedActionsSchema } from '../approvals/allowed-actions.ts';
import { VIRTUAL_ACCOUNT_STATES } from '../../domain/accounts/virtual-account-state.ts';
import { amount, countInQuery, instant, person, plainText, remark } from '../fields.ts';
import { accountInQuery } from './balance.ts';

export const VIRTUAL_ACCOUNT_OUTCOMES = ['approved', 'cancelled', 'rejected', 'pending', 'never_created'] as const;

const manualOutcomeSchema = z.object({
  manualOutcomeId: z.string(),
  outcome: z.enum(VIRTUAL_ACCOUNT_OUTCOMES),
  requestId: z.string().nullable(),
  number: z
    .string()
    .nullable()
    .describe('Number of the account, where the provider shows one; null for users who may not read instructions.'),
  reason: z.string().nullable().describe('Null: it was erased.'),
  state: z.enum(manualOutcomeStatesOf('virtual_account')),
  proposedBy: person,
  proposedAt: instant,
  closedBy: person.nullable(),
});

export const virtualAccountSchema = z
  .object({
    virtualAccountId: z.string().describe("payrun's own id."),
    account: z.string(),
    name: z.string(),
    sentName: z.string().describe('What the provider has: the name with a tag, by which it is found again.'),
    provider: z.string(),
    currency: z.string(),
    description: z.string(),
    type: z.enum(['open', 'fixed']),
    amount: amount.nullable(),
    state: z.enum(VIRTUAL_ACCOUNT_STATES),
    stateReason: z.string().nullable().describe('A code.'),
    requestId: z.string().nullable().describe("The provider's id of the request."),
    number: z
      .string()
      .nullable()
      .describe('Of an approved one that has its number, for users who may read instructions; else null.'),
    requestedBy: person,
    requestedAt: instant,
    readAt: instant.nullable().describe('When the provider last showed it.'),
    manualOutcomes: z.array(manualOutcomeSchema).describe('What people said became of it; the oldest first.'),
  })
  .meta({ id: 'VirtualAccount' });
export type VirtualAccount = z.infer<typeof virtualAccountSchema>;

export const actionableVirtualAccountSchema = virtualAccountSchema
  .extend({ allowedActions: allowedActionsSchema })
  .meta({ id: 'ActionableVirtualAccount' });
export type ActionableVirtualAccount = z.infer<typeof actionableVirtualAccountSchema>;

export const virtualAccountQuery = z.object({ account: accountInQuery, limit: countInQuery(1, 1000, 200) });
export type VirtualAccountQuery = z.output<typeof virtualAccountQuery>;
export const virtualAccountListSchema = z.object({
  virtualAccounts: z.array(virtualAccountSchema).describe('The newest first.'),
  hasMore: z.boolean().describe('Whether there are older ones.'),
});
export type VirtualAccountList = z.infer<typeof virtualAccountListSchema>;

export const virtualAccountParams = z.object({ virtualAccountId: z.guid('is not an id').toLowerCase() });

const positive = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'must be a decimal, for example 2500.00');

export const virtualAccountRequestSchema = z
  .strictObject({
    account: z.string().min(1).max(100),
    name: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .regex(/^[A-Za-z0-9 ]+$/, 'must have letters, digits and spaces only'),
    provider: plainText(60),
    currency: z.string().length(3).toUpperCase(),
    description: plainText(200),
    type: z.enum(['open', 'fixed']),
    amount: positive.nullable().default(null),
    expiryDuration: z
      .number()
      .min(1)
      .max(48)
      .nullable()
      .default(null)
      .describe("With the type `fixed`; in the provider's unit."),
    approveAsync: z.boolean().default(false),
  })
  .refine(({ type, amount: of, expiryDuration }) => type === 'open' || (of !== null && expiryDuration !== null), {
    path: ['amount'],
    message: 'a fixed virtual account needs an amount and an expiry duration',
  })
  .meta({ id: 'VirtualAccountRequest' });
export type VirtualAccountRequest = z.input<typeof virtualAccountRequestSchema>;
export type NewVirtualAccount = z.output<typeof virtualAccountRequestSchema>;

const reason = remark.min(1, 'must say how it is known');
const requestId = plainText(128)
  .nullable()
  .default(null)
  .describe("The provider's id of the request, where it is not known.");

export const virtualAccountProposalSchema = z
  .strictObject({
    outcome: z.enum(VIRTUAL_ACCOUNT_OUTCOMES),
    requestId,
    number: z
      .string()
      .trim()
      .regex(/^(?!creating)[A-Za-z0-9 -]{4,40}$/i, 'must be an account number')
      .nullable()
      .default(null)
      .describe('With `approved`: as the provider shows it.'),
    reason,
  })
  .refine(({ outcome, number }) => (outcome === 'approved') === (number !== null), {
    path: ['number'],
    message: 'belongs to the outcome approved, and only to that',
  })
  .meta({ id: 'VirtualAccountProposal' });
export type VirtualAccountProposal = z.input<typeof virtualAccountProposalSchema>;
export type NewVirtualAccountProposal = z.output<typeof virtualAccountProposalSchema>;

const manualOutcomeId = z.guid('is not a manual outcome id').toLowerCase().describe('The proposal that was seen.');
export const virtualAccountConfirmationSchema = z.strictObject({ manualOutcomeId });
export const virtualAccountOutcomeRejectionSchema = z.strictObject({
  manualOutcomeId,
  reason: remark.min(1).nullable().default(null),
});
export type VirtualAccountOutcomeRejection = z.output<typeof virtualAccountOutcomeRejectionSchema>;
