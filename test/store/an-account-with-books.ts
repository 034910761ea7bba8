import { storeHistory } from '../../activities/accounts/store-history.ts';
import { ProviderModel, seeded } from '../../fixtures/reconciliation/provider-model.ts';
import { reconcilingFrom, shownOf } from '../activities/books-under-test.ts';
import type { TestDatabase } from '../helpers/test-database.ts';

export const FIRST_DAY = '2026-03-02';
export const NEXT_DAY = '2026-03-03';

/** Stores the books of two days, on the first of which 100 USD came that nothing explains. */
export async function addAccountWithBooks(
  { asWorker }: Pick<TestDatabase, 'asWorker'>,
  account: string,
  { entryId }: { entryId: string },
): Promise<void> {
  const model = new ProviderModel(seeded(1), new Map([['USD', 0n]]));
  model.post('USD', 10_000n, Date.parse(`${FIRST_DAY}T12:00:00Z`), 'came in');
  const shown = model.history().lines.map(({ line }) => ({ ...shownOf(line), id: entryId }));
  await storeHistory(asWorker, { account, isGapRead: false }, shown);
  for (const day of [FIRST_DAY, NEXT_DAY]) await reconcilingFrom({ database: asWorker }, [])({ account, day });
}
