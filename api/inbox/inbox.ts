import { z } from 'zod';
import { instant } from '../fields.ts';

/** What waits for the acting user. */

export const INBOX_KINDS = [
  'approval',
  'checked',
  'no_approver',
  'not_approved',
  'unknown_row',
  'manual_outcome',
  'held_row',
  'unconfirmed_account',
  'order_approval',
  'schedule_approval',
  'unknown_order',
  'order_manual_outcome',
  'case',
  'case_manual_outcome',
  'unknown_virtual_account',
  'virtual_account_manual_outcome',
  'receipt',
  'break',
  'day',
  'stop',
  'not_paid',
  'change',
] as const;
export type InboxKind = (typeof INBOX_KINDS)[number];

const inboxItemSchema = z
  .object({
    id: z
      .string()
      .describe(
        'Id of the run, the payment, the order, schedule, case, virtual account, break, stop or change; currency and entry of a ' +
          'receipt; account and date of a day; account and key of a beneficiary.',
      ),
    title: z.string().describe('A file name, a pair of currencies, an amount, a reference: no bank details.'),
    account: z.string().nullable().describe('Null: of all accounts.'),
    state: z.string().nullable(),
    count: z
      .int()
      .describe(
        'Rows of a run, accounts of a beneficiary, days of an account that are not signed, otherwise 1. Those of `not_paid` are counted up to 1,000.',
      ),
    waitingSince: instant,
    expiresAt: instant.nullable(),
    runId: z.string().nullable().describe('Where it belongs to a run.'),
    day: z.string().nullable().describe('Day of a break, or to sign; null: something else.'),
    reason: z
      .string()
      .nullable()
      .describe(
        'Of `no_approver`: why nobody can approve the run; of `not_approved`: who rejected it, and why. Null: its kind says it.',
      ),
  })
  .meta({ id: 'InboxItem' });
export type InboxItem = z.infer<typeof inboxItemSchema>;

const agesSchema = z
  .object({ underOneDay: z.int(), oneToThreeDays: z.int(), threeToSevenDays: z.int(), overSevenDays: z.int() })
  .describe('How many wait for how long, of those that were counted.');

const inboxGroupSchema = z
  .object({
    kind: z
      .enum(INBOX_KINDS)
      .describe(
        '`approval`: runs that you may approve or reject. `checked`: runs that you had checked only, and have not sent for approval. `no_approver`: runs that you submitted and that nobody can approve. ' +
          '`not_approved`: runs that you submitted and that were rejected or expired in the last 14 days, and were not submitted again. ' +
          '`unknown_row`: runs with rows of unknown outcome. `manual_outcome`: rows with a proposed outcome that you may confirm; ' +
          '`order_manual_outcome`, `case_manual_outcome`, `virtual_account_manual_outcome` the same of orders to convert, onboarding cases and ' +
          'virtual accounts. `held_row`: runs with held rows or suspected duplicates. `unconfirmed_account`: beneficiaries of the ' +
          'book with accounts that you may confirm. `order_approval`: orders that you may approve. `schedule_approval`: versions of schedules that you may confirm. `unknown_order`, `unknown_virtual_account`: ' +
          'orders that are held or of unknown outcome, and requests of unknown outcome. `case`: onboarding that waits for an ' +
          'onboarder. `receipt`: money that came more than an hour ago and that nothing explains. `break`: differences in the ' +
          'books. `day`: of each account the first day that is not signed. `stop`: stops that you may lift. `not_paid`: runs that ended in the last 14 days with rows ' +
          'that failed, were rejected, returned or held, and were not submitted again; runs that people rejected, withdrew or ' +
          'cancelled are left out. `change`: changes that you may confirm.',
      ),
    count: z.int().describe('Items, at most 1,000.'),
    hasMore: z.boolean().describe('There are more than were counted.'),
    oldestSince: instant.nullable(),
    ages: agesSchema,
    items: z.array(inboxItemSchema).describe('The first 20: those that have waited longest.'),
  })
  .meta({ id: 'InboxGroup' });
export type InboxGroup = z.infer<typeof inboxGroupSchema>;

export const inboxSchema = z
  .object({
    count: z.int(),
    groups: z.array(inboxGroupSchema).describe('The most urgent kind first; empty ones are left out.'),
  })
  .meta({ id: 'Inbox', description: 'What waits for the acting user.' });
export type Inbox = z.infer<typeof inboxSchema>;
