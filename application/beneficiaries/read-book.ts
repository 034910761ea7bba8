import type { Beneficiary, BeneficiaryAccount } from '../../api/beneficiaries/endpoints.ts';
import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import { type BeneficiaryAccountState, beneficiaryKeyOf } from '../../domain/beneficiaries/beneficiary-book.ts';
import { CSV_COLUMNS, detailColumn } from '../../domain/payment-file/csv-columns.ts';
import { cellsOf } from '../../domain/payment-file/fill-from-book.ts';
import {
  type BeneficiaryLine,
  listBeneficiaryKeys,
  readBeneficiaryLines,
} from '../../store/beneficiaries/beneficiary-accounts.ts';
import { type PaidToAccount, readPaidToAccounts } from '../../store/beneficiaries/paid-to-accounts.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { iso } from '../iso-time.ts';
import { csvPieces } from '../payment-file/csv-pieces.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';

export interface BookQuery {
  account: string | null;
  key: string | null;
  q: string | null;
  state: BeneficiaryAccountState | null;
  after: string | null;
  limit: number;
}

/** A page of the book of an account; of one beneficiary also what it was paid. */
export async function listBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { key, q, ...page }: BookQuery,
): Promise<Beneficiary[]> {
  const { database } = dependencies;
  const account = await accountOf(dependencies, user, page.account);
  const payees = await payeesOf(dependencies);
  const search = { ...page, account, text: q?.trim() || null };
  const keys = key === null ? await listBeneficiaryKeys(database, payees, search) : [beneficiaryKeyOf(key)];
  const lines = await readBeneficiaryLines(database, payees, account, keys);
  const hashes = [...new Set(lines.map(({ accountHash }) => accountHash))];
  const paid = key === null ? [] : await readPaidToAccounts(database, account, hashes);
  return beneficiariesOf(lines, paid);
}

function beneficiariesOf(lines: readonly BeneficiaryLine[], paid: readonly PaidToAccount[]): Beneficiary[] {
  const keys = [...new Set(lines.map(({ key }) => key))];
  return keys.map((key) => {
    const mine = lines.filter((line) => line.key === key);
    const names = mine.flatMap(({ details }) => (details === null ? [] : [beneficiaryName(details)]));
    return { key, names: [...new Set(names)], accounts: mine.map((line) => accountOfLine(line, paid)) };
  });
}

function accountOfLine(line: BeneficiaryLine, paid: readonly PaidToAccount[]): BeneficiaryAccount {
  const { id, hash, currency, state, source, isChange, addedBy, confirmedBy, confirmation, endedBy, details } = line;
  return {
    ...{ id, hash, currency, state, source, isChange, addedBy, confirmedBy, confirmation, endedBy },
    columns: details === null ? null : cellsOf(details),
    addedAt: line.addedAt.toISOString(),
    confirmedAt: iso(line.confirmedAt),
    endedAt: iso(line.endedAt),
    paid: paid.flatMap(({ accountHash, lastAt, ...rest }) =>
      accountHash === line.accountHash ? [{ ...rest, lastAt: lastAt.toISOString() }] : [],
    ),
  };
}

const EXPORTED = CSV_COLUMNS.map(({ name }) => name).filter(
  (name) => name === 'beneficiary_key' || detailColumn(name) !== null,
);
const KEYS_PER_PAGE = 500;

/** The accounts that are not ended, as a CSV: a header, then pages of lines. */
export async function exportBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  given: string | null,
): Promise<AsyncGenerator<string, void, undefined>> {
  const account = await accountOf(dependencies, user, given);
  const live = liveLines(dependencies, await payeesOf(dependencies), account);
  return csvPieces(EXPORTED, live, ({ key, details }) => {
    const cells = { ...(details === null ? {} : cellsOf(details)), beneficiary_key: key };
    return EXPORTED.map((name) => cells[name] ?? '');
  });
}

async function* liveLines(
  { database }: ApplicationDependencies,
  payees: PayeeData,
  account: string,
): AsyncGenerator<BeneficiaryLine, void, undefined> {
  for (let after: string | null = null; ; ) {
    const page = { account, text: null, state: null, after, limit: KEYS_PER_PAGE };
    const keys: string[] = await listBeneficiaryKeys(database, payees, page);
    const lines = await readBeneficiaryLines(database, payees, account, keys);
    yield* lines.filter(({ endedAt, details }) => endedAt === null && details !== null);
    after = keys.at(-1) ?? null;
    if (keys.length < KEYS_PER_PAGE) return;
  }
}
