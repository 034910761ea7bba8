import { z } from 'zod';
import { isCalendarDate } from '../calendar-date.ts';
import { COUNTRY_CODE, CURRENCY_CODE } from '../payment-file/payment-codes.ts';
import { WEEKDAYS } from '../treasury/calendar-overrides.ts';
import { isTimeZone } from '../treasury/local-time.ts';
import { ROLES } from '../users/role.ts';

/**
 * Which approvals a run needs. The first matching rule applies to each currency of the run (that of its fixed amounts).
 * The run needs the steps of all these rules; if several rules have the same step, as often as the rule with the most.
 * A currency without a matching rule blocks the run. The database applies the policy (`steps_for`); this is its schema.
 */

const MAX_APPROVALS = 5;
const MAX_RULES = 100;

const amount = z.string().regex(/^\d{1,15}(\.\d{1,4})?$/, 'give a plain amount in quotes, as "50000.00"');
const currency = z.string().regex(CURRENCY_CODE, 'give a currency code, as "EUR"');
const country = z.string().regex(COUNTRY_CODE, 'give a country code, as "DE"');
const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'give a time, as "18:00"');
const day = z.string().refine(isCalendarDate, 'give a date, as 2026-12-01');
const login = z.string().min(1);
const name = z.string().trim().min(1).max(100);
/** A value of `acr`, none of which has a space (they are asked for in one text with spaces between), or of `amr`. */
const claim = z.string().regex(/^[!-~]{1,200}$/, 'give a value as the company says it, without spaces');

const conditions = z.strictObject({
  currencies: z.array(currency).min(1).optional(),
  /** Provider accounts. */
  accounts: z.array(name).min(1).optional(),
  /** The sum of the run's amounts in the currency, and the largest one. */
  totalAtLeast: amount.optional(),
  largestAtLeast: amount.optional(),
  /** At least one row pays an account that was never paid before. */
  newBeneficiary: z.literal(true).optional(),
  /** At least one row pays a bank in one of these, or a bank that is not known. */
  anyCountryOf: z.array(country).min(1).optional(),
  /** Every row pays a bank in one of these. */
  onlyCountries: z.array(country).min(1).optional(),
  /** When it is decided on, in the policy's time zone. */
  weekdays: z
    .array(z.enum(WEEKDAYS, `give one of: ${WEEKDAYS.join(', ')}`))
    .min(1)
    .optional(),
  /** From one time of the day until another; over midnight if that is earlier. */
  hours: z
    .strictObject({ from: timeOfDay, until: timeOfDay })
    .refine(({ from, until }) => from !== until, 'give two different times')
    .optional(),
});

/** How many people it takes. Absent: one. */
const approvals = z.int().min(1).max(MAX_APPROVALS).optional();

/** Approvals of anyone with the role, of these logins, or of a group. Every approver needs the role of a checker. */
const step = z.union([
  z.strictObject({ role: z.enum(ROLES).refine((role) => role === 'checker', 'only checkers approve'), approvals }),
  z.strictObject({ logins: z.array(login).min(1), approvals }),
  z.strictObject({ group: name, approvals }),
]);

/** Who acts for a user on these days, in the steps that name the user. Both count as one. */
const deputy = z
  .strictObject({ deputy: login, for: login, from: day, until: day })
  .refine(({ deputy, for: user }) => deputy !== user, 'nobody is their own deputy')
  .refine(({ from, until }) => from <= until, 'give a last day that is not before the first one');

const timeZone = z.string().refine(isTimeZone, 'give a time zone, as "Europe/Berlin"');

const limit = z
  .strictObject({ day: amount.optional(), week: amount.optional() })
  .refine(({ day, week }) => day !== undefined || week !== undefined, 'give an amount for a day, a week or both');

/** What may be approved in a day and in a week, in one currency. `limits_of_run` in the database applies them. */
const approvalLimits = z.strictObject({
  /** Other currencies count at the newest reference rate of the record; one without a rate of the last five days blocks its run. */
  currency,
  all: limit.optional(),
  /** Of the runs of one maker. */
  maker: limit.optional(),
  /** Of the rows that pay one bank account, in runs of all makers. */
  beneficiary: limit.optional(),
});

/** By the currency that is sold; amounts in it, with the fees. */
const conversionLimits = z.strictObject({
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

const approvalPolicy = z.strictObject({
  /** Which one is in force; of a proposed one, from which it was made: another one in force refuses it. Absent: from any. */
  version: z.int().min(1).optional(),
  rules: z
    .array(z.strictObject({ name, when: conditions.default({}), steps: z.array(step).min(1).max(MAX_APPROVALS) }))
    .min(1)
    .max(MAX_RULES),
  /** Logins, by the name of their group. */
  groups: z.record(name, z.array(login).min(1)).optional(),
  deputies: z.array(deputy).optional(),
  /** Of the days on which rows are due, of weekdays and hours in the rules, of the days and weeks of `limits`, and of what is shown. Absent: UTC. */
  timeZone: timeZone.optional(),
  /** By provider account, where the days on which its rows are due and of its daily caps are those of another one: `local_day` in the database. */
  accountTimeZones: z.record(name, timeZone).optional(),
  /** Absent: none. */
  limits: approvalLimits.optional(),
  /**
   * What a payment of a run may cost, as its proposal states it: fees as a percentage of the amount sold, and basis points that its rate
   * may be worse than the reference rate. Set, a run with a pair without a reference rate is not approved. Absent: `COST_BOUND`, and
   * without a rate none.
   */
  costBound: z
    .strictObject({
      feePercent: z.number().min(0).max(100).optional(),
      rateBasisPoints: z.int().min(0).max(10_000).optional(),
    })
    .optional(),
  /** From how many percent on an amount differs from that of the last paid run: `differences_of_run` in the database. Absent: 20. */
  changedAmountPercent: z.number().min(0).max(1_000).optional(),
  /**
   * Which rows wait until their account is confirmed in the book of beneficiaries: `hold`: all to accounts that are not; `hold_changed`:
   * those whose beneficiary, or account, the book has; `warn`: none. Absent: `hold_changed`. `unconfirmed_rows` in the database applies it.
   */
  unconfirmedAccounts: z.enum(['hold', 'hold_changed', 'warn']).optional(),
  /** Which rows may repeat others. `duplicate_terms` in the database applies it. */
  duplicates: z
    .strictObject({
      /** For how many days after a payment another one of the same, or nearly the same, amount to its account is suspected. Absent: 60. */
      days: z.int().min(30).max(366).optional(),
      /** How far amounts that are nearly the same differ at most, as a percentage. Absent: 1. */
      tolerancePercent: z.number().min(0.1).max(10).optional(),
      /** `warn`: a row that goes on with a regular payment, with another invoice number, is warned of. Absent: it is suspected as others are. */
      regularPayments: z.enum(['suspect', 'warn']).optional(),
    })
    .optional(),
  changes: z.strictObject({
    /** Hours after which a change takes effect without a second administrator, unless somebody objects. Null: never. */
    delayHours: z.number().min(1).max(8_760).nullable(),
  }),
  /**
   * Whether each sign-in at the console of a user who may more than read, each approval of a run or an order, and each change of users,
   * policy, provider, endpoints and stops, takes a second factor. Absent: with a real provider.
   */
  secondFactor: z
    .strictObject({
      signIn: z.boolean().optional(),
      approvals: z.boolean().optional(),
      changes: z.boolean().optional(),
    })
    .optional(),
  /** What the sign-in of the company says of how it has asked, in its id token. Absent: nothing of it is asked for. */
  companySignIn: z
    .strictObject({
      /** It says one of these. */
      acr: z.array(claim).min(1).optional(),
      /** It says all of these, as "mfa". */
      amr: z.array(claim).min(1).optional(),
      /** Whether no password opens a session at the console. Absent: passwords are taken. */
      only: z.boolean().optional(),
    })
    .optional(),
  /** Limits of orders to convert. Absent: none, and each order needs the approval of a second person. */
  conversions: conversionLimits.optional(),
  /** How long personal data is kept after the end of its case or run. Absent: five years, and `otherDays` 0. */
  retention: z
    .strictObject({
      /** Of applicants whom the provider approved or rejected: laws against money laundering ask for years. */
      decidedDays: z.int().min(0).max(36_500),
      /** Of cases that ended otherwise. */
      otherDays: z.int().min(0).max(36_500),
      /** What an ended run has of its payees: laws on taxes and accounts ask for years. Absent: five years. */
      payeesDays: z.int().min(0).max(36_500).optional(),
    })
    .optional(),
});

export type ApprovalPolicy = z.infer<typeof approvalPolicy>;

export const approvalPolicySchema = approvalPolicy.superRefine(({ rules, groups = {} }, context) => {
  for (const [index, { steps }] of rules.entries()) {
    const refuse = (message: string, ...place: (string | number)[]): void => {
      context.addIssue({ code: 'custom', path: ['rules', index, 'steps', ...place], message });
    };
    for (const [place, given] of steps.entries()) {
      const members = 'group' in given ? groups[given.group] : 'logins' in given ? given.logins : null;
      if (members === undefined) refuse('there is no such group in `groups`', place, 'group');
      else if (members !== null && new Set(members).size < approvalsOf(given))
        refuse('asks for more people than it names', place);
    }
    if (sumOf(steps) > MAX_APPROVALS) refuse(`ask for more than ${MAX_APPROVALS} approvals together`);
  }
});

type Step = ApprovalPolicy['rules'][number]['steps'][number];

/** How many people a step takes. */
export function approvalsOf({ approvals = 1 }: Step): number {
  return approvals;
}

function sumOf(steps: readonly Step[]): number {
  return steps.reduce((sum, each) => sum + approvalsOf(each), 0);
}

/** Warnings for the administrator who sets the policy; none of them prevents it. */
export function policyRemarks({
  rules,
  changes,
  limits,
  costBound,
  secondFactor,
  companySignIn,
}: ApprovalPolicy): string[] {
  const catchAll = rules.findIndex(({ when }) => Object.keys(when).length === 0);
  const stepLists = new Set(
    (catchAll === -1 ? rules : rules.slice(0, catchAll + 1)).map(({ steps }) => JSON.stringify(steps)),
  );
  const unreachable = catchAll === -1 ? [] : rules.slice(catchAll + 1).map((rule) => rule.name);
  return [
    ...(companySignIn?.only === true
      ? [
          'no password is taken any more: who has not connected their identity needs a one-time link, or a code of the owner of the database (payrun administrator --recover)',
        ]
      : []),
    ...(companySignIn?.acr === undefined && companySignIn?.amr === undefined
      ? []
      : [
          'whose sign-in of the company does not say this is refused there: try it before, with the claims of an id token',
        ]),
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
    ...(limits === undefined
      ? []
      : [
          `a run in another currency than ${limits.currency} is approved only while there are reference rates of the last five days (PAYRUN_REFERENCE_RATES)`,
        ]),
    ...(costBound === undefined
      ? []
      : [
          'a run that sells one currency for another is approved only with a reference rate of the last five days (PAYRUN_REFERENCE_RATES)',
        ]),
    ...(changes.delayHours === null ? ['with one administrator alone, no such change ever takes effect'] : []),
  ];
}
