import { UNRESOLVED_BREAK_STATES } from '../../domain/reconciliation/break-state.ts';
import type { NotificationSubject } from '../../domain/notifications/notification-types.ts';
import { type RunFacts as DomainRun, runSentences } from '../../domain/runs/run-sentences.ts';
import type { RunFacts, SubjectFacts } from '../../domain/notifications/subject-facts.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';
import { ROWS_BY_STATE } from '../runs/run-counts.ts';

/** For each subject, what may leave payrun about it: $1 is its id. */
const FACTS: Readonly<Record<NotificationSubject, string>> = {
  run: `select jsonb_build_object('runId', run_id, 'account', account, 'name', file_name, 'state', state,
      'reason', case state when 'paused' then (
        select case when refusals is null then 'by_person' else 'equal_refusals' end from stops
        where stops.run_id = runs.run_id and scope = 'run' and lifted_at is null) end,
      'rows', coalesce(${ROWS_BY_STATE}, '{}'), 'isApproved', started_at is not null,
      'decisions', (select coalesce(jsonb_agg(jsonb_build_object('decision', decision, 'by', jsonb_build_object('name', name),
        'actsFor', case when acts_for is not null then jsonb_build_object('name', acts_for_name) end, 'isCurrent', is_current)
        order by made.decided_at), '[]') from run_decisions(runs.run_id) as made)) as facts
    from runs where run_id = $1::uuid`,
  case: `select jsonb_build_object('caseId', case_id, 'account', account, 'state', state, 'reason', state_reason,
      'missing', cardinality(missing)) as facts
    from cases where case_id = $1::uuid`,
  order: `select jsonb_build_object('orderId', order_id, 'account', account, 'sellCurrency', sell_currency,
      'buyCurrency', buy_currency, 'state', state, 'reason', state_reason) as facts
    from conversion_orders where order_id = $1::uuid`,
  schedule: `select jsonb_build_object('scheduleId', schedule_id, 'account', account, 'name', name, 'state', state,
      'reason', state_reason, 'isProposed', exists (select from schedule_versions versions
        where versions.schedule_id = schedules.schedule_id and versions.state = 'proposed'),
      'missedOn', missed_on, 'missedOfWeek', missed_of_week) as facts
    from schedules cross join lateral (
      select max(local_date)::text as missed_on,
        count(*) filter (where scheduled_at > clock_timestamp() - interval '7 days') as missed_of_week
      from schedule_occurrences occurrences where occurrences.schedule_id = schedules.schedule_id
        and ended in ('missed', 'partly_missed')
    ) as missed where schedule_id = $1::uuid`,
  // Its id is the account and the currency.
  shortage: `select jsonb_build_object('account', account, 'currency', currency, 'shortOn', first_day,
      'state', case when over_at is null then 'expected' else 'over' end) as facts
    from cash_shortages where account = left($1, -4) and currency = right($1, 3)`,
  // Its id is the account and the refund's id.
  refund: `select jsonb_build_object('refundId', refund_id, 'account', account, 'currency', currency,
      'shownOn', (read_at at time zone 'UTC')::date, 'state', case when entry_id is null then 'expected' else 'credited' end) as facts
    from refunds where account || '/' || refund_id = $1`,
  // Its id is the account and the kind of the list.
  listing: `select jsonb_build_object('account', account, 'kind', kind, 'unreadableRecords',
      (select count(*) from unreadable_records records where records.account = listings.account and records.kind = listings.kind),
      'state', case when exists (select from unreadable_records records where records.account = listings.account
        and records.kind = listings.kind) then 'unreadable' else 'readable' end) as facts
    from listings where account || '/' || kind = $1`,
  change: 'select change_facts($1::uuid) as facts',
  // Its id is the account and the day.
  book_day: `select jsonb_build_object('account', account, 'day', day, 'state', book_days.state, 'breaks', coalesce(
      (select jsonb_object_agg(type, number) from (select type, count(*) as number from reconciliation_breaks breaks
        where breaks.account = book_days.account and breaks.day = book_days.day and breaks.state in (${sqlList(UNRESOLVED_BREAK_STATES)})
        group by type) as counted), '{}')) as facts
    from book_days where account = left($1, -11) and day = right($1, 10)::date`,
  endpoint: `select jsonb_build_object('endpointId', endpoint_id, 'name', name, 'state', state, 'reason', state_reason) as facts
    from endpoints where endpoint_id = $1::uuid`,
  user: 'select user_facts($1::uuid) as facts',
  outbox: `select jsonb_build_object('waiting', count(*), 'leftOutSince', min(occurred_at) filter (where type = 'notifications.left_out')) as facts
    from outbox where planned_at is null and $1 = 'outbox'`,
};

type StoredRun = Omit<RunFacts, 'status'> & Pick<DomainRun, 'isApproved' | 'decisions'>;

function runFacts({ isApproved, decisions, ...run }: StoredRun): RunFacts {
  const { status } = runSentences({ ...run, isApproved, decisions, payable: null, stops: [] });
  return { ...run, status };
}

/** Null: there is no such subject any more. */
export async function readFacts(
  database: Queryable,
  subject: NotificationSubject,
  subjectId: string,
): Promise<SubjectFacts | null> {
  const { rows } = await database.query<{ facts: SubjectFacts['data'] | StoredRun | null }>(FACTS[subject], [
    subjectId,
  ]);
  const facts = rows[0]?.facts ?? null;
  if (facts === null) return null;
  return subject === 'run'
    ? { subject, data: runFacts(facts as StoredRun) }
    : ({ subject, data: facts } as SubjectFacts);
}
