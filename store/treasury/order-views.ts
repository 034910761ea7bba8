import type { ManualOutcomeState } from '../../domain/payments/manual-outcome-state.ts';
import type { RequestOutcome } from '../../domain/payments/request-result.ts';
import type { GuardFinding } from '../../domain/treasury/conversion-guards.ts';
import type { ConversionState } from '../../domain/treasury/conversion-state.ts';
import type { DebitEvidence } from '../../domain/treasury/funding-evidence.ts';
import type { Queryable } from '../database/database.ts';
import type { OrderManualOutcomeKind } from './order-decisions.ts';
import { ORDER_COLUMNS, type OrderRecord, type OrderRow, orderOf } from './orders.ts';

interface Person {
  userId: string;
  name: string;
}

/** What users are shown of an order. */
export interface OrderView extends OrderRecord {
  placedBy: Person;
  placedAt: Date;
  providerMessage: string | null;
  endedAt: Date | null;
  findings: GuardFinding[] | null;
  /** What the history said of the debit when it was looked for last. */
  debitEvidence: DebitEvidence | null;
  debitLookedForAt: Date | null;
}

const ORDER_VIEW = `select ${ORDER_COLUMNS}, placed_at as "placedAt", provider_message as "providerMessage", ended_at as "endedAt", findings,
    debit_evidence as "debitEvidence", debit_looked_for_at as "debitLookedForAt",
    (select jsonb_build_object('userId', user_id, 'name', name) from users where user_id = placed_by) as "placedBy"
  from conversion_orders`;

type ViewRow = OrderRow & Omit<OrderView, keyof OrderRecord>;

function viewOf(view: ViewRow): OrderView {
  const { placedBy, placedAt, providerMessage, endedAt, findings, debitEvidence, debitLookedForAt, ...row } = view;
  return { ...orderOf(row), placedBy, placedAt, providerMessage, endedAt, findings, debitEvidence, debitLookedForAt };
}

export interface OrderFilter {
  /** Null: of all accounts. */
  accounts: readonly string[] | null;
  state: ConversionState | null;
  limit: number;
  /** The last order of the page before. */
  after: string | null;
}

/** The latest first. */
export async function listOrderViews(database: Queryable, filter: OrderFilter): Promise<OrderView[]> {
  const { rows } = await database.query<ViewRow>(
    `${ORDER_VIEW} where ($1::text[] is null or account = any($1)) and ($2::text is null or state = $2)
       and ($3::uuid is null or (placed_at, order_id) < (select placed_at, order_id from conversion_orders where order_id = $3))
     order by placed_at desc, order_id desc limit $4`,
    [filter.accounts, filter.state, filter.after, filter.limit],
  );
  return rows.map(viewOf);
}

export async function findOrderView(database: Queryable, orderId: string): Promise<OrderView | null> {
  const { rows } = await database.query<ViewRow>(`${ORDER_VIEW} where order_id = $1`, [orderId]);
  return rows[0] === undefined ? null : viewOf(rows[0]);
}

export interface OrderDecisionView {
  decision: 'approved' | 'rejected' | 'withdrawn' | 'released';
  by: Person;
  at: Date;
  reason: string | null;
}

export async function listOrderDecisions(database: Queryable, orderId: string): Promise<OrderDecisionView[]> {
  const { rows } = await database.query<OrderDecisionView>(
    `select decision, jsonb_build_object('userId', users.user_id, 'name', users.name) as by, decided_at as at, body as reason
     from conversion_decisions join users on users.user_id = decided_by left join remarks using (remark_id)
     where order_id = $1 order by decided_at`,
    [orderId],
  );
  return rows;
}

export interface OrderRequestView {
  operation: 'quote' | 'create' | 'fund';
  begunAt: Date;
  answeredAt: Date | null;
  outcome: RequestOutcome | null;
  httpStatus: number | null;
}

export async function listOrderRequests(database: Queryable, orderId: string): Promise<OrderRequestView[]> {
  const { rows } = await database.query<OrderRequestView>(
    `select operation, begun_at as "begunAt", answered_at as "answeredAt", outcome, http_status as "httpStatus"
     from conversion_requests where order_id = $1 order by begun_at, request_id`,
    [orderId],
  );
  return rows;
}

export interface OrderManualOutcomeView {
  manualOutcomeId: string;
  outcome: OrderManualOutcomeKind;
  reason: string | null;
  state: ManualOutcomeState;
  proposedBy: Person;
  proposedAt: Date;
  confirmedBy: Person | null;
  closedAt: Date | null;
}

export async function listOrderManualOutcomes(database: Queryable, orderId: string): Promise<OrderManualOutcomeView[]> {
  const { rows } = await database.query<OrderManualOutcomeView>(
    `select manual_outcome_id as "manualOutcomeId", outcome, body as reason, state, proposed_at as "proposedAt", closed_at as "closedAt",
       jsonb_build_object('userId', proposer.user_id, 'name', proposer.name) as "proposedBy",
       case when confirmed_by is not null then jsonb_build_object('userId', confirmer.user_id, 'name', confirmer.name) end as "confirmedBy"
     from conversion_manual_outcomes join users proposer on proposer.user_id = proposed_by
     left join users confirmer on confirmer.user_id = confirmed_by left join remarks using (remark_id)
     where order_id = $1 order by proposed_at, manual_outcome_id`,
    [orderId],
  );
  return rows;
}
