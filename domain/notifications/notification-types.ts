import { SUPPLIABLE_CASE_STATES } from '../onboarding/case-state.ts';
import { type PaymentState, paymentStatesWhere } from '../payments/payment-state.ts';
import { ENDED_RUN_STATES } from '../runs/run-state.ts';
import { conversionStatesWhere } from '../treasury/conversion-state.ts';

/**
 * What people and other programs are notified of. A new type is one more entry here: `payrun migrate` writes `on` into the table
 * that the triggers of the database read (`notification_rules`). A subject that is none of these needs its facts as well, in
 * `subject-facts.ts` and `store/notifications/read-facts.ts`.
 */

/** What causes a notification: an audit entry of a kind, or rows of a run that come into a state. */
export type NotificationCause =
  | { audit: string /** Only with this state in the detail of the entry. */; state?: string }
  | { payments: PaymentState };

export type NotificationSubject =
  | 'run'
  | 'case'
  | 'order'
  | 'schedule'
  | 'shortage'
  | 'refund'
  | 'listing'
  | 'change'
  | 'book_day'
  | 'endpoint'
  | 'user'
  | 'outbox';

interface NotificationRule {
  subject: NotificationSubject;
  /** For the documents and `payrun notifications types`: a sentence after "when". */
  when: string;
  on: readonly NotificationCause[];
  /** Several of this type about one subject become one notification, and the next one comes after a while. */
  merges?: true;
}

export const NOTIFICATION_RULES = {
  'run.approval_needed': {
    subject: 'run',
    when: 'a run waits for an approval: its first, the next step, or again after rows were released',
    on: [
      { audit: 'run_in_approval' },
      { audit: 'run_sent' },
      { audit: 'decision_approved' },
      { audit: 'rows_released' },
    ],
  },
  'run.finished': {
    subject: 'run',
    when: 'a run has ended, and again when an unknown row or a payment that came back changes how it ended',
    on: [...ENDED_RUN_STATES.map((state) => ({ audit: `run_${state}` })), { audit: 'run_withdrawn' }],
  },
  'run.paused': {
    subject: 'run',
    when: 'a run is stopped: by a person, or by payrun, as ten rows in a row were refused with the same answer',
    on: [{ audit: 'stopped' }],
  },
  'run.rows_held': {
    subject: 'run',
    when: 'rows of a run wait for a person: held, or suspected duplicates',
    on: paymentStatesWhere(({ stage }) => stage === 'on_hold').map((payments) => ({ payments })),
    merges: true,
  },
  'run.awaiting_funds': {
    subject: 'run',
    when: 'insufficient balance: rows of a run wait for funds',
    on: [{ payments: 'awaiting_funds' }],
    merges: true,
  },
  'run.rows_unknown': {
    subject: 'run',
    when: 'it is not known how rows of a run ended: somebody has to find out',
    on: [{ payments: 'unknown' }],
    merges: true,
  },
  'run.rows_returned': {
    subject: 'run',
    when: 'payments of a run were paid and came back',
    on: [{ payments: 'returned' }],
    merges: true,
  },
  'run.resolution_contradicted': {
    subject: 'run',
    when: 'the provider shows a payment of a row that two people had resolved as unpaid: what was submitted again in its place is held',
    on: [{ audit: 'resolution_contradicted' }],
  },
  'run.copy_paid': {
    subject: 'run',
    when: 'the provider shows such a payment, and what was submitted again in its place was paid already, or is being paid',
    on: [{ audit: 'copy_paid' }],
  },
  'case.input_needed': {
    subject: 'case',
    when: 'an onboarding case needs documents, values or a person',
    on: SUPPLIABLE_CASE_STATES.map((state) => ({ audit: 'case_moved', state })),
  },
  'case.reminder': {
    subject: 'case',
    when: 'a case still waits for an onboarder',
    on: [{ audit: 'case_reminded' }],
  },
  'case.unknown': {
    subject: 'case',
    when: 'it is not known whether an applicant was signed up: somebody has to find out',
    on: [{ audit: 'case_moved', state: 'unknown' }],
  },
  'order.approval_needed': {
    subject: 'order',
    when: 'an order to convert waits for the approval of another person',
    on: [{ audit: 'conversion_moved', state: 'in_approval' }],
  },
  'order.action_needed': {
    subject: 'order',
    when: 'an order to convert is held or unknown, or has lapsed: somebody has to find out why',
    on: conversionStatesWhere(({ order }) => order.notifiesPeople).map((state) => ({
      audit: 'conversion_moved',
      state,
    })),
  },
  'schedule.approval_needed': {
    subject: 'schedule',
    when: 'a schedule of conversions, or a new version of one, waits for a second person',
    on: [{ audit: 'schedule_added' }, { audit: 'schedule_edited' }],
  },
  'schedule.paused': {
    subject: 'schedule',
    when: 'a schedule is paused, by a person or by payrun, and converts nothing until a treasurer resumes it',
    on: [{ audit: 'schedule_paused' }],
  },
  'schedule.missed': {
    subject: 'schedule',
    when: 'a schedule was due and was not carried out in time, or only in part: after an outage, or because the provider gave no answer',
    on: [
      { audit: 'occurrence_ended', state: 'missed' },
      { audit: 'occurrence_ended', state: 'partly_missed' },
    ],
    merges: true,
  },
  'cash.shortage_expected': {
    subject: 'shortage',
    when: 'the cash view expects too little of a currency for what is approved: sent when this is first found, and again if the shortage is expected earlier',
    on: [{ audit: 'shortage_expected' }],
  },
  'refund.late': {
    subject: 'refund',
    when: 'the provider has shown a refund for five days, and its money has not arrived',
    on: [{ audit: 'refund_late' }],
  },
  'records.unreadable': {
    subject: 'listing',
    when: 'a list of refunds or fundings of the provider has had a record for a day that payrun cannot read: returns of its amount wait for a week, then go on without it',
    on: [{ audit: 'records_unreadable' }],
  },
  'change.proposed': {
    subject: 'change',
    when: 'a change that takes two administrators is proposed',
    on: [{ audit: 'change_proposed' }],
  },
  'change.decided': {
    subject: 'change',
    when: 'such a change takes effect, or is rejected or replaced',
    on: [{ audit: 'change_effective' }, { audit: 'change_rejected' }, { audit: 'change_replaced' }],
  },
  'change.code_made': {
    subject: 'change',
    when: 'an invitation that took two administrators, or its delay, is used to make a code: whoever has the code signs in as its user',
    on: [{ audit: 'user_invited' }],
  },
  'books.break_found': {
    subject: 'book_day',
    when: "the provider's history of a day differs from the database: people explain and close each break; and when what was explained as missing comes later",
    on: [{ audit: 'break_found' }, { audit: 'break_reopened' }],
    merges: true,
  },
  'endpoint.disabled': {
    subject: 'endpoint',
    when: 'another endpoint is disabled, because it failed for days, no longer exists, 10,000 notifications wait for it, or an administrator disabled it; or it is removed',
    on: [{ audit: 'endpoint_given_up' }, { audit: 'endpoint_disabled' }, { audit: 'endpoint_removed' }],
  },
  'user.session_ended': {
    subject: 'user',
    when: 'an administrator ends a session of somebody else',
    on: [{ audit: 'session_ended', state: 'by_another' }],
  },
  'user.codes_tried': {
    subject: 'user',
    when: 'somebody who has signed in as a user so far, or holds their token, has given ten wrong codes of their authenticator app: unless it was the user, the password is known to somebody',
    on: [{ audit: 'codes_tried' }],
    merges: true,
  },
  'notifications.left_out': {
    subject: 'outbox',
    when: 'no worker had looked at notifications for so long that 100,000 waited: later ones were left out, so look at what waits for a person',
    on: [],
  },
  'endpoint.test': { subject: 'endpoint', when: 'an administrator tests this endpoint', on: [] },
} as const satisfies Record<string, NotificationRule>;

export type NotificationType = keyof typeof NOTIFICATION_RULES;

export const NOTIFICATION_TYPES = Object.keys(NOTIFICATION_RULES) as readonly NotificationType[];

/** What an endpoint may be limited to: a test is sent to the tested one, whatever its types. */
export const SELECTABLE_TYPES = NOTIFICATION_TYPES.filter((type) => type !== 'endpoint.test');

export function ruleOf(type: NotificationType): NotificationRule {
  return NOTIFICATION_RULES[type];
}

/** Types whose facts about one subject are sent in one notification. */
export const MERGED_TYPES = NOTIFICATION_TYPES.filter((type) => ruleOf(type).merges === true);
