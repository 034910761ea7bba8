import type { GuardReport } from '../../domain/treasury/conversion-guards.ts';
import type { ConversionOrder } from '../../domain/treasury/conversion-order.ts';
import type { Queryable } from '../database/database.ts';
import type { StoredQuote, StoredReference } from './orders.ts';

/** What came of a dry run; with a problem, the provider has refused the quote. */
export type DryRunResult =
  | ({ quote: StoredQuote; problem: null } & GuardReport)
  | { quote: null; problem: string; findings: []; decision: 'skip'; code: 'quote_refused' };

export interface ConversionDryRun {
  terms: ConversionOrder;
  reference: StoredReference | null;
  result: DryRunResult | null;
}

/** Dry runs are of use for the moment; older ones are removed. */
export async function addDryRun(
  database: Queryable,
  { dryRunId, terms, askedBy }: { dryRunId: string; terms: ConversionOrder; askedBy: string },
): Promise<void> {
  await database.query(`delete from conversion_dry_runs where asked_at < clock_timestamp() - interval '1 day'`);
  await database.query(
    'insert into conversion_dry_runs (dry_run_id, account, terms, asked_by) values ($1, $2, $3::jsonb, $4)',
    [dryRunId, terms.account, JSON.stringify(terms), askedBy],
  );
}

export async function readDryRun(database: Queryable, dryRunId: string): Promise<ConversionDryRun> {
  const { rows } = await database.query<ConversionDryRun>(
    'select terms, reference, result from conversion_dry_runs where dry_run_id = $1',
    [dryRunId],
  );
  const [dryRun] = rows;
  if (dryRun === undefined) throw new Error(`there is no dry run ${dryRunId}`);
  return dryRun;
}

export async function recordDryRunReference(
  database: Queryable,
  dryRunId: string,
  reference: StoredReference,
): Promise<void> {
  await database.query('update conversion_dry_runs set reference = $2::jsonb where dry_run_id = $1', [
    dryRunId,
    JSON.stringify(reference),
  ]);
}

export async function recordDryRun(database: Queryable, dryRunId: string, result: DryRunResult): Promise<void> {
  await database.query('update conversion_dry_runs set result = $2::jsonb where dry_run_id = $1', [
    dryRunId,
    JSON.stringify(result),
  ]);
}
