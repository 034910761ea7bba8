import type { InboxItem, InboxKind } from '../../api/inbox/inbox.ts';
import { formatCount } from '../elements/formats.ts';
import type { Tone } from '../elements/mark.tsx';

import { beneficiaryHref } from '../beneficiaries/beneficiary-words.ts';

/** How a kind of what waits is worded, and where it is decided. */
interface KindWords {
  title: string;
  tone: Tone;
  /** What to do with it. */
  hint: string;
  hrefOf: (item: InboxItem) => string;
  /** The page that has all of them. */
  listHref: string;
  /** How that page is called, if it has others as well. */
  listName?: string;
  /** Of what there may be more than one in an item. */
  countOf?: { title: string; format: (count: number) => string };
}

/** Rows that were not paid are counted up to this many. */
const MAX_UNPAID = 1_000;

const ROWS = { title: 'Rows', format: formatCount };

function dayHref({ day, account }: InboxItem): string {
  return `/reconciliation/${day ?? ''}?account=${encodeURIComponent(account ?? '')}`;
}

export const KINDS: Readonly<Record<InboxKind, KindWords>> = {
  approval: {
    title: 'Runs to decide on',
    tone: 'waiting',
    hint: 'Approve or reject them: nothing is paid before.',
    hrefOf: ({ id }) => `/runs/${id}/decide`,
    listHref: '/runs?state=in_approval',
    countOf: ROWS,
  },
  checked: {
    title: 'Your runs that were checked, and not sent',
    tone: 'waiting',
    hint: 'Send them for approval, or withdraw them. They expire otherwise.',
    hrefOf: ({ id }) => `/runs/${id}`,
    listHref: '/runs?state=checked&by=me',
    countOf: ROWS,
  },
  no_approver: {
    title: 'Your runs that nobody can approve',
    tone: 'failed',
    hint: 'They expire unless somebody may approve them by then. Each says what to do about it.',
    hrefOf: ({ id }) => `/runs/${id}/decide`,
    listHref: '/runs?state=in_approval&by=me',
  },
  not_approved: {
    title: 'Your runs that were not approved',
    tone: 'failed',
    hint: 'They were rejected or expired, and pay nothing. Submit the file again, corrected, if it is still owed.',
    hrefOf: ({ id }) => `/runs/${id}`,
    listHref: '/runs?state=rejected,expired&by=me',
    countOf: ROWS,
  },
  unknown_row: {
    title: 'Payments of unknown outcome',
    tone: 'unknown',
    hint: 'Ask the provider, then say how they ended. A second person confirms it.',
    hrefOf: ({ id }) => `/runs/${id}/rows?state=unknown`,
    listHref: '/runs',
    listName: 'All runs',
    countOf: ROWS,
  },
  manual_outcome: {
    title: 'Outcomes to confirm',
    tone: 'unknown',
    hint: 'Somebody has said how a payment ended: confirm it, or reject it.',
    // The item is the payment.
    hrefOf: ({ runId }) => `/runs/${runId ?? ''}/rows?state=unknown`,
    listHref: '/runs',
    listName: 'All runs',
  },
  held_row: {
    title: 'Held rows and suspected duplicates',
    tone: 'waiting',
    hint: 'They are not paid unless somebody does something about them.',
    // The run says how many it has of each, and leads to either.
    hrefOf: ({ id }) => `/runs/${id}`,
    listHref: '/runs',
    listName: 'All runs',
    countOf: ROWS,
  },
  unconfirmed_account: {
    title: 'Accounts of beneficiaries to confirm',
    tone: 'waiting',
    hint: 'Somebody has added them to the book. Rows that pay them may be held until a second person confirms them.',
    hrefOf: ({ title, account }) => beneficiaryHref(title, account ?? ''),
    listHref: '/beneficiaries?state=proposed',
    countOf: { title: 'Accounts', format: formatCount },
  },
  order_approval: {
    title: 'Conversions to decide on',
    tone: 'waiting',
    hint: 'Approve or reject them before they expire.',
    hrefOf: ({ id }) => `/treasury/conversions/${id}`,
    listHref: '/treasury?state=in_approval',
  },
  schedule_approval: {
    title: 'Schedules to confirm',
    tone: 'waiting',
    hint: 'A new version is in force once a second person confirms it.',
    hrefOf: ({ id }) => `/treasury/schedules/${id}`,
    listHref: '/treasury/schedules',
    listName: 'All schedules',
  },
  unknown_order: {
    title: 'Conversions of unknown outcome',
    tone: 'unknown',
    hint: 'Ask the provider, then say what became of them.',
    hrefOf: ({ id }) => `/treasury/conversions/${id}`,
    listHref: '/treasury?state=unknown',
    listName: 'All conversions of unknown outcome',
  },
  order_manual_outcome: {
    title: 'Outcomes of conversions to confirm',
    tone: 'unknown',
    hint: 'Somebody has said what became of a conversion: confirm it, or reject it.',
    hrefOf: ({ id }) => `/treasury/conversions/${id}`,
    listHref: '/treasury',
    listName: 'All conversions',
  },
  case: {
    title: 'Applicants who wait for you',
    tone: 'waiting',
    hint: 'Something is missing, wrong, or asked for again.',
    hrefOf: ({ id }) => `/onboarding/${id}`,
    listHref: '/onboarding',
    listName: 'All applicants',
  },
  case_manual_outcome: {
    title: 'Outcomes of sign-ups to confirm',
    tone: 'unknown',
    hint: 'Somebody has said what became of a sign-up: confirm it, or reject it.',
    hrefOf: ({ id }) => `/onboarding/${id}`,
    listHref: '/onboarding?state=unknown',
    listName: 'All sign-ups of unknown outcome',
  },
  unknown_virtual_account: {
    title: 'Virtual accounts of unknown outcome',
    tone: 'unknown',
    hint: 'Ask the provider, then say what became of the request.',
    hrefOf: ({ id }) => `/accounts/virtual/${id}`,
    listHref: '/accounts/virtual',
    listName: 'All virtual accounts',
  },
  virtual_account_manual_outcome: {
    title: 'Outcomes of virtual accounts to confirm',
    tone: 'unknown',
    hint: 'Somebody has said what became of a request: confirm it, or reject it.',
    hrefOf: ({ id }) => `/accounts/virtual/${id}`,
    listHref: '/accounts/virtual',
    listName: 'All virtual accounts',
  },
  receipt: {
    title: 'Money that nothing explains',
    tone: 'waiting',
    hint: 'Say what it is.',
    hrefOf: ({ account }) => `/accounts/receipts?account=${encodeURIComponent(account ?? '')}`,
    listHref: '/accounts/receipts',
  },
  break: {
    title: 'Differences in the books',
    tone: 'failed',
    hint: 'One person explains a difference, another one closes it.',
    hrefOf: dayHref,
    listHref: '/reconciliation',
    listName: 'All days',
  },
  day: {
    title: 'Days to sign',
    tone: 'waiting',
    hint: 'Days are signed in their order: the first that is left of each account.',
    hrefOf: dayHref,
    listHref: '/reconciliation',
    listName: 'All days',
    countOf: { title: 'Days', format: formatCount },
  },
  stop: {
    title: 'Stops to lift',
    tone: 'failed',
    hint: 'While a stop is active, nothing is sent.',
    hrefOf: ({ runId }) => (runId === null ? '/operations/stops' : `/runs/${runId}`),
    listHref: '/operations/stops',
    listName: 'All stops',
  },
  not_paid: {
    title: 'Rows that were not paid',
    tone: 'failed',
    hint: 'They ended without being paid. Correct them in the exceptions file and submit it again, or leave them.',
    // The run says how many it has of each state, and has the exceptions file.
    hrefOf: ({ id }) => `/runs/${id}`,
    listHref: '/runs?state=partially_completed,failed',
    listName: 'All runs that ended so',
    countOf: {
      title: 'Rows',
      format: (count) => (count < MAX_UNPAID ? formatCount(count) : `${formatCount(count)} or more`),
    },
  },
  change: {
    title: 'Changes to confirm',
    tone: 'waiting',
    hint: 'They take effect when a second administrator confirms them.',
    hrefOf: () => '/admin/changes',
    listHref: '/admin/changes',
  },
};
