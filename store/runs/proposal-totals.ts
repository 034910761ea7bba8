import type { DueRows } from '../../domain/runs/due-dates.ts';
import type { ExpectedCost } from '../../domain/runs/run-proposal.ts';
import type { Queryable } from '../database/database.ts';

/** Counts and sums of a run's rows for its proposal. Amounts are decimal strings. */
export interface ProposalTotals {
  rows: number;
  payable: number;
  /** Suspected duplicates. */
  suspects: number;
  /** Rows to accounts that the book has not as confirmed. */
  unconfirmed: number;
  files: number;
  newBeneficiaries: number;
  /** The day in the time zone of the account, YYYY-MM-DD. */
  today: string;
  byCurrency: TotalOfRows[];
}

/** Rows that are paid on the same day, with the same currencies and the same side fixed. */
export interface TotalOfRows extends DueRows {
  side: 'sell' | 'buy';
  amount: string;
}

/** What the rows that would be paid are expected to cost, by the indicative prices that are kept with the run. */
export async function readExpectedCosts(database: Queryable, runId: string): Promise<ExpectedCost[]> {
  const { rows } = await database.query<ExpectedCost>(
    `select sell_currency as "sellCurrency", buy_currency as "buyCurrency", nullif(channel, '') as channel,
       count(*)::int as rows, sum(sells)::text as sells, sum(fees)::text as fees, sum(buys)::text as buys,
       trim_scale((price ->> 'rate')::numeric)::text as rate, price ->> 'quotedAt' as "quotedAt"
     from runs join payments using (run_id)
     cross join lateral (select priced_channel(instruction, buy_currency, indicative_prices -> 'local') as channel offset 0) as way
     cross join lateral expected_cost(amount, amount_side, sell_currency, buy_currency, channel, indicative_prices)
     where run_id = $1 and payments.state = 'ready'
     group by sell_currency, buy_currency, channel, price order by sell_currency, buy_currency, nullif(channel, '') nulls first`,
    [runId],
  );
  return rows;
}

/** Once for all rows. */
const TODAY_OF_RUN = `select local_day(account, clock_timestamp()) as today from runs where run_id = $1 offset 0`;

export async function readProposalTotals(database: Queryable, runId: string): Promise<ProposalTotals> {
  const { rows: sums } = await database.query<ProposalTotals['byCurrency'][number]>(
    `select amount_side as side, sell_currency as "sellCurrency", buy_currency as "buyCurrency", count(*)::int as rows,
       sum(amount)::text as amount, greatest(coalesce(instruction ->> 'payOn', ''), today) as due
     from payments cross join (${TODAY_OF_RUN}) as clock where run_id = $1 and state = 'ready'
     group by amount_side, sell_currency, buy_currency, due order by sell_currency, buy_currency, amount_side, due`,
    [runId],
  );
  const { rows: counts } = await database.query<{
    rows: number;
    payable: number;
    suspects: number;
    unconfirmed: number;
    files: number;
    new_beneficiaries: number;
    today: string;
  }>(
    `select (${TODAY_OF_RUN}) as today, count(*)::int as rows,
       count(*) filter (where state = 'ready')::int as payable,
       count(*) filter (where state = 'duplicate_suspect')::int as suspects,
       count(*) filter (where state = 'account_unconfirmed')::int as unconfirmed,
       coalesce(sum(jsonb_array_length(instruction -> 'supportingFiles')) filter (where state = 'ready'), 0)::int as files,
       (count(distinct payments.beneficiary_hash) filter (where state = 'ready' and payments.beneficiary_id is null
          and not exists (select from beneficiaries known where known.account = payments.account
            and known.fingerprint = payments.beneficiary_hash and known.beneficiary_id is not null)))::int as new_beneficiaries
     from payments where run_id = $1`,
    [runId],
  );
  const [count] = counts;
  if (count === undefined) throw new Error('an aggregate gave no row');
  return {
    rows: count.rows,
    payable: count.payable,
    suspects: count.suspects,
    unconfirmed: count.unconfirmed,
    files: count.files,
    newBeneficiaries: count.new_beneficiaries,
    today: count.today,
    byCurrency: sums,
  };
}
