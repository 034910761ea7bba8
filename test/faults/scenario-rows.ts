import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { aRow, csvOf } from '../../fixtures/payment-rows.ts';
import type { FileToSubmit } from '../../client/sdk/index.ts';
import type { RowKind, Scenario } from './scenario.ts';
import { EXAMPLE_BENEFICIARY } from '../helpers/example-beneficiary.ts';

export interface PaymentFile {
  csv: Buffer;
  files: FileToSubmit[];
  rowRefs: string[];
  /** Beneficiary addresses by `row_ref`, of rows that have one. */
  addresses: Map<string, string>;
}

/** Magic values of the sandbox: the decimals of an amount decide how the payment ends. */
const CENTS: Partial<Record<RowKind, string>> = { rejected_later: '13', failed_later: '14' };

const FILE: FileToSubmit = {
  name: 'invoice.pdf',
  contentType: 'application/pdf',
  bytes: Buffer.from('%PDF-1.4 an invoice'),
};

/**
 * The payment file of a scenario. A new `tag` for each file prevents duplicate suspects; `knownBeneficiaryId` is the
 * id of a beneficiary that exists at the provider.
 */
export function paymentFileOf(scenario: Scenario, tag: number, knownBeneficiaryId: string): PaymentFile {
  const rows = scenario.rows.map((kind, index): Record<string, string> => {
    const cells = {
      row_ref: `${tag}-${index + 1}`,
      amount: `${100 + tag * 40 + index}.${CENTS[kind] ?? '00'}`,
      amount_side: kind === 'buy' ? 'buy' : 'sell',
      ...(kind === 'file' ? { supporting_files: FILE.name } : {}),
    };
    const row = aRow(tag * 100 + beneficiaryNumberOf(kind, index), { ...cells, ...CHANGED_CELLS[kind] });
    if (kind === 'released') return { ...row, amount: `${100 + tag * 40}.00` };
    if (kind !== 'known_beneficiary') return row;
    const payment = Object.entries(row).filter(([column]) => !/^(beneficiary|bank)_/.test(column));
    return { ...Object.fromEntries(payment), buy_currency: 'MYR', beneficiary_id: knownBeneficiaryId };
  });
  const rowRefs = rows.map((row) => row['row_ref'] ?? '');
  const withAddress = rows.filter((row) => row['beneficiary_address'] !== undefined);
  const addresses = new Map(withAddress.map((row) => [row['row_ref'] ?? '', row['beneficiary_address'] ?? '']));
  return { csv: csvOf(rows), files: scenario.rows.includes('file') ? [FILE] : [], rowRefs, addresses };
}

const CHANGED_CELLS: Partial<Record<RowKind, Record<string, string>>> = {
  corrected_beneficiary: { beneficiary_address: '2 Other Street' },
  other_currency: { sell_currency: 'EUR' },
};

function beneficiaryNumberOf(kind: RowKind, index: number): number {
  if (kind === 'shared_beneficiary' || kind === 'corrected_beneficiary') return 0;
  return kind === 'released' ? 1 : index + 1;
}

/** Creates a beneficiary at the sandbox, as another program of the account holder would; returns its id. */
export async function createBeneficiary(sandboxUrl: string): Promise<string> {
  const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
  const call = async (path: string, body: object, token?: string): Promise<unknown> => {
    const answer = await fetch(sandboxUrl + path, {
      method: 'POST',
      headers: {
        'X-Api-Key': apiKey,
        'content-type': 'application/json',
        ...(token === undefined ? {} : { Authorization: token }),
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the sandbox: ${path}: ${await answer.text()}`);
    return answer.json();
  };
  const { token } = (await call('/users/v1/authenticate', { accessKeyId, secretAccessKey })) as { token: string };
  const created = (await call('/beneficiaries/v1/create', EXAMPLE_BENEFICIARY, token)) as {
    data: { beneficiaryId: string };
  };
  return created.data.beneficiaryId;
}
