import type { GuardReport } from '../../domain/treasury/conversion-guards.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { Queryable } from '../database/database.ts';
import type { StoredQuote, StoredReference } from './orders.ts';

/** What came of a trial; with a problem, the provider has refused the quote. */
export type TrialResult =
  | ({ quote: StoredQuote; problem: null } & GuardReport)
  | { quote: null; problem: string; findings: []; decision: 'skip'; code: 'quote_refused' };

export interface OrderTrial {
  terms: ConversionOrder;
  reference: StoredReference | null;
  result: TrialResult | null;
}

/** Trials are of use for the moment; older ones are removed. */
export async function addTrial(
  database: Queryable,
  { trialId, terms, askedBy }: { trialId: string; terms: ConversionOrder; askedBy: string },
): Promise<void> {
  await database.query(`delete from conversion_trials where asked_at < clock_timestamp() - interval '1 day'`);
  await database.query(
    'insert into conversion_trials (trial_id, account, terms, asked_by) values ($1, $2, $3::jsonb, $4)',
    [trialId, terms.account, JSON.stringify(terms), askedBy],
  );
}

export async function readTrial(database: Queryable, trialId: string): Promise<OrderTrial> {
  const { rows } = await database.query<OrderTrial>(
    'select terms, reference, result from conversion_trials where trial_id = $1',
    [trialId],
  );
  const [trial] = rows;
  if (trial === undefined) throw new Error(`there is no trial ${trialId}`);
  return trial;
}

export async function recordTrialReference(
  database: Queryable,
  trialId: string,
  reference: StoredReference,
): Promise<void> {
  await database.query('update conversion_trials set reference = $2::jsonb where trial_id = $1', [
    trialId,
    JSON.stringify(reference),
  ]);
}

export async function recordTrial(database: Queryable, trialId: string, result: TrialResult): Promise<void> {
  await database.query('update conversion_trials set result = $2::jsonb where trial_id = $1', [
    trialId,
    JSON.stringify(result),
  ]);
}
