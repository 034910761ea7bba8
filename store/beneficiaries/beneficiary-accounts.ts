import { randomUUID } from 'node:crypto';
import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import type { BeneficiaryAccountState } from '../../domain/beneficiaries/beneficiary-account-state.ts';
import type { AccountConfirmation, BeneficiaryBook, BookAccount } from '../../domain/beneficiaries/beneficiary-book.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import type { BookLine } from '../../domain/payment-file/check-book-row.ts';
import type { BeneficiaryDetails } from '../../domain/payments/payment-instruction.ts';
import { identityHashesOf, type TextHash } from '../../domain/runs/row-identity.ts';
import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import { DecryptionFailed } from '../personal-data/encryption.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import type { PayeeData } from '../personal-data/payee-data.ts';
import { accountEndKey, nameKeys } from '../runs/row-search-keys.ts';
import type { TokenHash } from '../users/token-hash.ts';
import { lookAlikeKeys } from './look-alike-keys.ts';

/** Lines of the book of beneficiaries: what is encrypted in them, and who added, confirmed and ended them. */

interface PersonOf {
  userId: string;
  name: string;
}

/** A line as it is stored. */
interface StoredLine {
  id: string;
  account: string;
  key: string;
  currency: string;
  encrypted: Buffer;
  hash: string;
  accountHash: string;
  routingHash: string;
  nameHash: string;
  source: 'by_hand' | 'import';
  state: BeneficiaryAccountState;
  isChange: boolean;
  /** Why who reads it may not confirm it. Null: nothing speaks against it, or it is not proposed. */
  objection: string | null;
  addedBy: PersonOf;
  addedAt: Date;
  confirmation: Buffer | null;
  confirmedBy: PersonOf | null;
  confirmedAt: Date | null;
  endedBy: PersonOf | null;
  endedAt: Date | null;
}

export interface BeneficiaryLine extends Omit<StoredLine, 'encrypted' | 'confirmation'> {
  /** Null: it cannot be read. */
  details: BeneficiaryDetails | null;
  confirmation: AccountConfirmation | null;
}

const person = (column: string): string =>
  `(select jsonb_build_object('userId', user_id, 'name', name) from users where user_id = ${column})`;

/** SQL: lines, and by these whether each is a change of what is known, and what speaks against its confirmation. */
const lines = (
  isChange: string,
  objection = 'null::text',
): string => `select beneficiary_account_id as id, account, beneficiary_key as key, currency, encrypted, details_hash as hash,
    account_hash as "accountHash", routing_hash as "routingHash", name_hash as "nameHash", source, state,
    ${isChange} as "isChange", ${objection} as objection,
    ${person('added_by')} as "addedBy", added_at as "addedAt", confirmation, ${person('confirmed_by')} as "confirmedBy",
    confirmed_at as "confirmedAt", ${person('ended_by')} as "endedBy", ended_at as "endedAt"
  from beneficiary_accounts`;

function hashesOf(hash: TextHash, details: BeneficiaryDetails) {
  return { hash: hash(canonicalJson(details)), ...identityHashesOf(hash, details) };
}

/** Null: damaged, or its hashes are not of what is encrypted in it: by them rows are compared with it. */
function detailsOf(payees: PayeeData, line: StoredLine): BeneficiaryDetails | null {
  return unlessUnreadable(() => {
    const details = payees.decryptOfBook(placeOf(line), line.encrypted) as BeneficiaryDetails;
    const hashes = hashesOf(payees.hash, details);
    // guard: book-hashes-of-its-details (3 lines)
    const isWhole = (['hash', 'accountHash', 'routingHash', 'nameHash'] as const).every(
      (name) => hashes[name] === line[name],
    );
    if (!isWhole || details.bankAccount.currency !== line.currency) throw new DecryptionFailed();
    return details;
  }, null);
}

function placeOf({ account, key, id }: { account: string; key: string; id: string }): string {
  return `${account} ${key} ${id}`;
}

function opened(payees: PayeeData, line: StoredLine): BeneficiaryLine {
  const { id, account, key, currency, hash, accountHash, routingHash, nameHash, source, state, isChange, objection } =
    line;
  const { addedBy, addedAt, confirmation, confirmedBy, confirmedAt, endedBy, endedAt } = line;
  const readConfirmation = (stored: Buffer) =>
    unlessUnreadable(() => payees.decryptOfBook(`confirmation ${id}`, stored) as AccountConfirmation, null);
  return {
    ...{ id, account, key, currency, hash, accountHash, routingHash, nameHash, source, state, isChange, objection },
    ...{ addedBy, addedAt, confirmedBy, confirmedAt, endedBy, endedAt },
    details: detailsOf(payees, line),
    confirmation: confirmation === null ? null : readConfirmation(confirmation),
  };
}

/** What a search finds: beneficiaries whose key begins so, or with all words of the name or holder, or the end of the account. */
export interface BookSearch {
  account: string;
  /** Null: all. */
  text: string | null;
  state: BeneficiaryAccountState | null;
  /** The key after which the page begins. */
  after: string | null;
  limit: number;
}

/** The keys of a page, in their order. */
export async function listBeneficiaryKeys(
  database: Queryable,
  payees: PayeeData,
  { account, text, state, after, limit }: BookSearch,
): Promise<string[]> {
  const words = text === null ? [] : nameKeys(payees.hash, text);
  const end = text === null ? [] : [accountEndKey(payees.hash, text.replaceAll(/\s/g, '').slice(-4))];
  const { rows } = await database.query<{ key: string }>(
    `select distinct beneficiary_key as key from beneficiary_accounts
     where account = $1 and ($2::text is null or starts_with(beneficiary_key, upper($2)) or search_keys @> nullif($3::bigint[], '{}')
       or search_keys @> nullif($4::bigint[], '{}')) and ($5::text is null or state = $5) and ($6::text is null or beneficiary_key > $6)
     order by 1 limit $7`,
    [account, text, words, end, state, after, limit],
  );
  return rows.map(({ key }) => key);
}

const IS_CHANGE = "state = 'proposed' and is_changed_account(beneficiary_accounts)";
const OBJECTION = `case when state = 'proposed' then objection_to_confirming($3, beneficiary_accounts, details_hash, true) ->> 'message' end`;

/** All lines of these beneficiaries, by key, the newest first. `reader`: a user, and what speaks against their confirmation is read as well. */
export async function readBeneficiaryLines(
  database: Queryable,
  payees: PayeeData,
  account: string,
  keys: readonly string[],
  reader: string | null = null,
): Promise<BeneficiaryLine[]> {
  const { rows } = await database.query<StoredLine>(
    `${reader === null ? lines(IS_CHANGE) : lines(IS_CHANGE, OBJECTION)}
     where account = $1 and beneficiary_key = any($2) order by beneficiary_key, added_at desc, id`,
    [account, keys, ...(reader === null ? [] : [reader])],
  );
  return rows.map((line) => opened(payees, line));
}

/** What rows may be filled from, of these beneficiaries. Lines that cannot be read fill none. */
export async function readBook(
  database: Queryable,
  payees: PayeeData,
  account: string,
  keys: readonly string[],
): Promise<BeneficiaryBook> {
  const book = new Map<string, BookAccount[]>();
  if (keys.length === 0) return book;
  const { rows } = await database.query<StoredLine & { holds: boolean }>(
    `select book.*, current_policy() ->> 'unconfirmedAccounts' is distinct from 'warn' as holds from (${lines('false')}
       where account = $1 and beneficiary_key = any($2) and ended_at is null) as book order by "addedAt", id`,
    [account, keys],
  );
  for (const { holds, ...line } of rows) {
    const details = detailsOf(payees, line);
    if (details === null) continue;
    const isConfirmed = line.state === 'confirmed';
    // Its rows are paid as it says: where nothing holds them, one person alone would say whom they pay.
    // guard: proposed-account-fills-held-rows
    const fills = isConfirmed || holds;
    book.set(line.key, [...(book.get(line.key) ?? []), ...(fills ? [{ details, isConfirmed }] : [])]);
  }
  return book;
}

/** The details of these lines, by their ids; without those that cannot be read. */
export async function readDetailsOfLines(
  database: Queryable,
  payees: PayeeData,
  ids: readonly string[],
): Promise<Map<string, BeneficiaryDetails>> {
  if (ids.length === 0) return new Map();
  const { rows } = await database.query<StoredLine>(`${lines('false')} where beneficiary_account_id = any($1)`, [ids]);
  return new Map(
    rows.flatMap((line) => {
      const details = detailsOf(payees, line);
      return details === null ? [] : [[line.id, details] as const];
    }),
  );
}

export function addBeneficiaryLinesAs(
  database: Queryable,
  payees: PayeeData,
  tokenHash: TokenHash,
  { account, source, lines }: { account: string; source: StoredLine['source']; lines: readonly BookLine[] },
): Promise<{ added: number; known: number }> {
  const records = lines.map(({ key, currency, details }) => {
    const id = randomUUID();
    const hashes = hashesOf(payees.hash, details);
    return {
      ...{ id, key, currency, details_hash: hashes.hash, account_hash: hashes.accountHash },
      ...{
        routing_hash: hashes.routingHash,
        name_hash: hashes.nameHash,
        search_keys: searchKeysOf(payees.hash, details),
        look_alike_keys: lookAlikeKeys(payees.hash, details),
      },
      encrypted: payees.encryptOfBook(placeOf({ account, key, id }), details).toString('base64'),
    };
  });
  return callAsUser(database, 'add_beneficiary_accounts($1, $2, $3, $4)', [
    tokenHash.bytes,
    account,
    source,
    JSON.stringify(records),
  ]);
}

function searchKeysOf(hash: TextHash, details: BeneficiaryDetails): string[] {
  const { iban, accountNumber, clabe, bankAccountHolderName } = details.bankAccount;
  const number = iban ?? accountNumber ?? clabe;
  const keys = [
    ...nameKeys(hash, beneficiaryName(details)),
    ...nameKeys(hash, bankAccountHolderName),
    ...(number === undefined ? [] : [accountEndKey(hash, number.slice(-4))]),
  ];
  return [...new Set(keys)];
}

/** Lines as they were seen. */
export interface SeenLines {
  account: string;
  lines: readonly { id: string; hash: string }[];
}

export function confirmBeneficiaryLinesAs(
  database: Queryable,
  payees: PayeeData,
  tokenHash: TokenHash,
  { account, lines }: SeenLines,
  confirmation: AccountConfirmation,
): Promise<{ confirmed: number; released: number }> {
  const records = lines.map(({ id, hash }) => ({
    ...{ id, hash },
    confirmation: payees.encryptOfBook(`confirmation ${id}`, confirmation).toString('base64'),
  }));
  return callAsUser(database, 'confirm_beneficiary_accounts($1, $2, $3, $4)', [
    tokenHash.bytes,
    account,
    JSON.stringify(records),
    confirmation.called !== null,
  ]);
}

export function endBeneficiaryLinesAs(
  database: Queryable,
  tokenHash: TokenHash,
  { account, ids, reason }: { account: string; ids: readonly string[]; reason: string | null },
): Promise<{ ended: number }> {
  return callAsUser(database, 'end_beneficiary_accounts($1, $2, $3, $4)', [tokenHash.bytes, account, ids, reason]);
}

/** Erases lines that the retention rules keep no longer. Returns how many. */
export async function eraseUnusedBeneficiaries(database: Queryable): Promise<number> {
  const { rows } = await database.query<{ erased: number }>('select erase_unused_beneficiaries() as erased');
  return rows[0]?.erased ?? 0;
}
