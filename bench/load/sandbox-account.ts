import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { ConnectionPool } from './connection-pool.ts';

/** Signs in with the sandbox's default account and returns the headers for further calls. @throws Error when refused */
export async function signIn(url: string): Promise<Record<string, string>> {
  const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
  const headers = { 'content-type': 'application/json', 'x-api-key': apiKey };
  const body = JSON.stringify({ accessKeyId, secretAccessKey });
  const response = await fetch(`${url}/users/v1/authenticate`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`the sandbox refused the sign-in with ${response.status}`);
  const { token } = (await response.json()) as { token: string };
  return { ...headers, authorization: token };
}

/** Creates beneficiaries and returns their ids. @throws Error when one is refused */
export async function addBeneficiaries(pool: ConnectionPool, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { status, text } = await pool.send('/beneficiaries/v1/create', JSON.stringify(aCompany(ids.length)));
    if (status !== 200) throw new Error(`a beneficiary was refused with ${status}: ${text.slice(0, 200)}`);
    ids.push((JSON.parse(text) as { data: { beneficiaryId: string } }).data.beneficiaryId);
  }
  return ids;
}

const aCompany = (number: number): unknown => ({
  country: 'DE',
  entityType: 'company',
  companyName: `Papier ${number} GmbH`,
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Musterbank',
    bankAccountHolderName: `Papier ${number} GmbH`,
    iban: 'DE89370400440532013000',
  },
});

/** A fast sandbox with a wrong ledger would be worthless. @throws Error when the ledger is wrong */
export async function checkLedger(url: string, payments: number): Promise<void> {
  const ledger = (await (await fetch(`${url}/__sandbox/ledger`)).json()) as {
    invariantHolds: boolean;
    createdMoreThanOnce: string[];
    fundedMoreThanOnce: string[];
    payments: Record<string, number>;
  };
  const stored = Object.values(ledger.payments).reduce((sum, count) => sum + count, 0);
  const twice = ledger.createdMoreThanOnce.length + ledger.fundedMoreThanOnce.length;
  if (!ledger.invariantHolds || twice > 0 || stored !== payments) {
    throw new Error(`the ledger does not add up: ${stored} of ${payments} payments, ${twice} of them made twice`);
  }
}
