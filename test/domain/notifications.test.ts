import { describe, expect, test } from 'vitest';
import { composeBody, composeMail } from '../../domain/notifications/compose.ts';
import { NOTIFICATION_TYPES, type NotificationType, ruleOf } from '../../domain/notifications/notification-types.ts';
import { RETRY_SCHEDULE, retryDelayMs } from '../../domain/notifications/retry-schedule.ts';
import { type CaseFacts, stillHolds, type SubjectFacts } from '../../domain/notifications/subject-facts.ts';
import { CASE_STATES, stageOfCase } from '../../domain/onboarding/case-state.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import { PAYMENT_STATES } from '../../domain/payments/payment-state.ts';

const CASE_DATA: CaseFacts = { caseId: 'c', account: 'default', state: 'incomplete', reason: null, missing: 2 };

const FACTS: Record<SubjectFacts['subject'], SubjectFacts> = {
  run: {
    subject: 'run',
    data: {
      runId: 'r',
      account: 'default',
      name: 'june.csv',
      state: 'running',
      status: 'The run is approved.',
      reason: null,
      rows: { held: 1, duplicate_suspect: 1, paid: 3 },
    },
  },
  case: { subject: 'case', data: CASE_DATA },
  order: {
    subject: 'order',
    data: {
      ...{ orderId: 'o', account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR' },
      ...{ state: 'held', reason: 'created_differs' },
    },
  },
  schedule: {
    subject: 'schedule',
    data: {
      ...{
        scheduleId: 's',
        account: 'default',
        name: 'Dollars above 50,000',
        state: 'paused',
        reason: 'guards_refused',
      },
      ...{ isProposed: true, missedOn: '2026-01-04', missedOfWeek: 2 },
    },
  },
  shortage: {
    subject: 'shortage',
    data: { account: 'default', currency: 'EUR', shortOn: '2026-01-09', state: 'expected' },
  },
  refund: {
    subject: 'refund',
    data: { refundId: 'r', account: 'default', currency: 'EUR', shownOn: '2026-01-04', state: 'expected' },
  },
  listing: {
    subject: 'listing',
    data: { account: 'default', kind: 'refunds', unreadableRecords: 2, state: 'unreadable' },
  },
  change: {
    subject: 'change',
    data: {
      ...{ changeId: 'h', kind: 'grant_roles', state: 'pending', user: 'Eve', roles: ['checker'], proposedBy: 'Ada' },
      ...{ decidedBy: null, takesEffectAt: null, usedBy: 'Ben' },
    },
  },
  book_day: {
    subject: 'book_day',
    data: { account: 'default', day: '2026-01-04', state: 'matched', breaks: { missing_entry: 2, wrong_amount: 1 } },
  },
  endpoint: { subject: 'endpoint', data: { endpointId: 'e', name: 'ops', state: 'disabled', reason: 'gone' } },
  user: { subject: 'user', data: { userId: 'u', name: 'Chris' } },
  outbox: { subject: 'outbox', data: { waiting: 100_001, leftOutSince: '2026-01-05T09:00:00Z' } },
};

const at = new Date('2026-01-05T09:00:00Z');
const bodyOf = (type: NotificationType) =>
  composeBody(type, at, FACTS[ruleOf(type).subject], 'https://payrun.example.com');

describe('every type', () => {
  test.each(NOTIFICATION_TYPES)(
    '%s has a body with its subject and a link, and a mail that says it in a sentence',
    (type) => {
      const body = bodyOf(type);
      expect(body).toMatchObject({ type, timestamp: '2026-01-05T09:00:00.000Z' });
      expect(body.data.url).toMatch(/^https:\/\/payrun\.example\.com\/api\/v1\/\w+/);
      const { subject, text } = composeMail(body);
      expect(subject).toMatch(/^payrun: \w/);
      expect(text).not.toMatch(/null|undefined|\[object/);
    },
  );

  test('has a name of its own for each rule: no fact is notified twice', () => {
    const facts = NOTIFICATION_TYPES.flatMap((type) => ruleOf(type).on.map((fact) => JSON.stringify(fact)));
    expect(new Set(facts).size).toBe(facts.length);
    const anyState = NOTIFICATION_TYPES.flatMap((type) => ruleOf(type).on).flatMap((fact) =>
      'audit' in fact && fact.state === undefined ? [fact.audit] : [],
    );
    const withState = NOTIFICATION_TYPES.flatMap((type) => ruleOf(type).on).flatMap((fact) =>
      'audit' in fact && fact.state !== undefined ? [fact.audit] : [],
    );
    expect(withState.filter((kind) => anyState.includes(kind))).toEqual([]);
  });
});

test('a mail counts the rows that it tells of, and names the run', () => {
  expect(composeMail(bodyOf('run.rows_held')).subject).toBe('payrun: 2 rows of june.csv wait for a person');
  const { data } = FACTS.run;
  const rejected = { ...data, state: 'rejected', status: 'Rejected by Chris Checker. Nothing was paid.' };
  const finished = composeBody('run.finished', at, { subject: 'run', data: rejected } as SubjectFacts, null);
  expect(composeMail(finished).subject).toBe('payrun: june.csv: Rejected by Chris Checker. Nothing was paid');
  expect(composeMail(bodyOf('change.proposed')).subject).toBe('payrun: A change (grant roles) is proposed, by Ada');
  expect(composeMail(bodyOf('change.code_made')).subject).toBe('payrun: A code to sign in as Eve is made, by Ben');
  const order = composeMail(bodyOf('order.action_needed')).subject;
  expect(order).toBe('payrun: An order to convert USD into EUR is held');
  expect(composeMail(bodyOf('books.break_found')).subject).toBe(
    'payrun: 3 breaks are open in the books of default on 2026-01-04',
  );
  expect(composeMail(bodyOf('schedule.paused')).subject).toBe(
    'payrun: The schedule Dollars above 50,000 is paused (guards refused)',
  );
  expect(composeMail(bodyOf('schedule.missed')).subject).toBe(
    'payrun: The schedule Dollars above 50,000 was missed on 2026-01-04',
  );
  expect(composeMail(bodyOf('cash.shortage_expected')).subject).toBe(
    'payrun: EUR of default will not last beyond 2026-01-09',
  );
  expect(composeMail(bodyOf('endpoint.disabled')).subject).toBe('payrun: Notifications no longer go to ops (gone)');
});

describe('what nobody needs to be notified of any more', () => {
  const run = (state: 'running' | 'in_approval' | 'paused' | 'completed', rows = {}): SubjectFacts => ({
    subject: 'run',
    data: { runId: 'r', account: 'a', name: 'n', state, status: 'It stands.', reason: null, rows },
  });

  const order = (state: ConversionState): SubjectFacts => ({
    subject: 'order',
    data: { ...{ orderId: 'o', account: 'a', sellCurrency: 'USD', buyCurrency: 'EUR' }, state, reason: null },
  });

  test.each([
    ['order.approval_needed', order('in_approval'), order('approved')],
    ['order.action_needed', order('unknown'), order('settled')],
    ['run.approval_needed', run('in_approval'), run('running')],
    ['run.finished', run('completed'), run('running')],
    ['run.paused', run('paused'), run('running')],
    ['run.rows_held', run('running', { duplicate_suspect: 1 }), run('running', { paid: 1 })],
    ['run.awaiting_funds', run('running', { awaiting_funds: 1 }), run('running', { funded: 1 })],
    ['run.rows_unknown', run('running', { unknown: 1 }), run('running', { failed: 1 })],
    [
      'books.break_found',
      FACTS.book_day,
      { subject: 'book_day', data: { account: 'a', day: '2026-01-04', state: 'closed', breaks: {} } },
    ],
    [
      'schedule.paused',
      FACTS.schedule,
      { subject: 'schedule', data: { ...FACTS.schedule.data, state: 'active', reason: null } },
    ],
    [
      'schedule.approval_needed',
      FACTS.schedule,
      { subject: 'schedule', data: { ...FACTS.schedule.data, isProposed: false } },
    ],
    [
      'cash.shortage_expected',
      FACTS.shortage,
      { subject: 'shortage', data: { ...FACTS.shortage.data, state: 'over' } },
    ],
    ['refund.late', FACTS.refund, { subject: 'refund', data: { ...FACTS.refund.data, state: 'credited' } }],
    ['case.input_needed', FACTS.case, { subject: 'case', data: { ...FACTS.case.data, state: 'approved' } }],
  ] as [NotificationType, SubjectFacts, SubjectFacts][])('%s is not sent', (type, still, noLonger) => {
    expect([stillHolds(type, still), stillHolds(type, noLonger)]).toEqual([true, false]);
  });
});

test('cases are notified in the states in which onboarding has them wait for an onboarder', () => {
  const waiting = CASE_STATES.filter((state) => stageOfCase(state) === 'onboarder');
  const held = CASE_STATES.filter((state) =>
    stillHolds('case.reminder', { subject: 'case', data: { ...CASE_DATA, state } }),
  );
  expect(held).toEqual(waiting);
  const notified = NOTIFICATION_TYPES.flatMap((type) => ruleOf(type).on).flatMap((fact) =>
    'audit' in fact && fact.audit === 'case_moved' ? [fact.state] : [],
  );
  expect(notified.sort()).toEqual([...waiting].sort());
});

test('rows are counted under the names of their states', () => {
  const notified = NOTIFICATION_TYPES.flatMap((type) =>
    ruleOf(type).on.flatMap((fact) => ('payments' in fact ? [fact.payments] : [])),
  );
  expect(notified.length).toBeGreaterThan(3);
  expect(PAYMENT_STATES).toEqual(expect.arrayContaining(notified));
});

test('a delivery is tried again after the pauses that Standard Webhooks suggests, then every day', () => {
  const hours = Array.from({ length: 11 }, (_, index) => retryDelayMs(RETRY_SCHEDULE, index + 1) / 3_600_000);
  expect(hours.map((each) => Math.round(each * 3_600))).toEqual([
    ...[5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400],
  ]);
});
