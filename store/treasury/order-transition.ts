import type { ShownConversion } from '../../domain/treasury/conversion-quote.ts';
import type { ConversionReason } from '../../domain/treasury/conversion-reason-codes.ts';
import {
  CONVERSION_STATE_TABLE,
  CONVERSION_STATES,
  type ConversionState,
  stageOfConversion,
} from '../../domain/treasury/conversion-state.ts';
import type { Queryable } from '../database/database.ts';

/** What is known of an order with a transition; absent: unchanged. */
export interface OrderUpdate {
  reason?: ConversionReason | null;
  conversion?: {
    conversionId: string;
    conversionMac: string;
    shown: ShownConversion;
    status: string;
    fundingCutoffMs: number | null;
  };
  isFunded?: boolean;
  /** Of a refusal, in the provider's words. */
  message?: string | null;
  /** For the audit trail. */
  detail?: Record<string, unknown>;
}

/**
 * Moves an order, if the table of states allows it from the state that it has. False when it does not: another worker was
 * faster, or a person has decided. `from` allows fewer.
 */
export async function moveOrder(
  database: Queryable,
  orderId: string,
  to: ConversionState,
  { from, ...update }: OrderUpdate & { from?: readonly ConversionState[] } = {},
): Promise<boolean> {
  const allowed = CONVERSION_STATES.filter((state) => CONVERSION_STATE_TABLE[state].next.includes(to));
  const { conversion } = update;
  const { rows } = await database.query<{ moved: number }>(
    `with moved as (
       update conversion_orders set state = $3, state_reason = $4, changed_at = clock_timestamp(),
         conversion_id = coalesce(conversion_id, $5), conversion_mac = coalesce(conversion_mac, $6),
         shown = coalesce($7::jsonb, shown), provider_status = coalesce($8, provider_status),
         created_at = case when $5::text is null then created_at else coalesce(created_at, clock_timestamp()) end,
         funding_cutoff_at = coalesce(to_timestamp($9::float8 / 1000), funding_cutoff_at),
         funded_at = case when $10 then coalesce(funded_at, clock_timestamp()) else funded_at end,
         provider_message = $13, completed_at = case when $3 = 'completed' then coalesce(completed_at, clock_timestamp()) else completed_at end,
         ended_at = case when $11 then clock_timestamp() end
       where order_id = $1 and state = any($2)
       returning order_id, account, state, state_reason
     ), audited as (
       insert into audit_entries (actor, kind, detail)
       select 'worker', 'conversion_moved', $12::jsonb || jsonb_build_object('order', order_id, 'account', account,
         'state', state, 'reason', state_reason) || case when $5::text is null then '{}' else jsonb_build_object('conversion', $5::text) end
       from moved
     )
     select count(*)::int as moved from moved`,
    [
      orderId,
      from === undefined ? allowed : allowed.filter((state) => from.includes(state)),
      to,
      update.reason ?? null,
      conversion?.conversionId ?? null,
      conversion?.conversionMac ?? null,
      conversion === undefined ? null : JSON.stringify(conversion.shown),
      conversion?.status ?? null,
      conversion?.fundingCutoffMs ?? null,
      update.isFunded === true,
      stageOfConversion(to) === 'ended',
      JSON.stringify(update.detail ?? {}),
      update.message ?? null,
    ],
  );
  return rows[0]?.moved === 1;
}

/** What a read of the conversion showed. A later read than this one is not overwritten. */
export async function recordShown(
  database: Queryable,
  orderId: string,
  seen: { status: string; fundingCutoffMs: number | null; readAt: string },
): Promise<void> {
  await database.query(
    `update conversion_orders set provider_status = $2, status_read_at = $3::timestamptz,
       funding_cutoff_at = coalesce(to_timestamp($4::float8 / 1000), funding_cutoff_at)
     where order_id = $1 and (status_read_at is null or status_read_at <= $3::timestamptz)`,
    [orderId, seen.status, seen.readAt, seen.fundingCutoffMs],
  );
}

/** Renews the MAC of an order's conversion, after the provider has shown it. */
export async function renewConversionMac(
  database: Queryable,
  orderId: string,
  { conversionId, conversionMac }: { conversionId: string; conversionMac: string },
): Promise<void> {
  await database.query(
    `with renewed as (
       update conversion_orders set conversion_mac = $3 where order_id = $1 and conversion_id = $2 returning order_id
     )
     insert into audit_entries (actor, kind, detail)
     select 'worker', 'conversion_read',
       jsonb_build_object('order', order_id, 'found', 1, 'conversion', $2::text, 'isMacRenewed', true)
     from renewed`,
    [orderId, conversionId, conversionMac],
  );
}
