import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchRow } from '../engine/bench-rows.ts';
import { signIn } from '../load/sandbox-account.ts';
import type { PeerRow } from './contender.ts';

/** Slower than the limit, and a pause at the end, so that a contender begins with the whole limit. */
const PACE_MS = 300;
const PAUSE_MS = 1_100;

/** Makes the beneficiaries known to the provider and answers the rows by their ids. @throws Error when one is refused */
export async function peerRows(sandboxUrl: string, rows: readonly BenchRow[]): Promise<PeerRow[]> {
  const headers = await signIn(sandboxUrl);
  const known = new Map<string, string>();
  for (const row of rows) {
    if (known.has(row.bank_account_number)) continue;
    await sleep(PACE_MS);
    const body = JSON.stringify(beneficiaryNameOf(row));
    const answer = await fetch(`${sandboxUrl}/beneficiaries/v1/create`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`a beneficiary was answered ${answer.status}: ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: { beneficiaryId: string } };
    known.set(row.bank_account_number, data.beneficiaryId);
  }
  await sleep(PAUSE_MS);
  return rows.map(({ row_ref: rowRef, amount, bank_account_number: account }) => ({
    ...{ rowRef, amount },
    beneficiaryId: known.get(account) ?? '',
  }));
}

const beneficiaryNameOf = (row: BenchRow): unknown => ({
  country: row.beneficiary_country,
  entityType: row.beneficiary_entity_type,
  companyName: row.beneficiary_company_name,
  businessRegistrationNumber: row.beneficiary_business_registration,
  address: row.beneficiary_address,
  city: row.beneficiary_city,
  postcode: row.beneficiary_postcode,
  bankAccount: {
    country: row.bank_country,
    currency: row.buy_currency,
    bankName: row.bank_name,
    bankAccountHolderName: row.bank_account_holder_name,
    accountNumber: row.bank_account_number,
    sortCode: row.bank_sort_code,
  },
});
