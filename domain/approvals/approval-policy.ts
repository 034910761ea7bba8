import { z } from 'zod';
import { ROLES } from '../users/role.ts';

/**
 * What approvals a run needs. Each currency of a run (that of the amounts which its rows fix) is judged by the first
 * rule that fits it; the steps of all these rules are needed, each as often as the rule that asks most, and a currency
 * that no rule fits blocks the run. The database applies it (`steps_for`); this is its form.
 */

const amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'give a plain amount in quotes, as "50000.00"');
const code = z.string().regex(/^[A-Z]{3}$/, 'give a currency code, as "EUR"');
const name = z.string().trim().min(1).max(100);

const conditions = z.strictObject({
  currencies: z.array(code).min(1).optional(),
  /** Provider accounts. */
  accounts: z.array(name).min(1).optional(),
  /** The sum of the run's rows in the currency, and its largest row. */
  totalAtLeast: amount.optional(),
  largestAtLeast: amount.optional(),
  /** Some row pays an account that was never paid before. */
  newBeneficiary: z.literal(true).optional(),
});

/** One person each: anyone with the role, or one of these logins. All of them need the role of a checker. */
const step = z.union([
  z.strictObject({ role: z.enum(ROLES).refine((role) => role === 'checker', 'only checkers approve') }),
  z.strictObject({ logins: z.array(z.string().min(1)).min(1) }),
]);

const MOST_STEPS = 5;
const MOST_RULES = 100;

export const approvalPolicySchema = z.strictObject({
  rules: z
    .array(z.strictObject({ name, when: conditions.default({}), steps: z.array(step).min(1).max(MOST_STEPS) }))
    .min(1)
    .max(MOST_RULES),
  changes: z.strictObject({
    /** After so long a change takes effect without a second administrator, unless somebody objects. Null: never. */
    delayHours: z.number().min(1).max(8_760).nullable(),
  }),
});

export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** What somebody who sets the policy should know and may still want. */
export function policyRemarks({ rules, changes }: ApprovalPolicy): string[] {
  const catchAll = rules.findIndex(({ when }) => Object.keys(when).length === 0);
  const lists = new Set(
    (catchAll === -1 ? rules : rules.slice(0, catchAll + 1)).map(({ steps }) => JSON.stringify(steps)),
  );
  const unreachable = catchAll === -1 ? [] : rules.slice(catchAll + 1).map((rule) => rule.name);
  return [
    ...(catchAll === -1 ? ['no rule fits every run: a run with a currency that none fits cannot be approved'] : []),
    ...unreachable.map((rule) => `the rule "${rule}" is never reached: a rule before it fits every run`),
    ...(lists.size > 1
      ? [
          'a run in several currencies needs the steps of every rule that one of them falls under, each by another person',
        ]
      : []),
    ...(changes.delayHours === null ? ['with one administrator alone, no such change ever takes effect'] : []),
  ];
}
