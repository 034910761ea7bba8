import { setTimeout as sleep } from 'node:timers/promises';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import { signIn } from '../load/sandbox-account.ts';
import type { PreparedRow } from './contender.ts';

/** Slower than the limit and with a pause at the end, so that the contender starts with the whole limit available. */
const PACE_MS = 300;
const PAUSE_MS = 1_100;

/** Creates the beneficiaries at the provider and returns the rows with their ids. @throws Error when one is refused */
export async function prepareRows(sandboxUrl: string, rows: readonly PaymentRow[]): Promise<PreparedRow[]> {
  const headers = await signIn(sandboxUrl);
  const known = new Map<string, string>();
  for (const row of rows) {
    if (known.has(row.bank_account_number)) continue;
    await sleep(PACE_MS);
    const body = JSON.stringify(beneficiaryOf(row));
    const answer = await fetch(`${sandboxUrl}/beneficiaries/v1/create`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`a beneficiary was refused with ${answer.status}: ${await answer.text()}`);
    const { data } = (await answer.json()) as { data: { beneficiaryId: string } };
    known.set(row.bank_account_number, data.beneficiaryId);
  }
  await sleep(PAUSE_MS);
  return rows.map(({ row_ref: rowRef, amount, bank_account_number: account }) => ({
    ...{ rowRef, amount },
    beneficiaryId: known.get(account) ?? '',
  }));
}

const beneficiaryOf = (row: PaymentRow): unknown => ({
  country: row['beneficiary_country'],
  entityType: row['beneficiary_entity_type'],
  companyName: row.beneficiary_company_name,
  businessRegistrationNumber: row['beneficiary_business_registration'],
  address: row['beneficiary_address'],
  city: row['beneficiary_city'],
  postcode: row['beneficiary_postcode'],
  bankAccount: {
    country: row['bank_country'],
    currency: row.buy_currency,
    bankName: row['bank_name'],
    bankAccountHolderName: row['bank_account_holder_name'],
    accountNumber: row.bank_account_number,
    sortCode: row['bank_sort_code'],
  },
});
