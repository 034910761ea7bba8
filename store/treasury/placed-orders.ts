import { PLACED_CONVERSION_STATES } from '../../domain/treasury/conversion-state.ts';
import type { PlacedOrder } from '../../domain/treasury/placed-orders.ts';
import type { Queryable } from '../database/database.ts';
import { sqlList } from '../database/sql-list.ts';

/** Orders that may still be carried out, and to which no money is committed. */
export async function readPlacedOrders(database: Queryable, account: string): Promise<PlacedOrder[]> {
  const { rows } = await database.query<PlacedOrder>(
    `select sell_currency as sell, buy_currency as buy, fixed_side as "fixedSide", amount::text, cap::text,
       case when state = 'quoted' then jsonb_build_object('sold', quote ->> 'totalAmount', 'bought', quote ->> 'buyAmount') end as quoted
     from conversion_orders
     where account = $1 and state in (${sqlList(PLACED_CONVERSION_STATES)}) and expires_at > clock_timestamp()
       and conversion_id is null`,
    [account],
  );
  return rows;
}

/** One at a time plans the orders of an account, until its transaction ends: the next one sees those of the one before. */
export async function lockPlanning(transaction: Queryable, account: string): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock(hashtextextended('planned orders ' || $1, 0))`, [account]);
}
