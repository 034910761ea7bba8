import type { Beneficiary, BeneficiaryAccount, BookPage } from '../../api/beneficiaries/endpoints.ts';
import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import type { BeneficiaryAccountState } from '../../domain/beneficiaries/beneficiary-account-state.ts';
import { beneficiaryKeyOf } from '../../domain/beneficiaries/beneficiary-book.ts';
import { cellsOf } from '../../domain/payment-file/fill-from-book.ts';
import {
  type BeneficiaryLine,
  listBeneficiaryKeys,
  readBeneficiaryLines,
} from '../../store/beneficiaries/beneficiary-accounts.ts';
import { type PaidToAccount, readPaidToAccounts } from '../../store/beneficiaries/paid-to-accounts.ts';
import { listBookKeysOfRow, readRowsHeldFor } from '../../store/beneficiaries/rows-of-book.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { iso } from '../iso-time.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { bookCsv, type ExportedLine } from './book-file.ts';

export interface BookQuery {
  account: string | null;
  key: string | null;
  q: string | null;
  payment: string | null;
  state: BeneficiaryAccountState | null;
  after: string | null;
  limit: number;
}

/** A page of the book of an account; of one beneficiary also what it was paid, and the rows that are held. */
export async function listBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { key, q, payment, ...page }: BookQuery,
): Promise<BookPage> {
  const { database } = dependencies;
  const account = await accountOf(dependencies, user, page.account);
  const payees = await payeesOf(dependencies);
  if (key !== null) return beneficiaryOf(dependencies, user, { account, key: beneficiaryKeyOf(key) });
  const search = { ...page, account, text: q?.trim() || null };
  const keys =
    payment === null
      ? await listBeneficiaryKeys(database, payees, search)
      : await listBookKeysOfRow(database, account, payment);
  const lines = await readBeneficiaryLines(database, payees, account, keys);
  const nextAfter = payment === null && keys.length === page.limit ? (keys.at(-1) ?? null) : null;
  return { account, beneficiaries: beneficiariesOf(lines, []), heldRows: [], nextAfter };
}

async function beneficiaryOf(
  dependencies: ApplicationDependencies,
  { userId }: SignedIn,
  { account, key }: { account: string; key: string },
): Promise<BookPage> {
  const { database } = dependencies;
  const lines = await readBeneficiaryLines(database, await payeesOf(dependencies), account, [key], userId);
  const accountHashes = [...new Set(lines.map(({ accountHash }) => accountHash))];
  const nameHashes = [...new Set(lines.map(({ nameHash }) => nameHash))];
  const paid = await readPaidToAccounts(database, account, accountHashes);
  const heldRows = await readRowsHeldFor(database, account, { accountHashes, nameHashes });
  return { account, beneficiaries: beneficiariesOf(lines, paid), heldRows, nextAfter: null };
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
  const { id, hash, currency, state, source, isChange, objection, addedBy, confirmedBy, confirmation } = line;
  const { endedBy, details } = line;
  return {
    ...{ id, hash, currency, state, source, isChange, objection, addedBy, confirmedBy, confirmation, endedBy },
    columns: details === null ? null : cellsOf(details),
    addedAt: line.addedAt.toISOString(),
    confirmedAt: iso(line.confirmedAt),
    endedAt: iso(line.endedAt),
    paid: paid.flatMap(({ accountHash, lastAt, ...rest }) =>
      accountHash === line.accountHash ? [{ ...rest, lastAt: lastAt.toISOString() }] : [],
    ),
  };
}

const KEYS_PER_PAGE = 500;

/** The accounts that are not ended, as a CSV: a header, then pages of lines. */
export async function exportBeneficiaries(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  given: string | null,
): Promise<AsyncGenerator<string, void, undefined>> {
  const account = await accountOf(dependencies, user, given);
  return bookCsv(liveLines(dependencies, await payeesOf(dependencies), account));
}

async function* liveLines(
  { database }: ApplicationDependencies,
  payees: PayeeData,
  account: string,
): AsyncGenerator<ExportedLine, void, undefined> {
  for (let after: string | null = null; ; ) {
    const page = { account, text: null, state: null, after, limit: KEYS_PER_PAGE };
    const keys: string[] = await listBeneficiaryKeys(database, payees, page);
    const lines = await readBeneficiaryLines(database, payees, account, keys);
    for (const { key, endedAt, details } of lines) if (endedAt === null && details !== null) yield { key, details };
    after = keys.at(-1) ?? null;
    if (keys.length < KEYS_PER_PAGE) return;
  }
}
