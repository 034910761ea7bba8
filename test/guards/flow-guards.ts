import type { Guard } from './guard.ts';

/** Checks against workflows that are started or signalled too early or repeatedly. */

const REQUESTS = 'store/payments/payment-requests.ts';

const begun = (name: string) => ({ file: 'test/store/approved-requests.services.ts', name });
const resolutions = (name: string) => ({ file: 'test/store/resolutions.services.ts', name });
const steps = (name: string) => ({ file: 'test/activities/only-what-was-approved.services.ts', name });

export const FLOW_GUARDS: readonly Guard[] = [
  {
    id: 'begun-on-its-day',
    against: 'someone with access to Temporal has a row paid before its day',
    file: REQUESTS,
    text: `          and coalesce(instruction ->> 'payOn', '') <= $5\n`,
    without: '',
    test: begun('a row of a later day may have the request to fund begun on its day'),
  },
  {
    id: 'prepared-on-its-day',
    against: 'someone with access to Temporal has a row’s beneficiary or files sent before its day',
    file: REQUESTS,
    text: `or coalesce(payments.instruction ->> 'payOn', '') > $2 as is_stopped`,
    without: 'or $2::text is null as is_stopped',
    test: steps('a beneficiary is not sent before the row’s day'),
  },
  {
    id: 'planned-on-its-day',
    against: 'someone with access to Temporal makes a run begin rows of later days',
    file: 'activities/runs/begin-payments.ts',
    text: 'const dueBy = page.dueBy < today ? page.dueBy : today;',
    without: 'const dueBy = page.dueBy;',
    test: begun('a row of a later day is not begun before its day'),
    behind: 'begun-on-its-day',
  },
  {
    id: 'looked-up-since',
    against: 'a confirmed proposal takes effect on what the provider showed before the confirmation',
    file: 'store/payments/look-ups.ts',
    text: `and asked_at > (select min(confirmed_at) from resolution_confirmations where resolution_id = $2)`,
    without: 'and $2::uuid is not null',
    test: resolutions('a row is resolved when the provider was asked after the confirmation'),
  },
  {
    id: 'looked-up-just-now',
    against: 'a confirmed proposal takes effect on an outdated answer of the provider',
    file: 'store/payments/look-ups.ts',
    text: `and asked_at > clock_timestamp() - interval '1 minute'`,
    without: '',
    test: resolutions('a row is resolved when the provider was asked after the confirmation'),
  },
  {
    id: 'looked-up-at-all',
    against: 'someone with access to Temporal makes a confirmed proposal take effect without asking the provider',
    file: 'activities/payments/conclude-manual-outcome.ts',
    text: `if (!isLookedUp(lookUps, providerId)) return { kind: 'refused', refusal: NOT_ASKED };`,
    without: '',
    test: resolutions('a row is resolved when the provider was asked after the confirmation'),
  },
  {
    id: 'woken-once',
    against: 'one signal makes a payment be funded and refused repeatedly without a pause',
    file: 'workflows/payment.ts',
    text: `signals.endState = null;`,
    without: '',
    test: {
      file: 'test/workflows/insufficient-funds.services.ts',
      name: 'alone decides: no signal makes a payment be funded',
    },
  },
];
