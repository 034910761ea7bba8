import { z } from 'zod';
import { CURRENCY_CODE } from '../payment-file/payment-codes.ts';
import { isTimeZone } from '../treasury/local-time.ts';
import { ROLES } from '../users/role.ts';

/**
 * Which approvals a run needs. The first matching rule applies to each currency of the run (that of its fixed amounts).
 * The run needs the steps of all these rules; if several rules have the same step, as often as the rule with the most.
 * A currency without a matching rule blocks the run. The database applies the policy (`steps_for`); this is its schema.
 */

const amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'give a plain amount in quotes, as "50000.00"');
const currency = z.string().regex(CURRENCY_CODE, 'give a currency code, as "EUR"');
const name = z.string().trim().min(1).max(100);

const conditions = z.strictObject({
  currencies: z.array(currency).min(1).optional(),
  /** Provider accounts. */
  accounts: z.array(name).min(1).optional(),
  /** The sum of the run's amounts in the currency, and the largest one. */
  totalAtLeast: amount.optional(),
  largestAtLeast: amount.optional(),
  /** At least one row pays an account that was never paid before. */
  newBeneficiary: z.literal(true).optional(),
});

/** One approval: by anyone with the role, or by one of these logins. Every approver needs the role of a checker. */
const step = z.union([
  z.strictObject({ role: z.enum(ROLES).refine((role) => role === 'checker', 'only checkers approve') }),
  z.strictObject({ logins: z.array(z.string().min(1)).min(1) }),
]);

/** By the currency that is sold; amounts in it, with the fees. */
const conversionLimits = z.strictObject({
  /** Of the days that the daily caps are counted in. Absent: UTC. */
  timeZone: z.string().refine(isTimeZone, 'give a time zone, as "Europe/Berlin"').optional(),
  limits: z
    .record(
      currency,
      z.strictObject({
        /** The largest order. */
        maxOrder: amount.optional(),
        /** Of all orders of an account in a local day. */
        dailyCap: amount.optional(),
        /** Orders up to it need no approval. Absent: each one does. Applied by `approvalGuard`, and by `conversion_is_authorized` in the database. */
        approvalAbove: amount.optional(),
      }),
    )
    .default({}),
  /**
   * By pair, sold currency first, as "USD/EUR": whether the provider's rate is in units bought for one sold (direct), or the
   * other way round. Only needed where the quotes do not show it.
   */
  directions: z
    .record(z.string().regex(/^[A-Z]{3}\/[A-Z]{3}$/, 'give a pair, as "USD/EUR"'), z.enum(['direct', 'inverse']))
    .default({}),
  /** Who funds a conversion a second time if the history shows that the first request had no effect. Absent: payrun. */
  secondFunding: z.enum(['payrun', 'person']).optional(),
});

const MAX_STEPS = 5;
const MAX_RULES = 100;

export const approvalPolicySchema = z.strictObject({
  /** Which one is in force; of a proposed one, from which it was made: another one in force refuses it. Absent: from any. */
  version: z.int().min(1).optional(),
  rules: z
    .array(z.strictObject({ name, when: conditions.default({}), steps: z.array(step).min(1).max(MAX_STEPS) }))
    .min(1)
    .max(MAX_RULES),
  changes: z.strictObject({
    /** Hours after which a change takes effect without a second administrator, unless somebody objects. Null: never. */
    delayHours: z.number().min(1).max(8_760).nullable(),
  }),
  /** Whether each approval of a run or an order takes a second factor, beside the sign-in. Absent: no. */
  secondFactor: z.strictObject({ approvals: z.boolean() }).optional(),
  /** Limits of orders to convert. Absent: none, and each order needs the approval of a second person. */
  conversions: conversionLimits.optional(),
  /** How long the personal data of an onboarding case is kept after its end. Absent: `decidedDays` is five years, `otherDays` is 0. */
  retention: z
    .strictObject({
      /** Of applicants whom the provider approved or rejected: laws against money laundering ask for years. */
      decidedDays: z.int().min(0).max(36_500),
      /** Of cases that ended otherwise. */
      otherDays: z.int().min(0).max(36_500),
    })
    .optional(),
});

export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** Warnings for the administrator who sets the policy; none of them prevents it. */
export function policyRemarks({ rules, changes, secondFactor }: ApprovalPolicy): string[] {
  const catchAll = rules.findIndex(({ when }) => Object.keys(when).length === 0);
  const stepLists = new Set(
    (catchAll === -1 ? rules : rules.slice(0, catchAll + 1)).map(({ steps }) => JSON.stringify(steps)),
  );
  const unreachable = catchAll === -1 ? [] : rules.slice(catchAll + 1).map((rule) => rule.name);
  return [
    ...(catchAll === -1 ? ['no rule fits every run: a run with a currency that none fits cannot be approved'] : []),
    ...unreachable.map((rule) => `the rule "${rule}" is never reached: a rule before it fits every run`),
    ...(stepLists.size > 1
      ? [
          'a run in several currencies needs the steps of every rule that one of them falls under, each by another person',
        ]
      : []),
    ...(secondFactor?.approvals === true
      ? ['who approves needs a second factor: each checker sets one up under their sign-in before it is in force']
      : []),
    ...(changes.delayHours === null ? ['with one administrator alone, no such change ever takes effect'] : []),
  ];
}
