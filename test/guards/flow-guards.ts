import type { Guard } from './guard.ts';

const APPROVED_REQUESTS = 'test/store/approved-requests.services.ts';
const MANUAL_OUTCOMES = 'test/store/manual-outcomes.services.ts';

/** Checks against workflows that are started or signalled too early or repeatedly. */
export const FLOW_GUARDS: readonly Guard[] = [
  {
    id: 'begun-on-its-day',
    against: 'someone with access to Temporal has a row paid before its day',
    without: '',
    test: { file: APPROVED_REQUESTS, name: 'a row of a later day may have the request to fund begun on its day' },
  },
  {
    id: 'pay-day-by-the-database',
    against: 'a worker whose clock is a day ahead pays a day early',
    without:
      "`(coalesce(payments.instruction ->> 'payOn', '') <> '' and payments.instruction ->> 'payOn' > local_day(payments.account, ${at}::timestamptz))`;",
    test: {
      file: APPROVED_REQUESTS,
      name: 'has no request to fund begun early by a worker whose clock is a day ahead',
    },
  },
  {
    id: 'prepared-on-its-day',
    against: 'someone with access to Temporal has a row’s beneficiary or files sent before its day',
    without: 'is_stopped(payments.account, payments.run_id) or $2::timestamptz is null as is_stopped',
    test: {
      file: 'test/activities/only-what-was-approved.services.ts',
      name: 'a beneficiary is not sent before the row’s day',
    },
  },
  {
    id: 'planned-on-its-day',
    against: 'someone with access to Temporal makes a run begin rows of later days',
    without: "const rows = await listPayableRows(database, { ...page, dueBy: '9999-12-31', limit });",
    test: { file: APPROVED_REQUESTS, name: 'a row of a later day is not begun before its day' },
    behind: 'begun-on-its-day',
  },
  {
    id: 'looked-up-since',
    against: 'a confirmed proposal takes effect on what the provider showed before the confirmation',
    without: 'and $2::uuid is not null',
    test: { file: MANUAL_OUTCOMES, name: 'a row is resolved when the provider was asked after the confirmation' },
  },
  {
    id: 'looked-up-just-now',
    against: 'a confirmed proposal takes effect on an outdated answer of the provider',
    without: 'where payment_id = $1 and payments is not null',
    test: { file: MANUAL_OUTCOMES, name: 'a row is resolved when the provider was asked after the confirmation' },
  },
  {
    id: 'looked-up-at-all',
    against: 'someone with access to Temporal makes a confirmed proposal take effect without asking the provider',
    without: '',
    test: { file: MANUAL_OUTCOMES, name: 'a row is resolved when the provider was asked after the confirmation' },
  },
  {
    id: 'woken-once',
    against: 'one signal makes a payment be funded and refused repeatedly without a pause',
    without: '',
    test: {
      file: 'test/workflows/insufficient-funds.services.ts',
      name: 'alone decides: no signal makes a payment be funded',
    },
  },
];
