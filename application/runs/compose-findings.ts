import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import {
  type KnownBeneficiary,
  type ShownAccount,
  shownAccountOf,
} from '../../domain/beneficiaries/known-beneficiary.ts';
import type {
  AccountChanged,
  AccountOfAnotherName,
  CheckWarning,
  FoundRows,
  LookAlikeFound,
  RoutingChanged,
  RunFinding,
} from '../../domain/runs/run-finding.ts';
import type { RowFinding } from '../../domain/runs/collected-findings.ts';
import type { RowsOfName } from '../../domain/runs/found-names.ts';
import { firstListed } from '../../domain/runs/found-rows.ts';
import type { OtherRows, RowFacts } from '../../domain/runs/run-findings.ts';
import { localTimeOf } from '../../domain/treasury/local-time.ts';
import { readTimeZone } from '../../store/approvals/local-days.ts';
import type { LookAlike } from '../../store/beneficiaries/look-alikes.ts';
import type { Queryable } from '../../store/database/database.ts';
import {
  type NamesPaid,
  type OtherAccount,
  type PaidBeneficiary,
  readBeneficiariesOf,
  readLastRoutings,
  readNamesPaid,
  readOtherAccounts,
  readReleasesOf,
} from '../../store/runs/review-details.ts';
import { readPaidEarlier } from '../../store/runs/paid-earlier.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import type { ReviewScope } from '../../store/runs/review-facts.ts';

type RowOf<T> = (row: RowFacts) => T;

/** Other payments that findings are about, by the number of the row. */
export interface FoundOthers extends Pick<OtherRows, 'sameInvoice' | 'closeAmount'> {
  alike: ReadonlyMap<number, LookAlike>;
}

/** Findings with the names and the accounts that they are about, which are read for these findings only. */
export async function composeFindings(
  transaction: Queryable,
  payees: PayeeData,
  scope: ReviewScope,
  found: readonly (RowFinding & { id: string })[],
  others: FoundOthers,
): Promise<RunFinding[]> {
  const beneficiaries = await readBeneficiariesOf(
    transaction,
    payees,
    scope.runId,
    found.flatMap(rowsToName).map(numberOf),
  );
  const zone = await readTimeZone(transaction, scope.account);
  const dayOf = (paid: { paidAt: Date | null } | null): string | null =>
    paid === null || paid.paidAt === null ? null : localTimeOf(paid.paidAt.getTime(), zone).date;
  const firstRowsOf = (kind: RowFinding['kind']): number[] =>
    found.filter((one) => one.kind === kind).map((one) => firstOf(one).rowNumber);
  const otherAccounts = await readOtherAccounts(transaction, payees, scope, firstRowsOf('account_changed'));
  const lastRoutings = await readLastRoutings(transaction, payees, scope, firstRowsOf('routing_changed'));
  const namesPaid = await readNamesPaid(transaction, payees, scope, firstRowsOf('account_has_other_names'));
  const releases = await readReleasesOf(transaction, scope.runId, firstRowsOf('released_duplicate'));
  const likeEarlier = [...firstRowsOf('invoice_paid_before'), ...firstRowsOf('similar_payment')];
  const earlier = new Map([
    ...(await readPaidEarlier(transaction, payees, scope, 'amounts', likeEarlier)),
    ...(await readPaidEarlier(transaction, payees, scope, 'invoices', likeEarlier)),
  ]);
  const known: RowOf<KnownBeneficiary | null> = ({ rowNumber }) => beneficiaries.get(rowNumber) ?? null;
  return found.map((one) => {
    const first = firstOf(one);
    const rows = one.found.shown(one.id);
    const name = nameOf(known(first));
    const account = accountOf(known(first));
    switch (one.kind) {
      case 'account_changed':
        return accountChanged({ rows, name, account, dayOf }, otherAccounts.get(first.rowNumber) ?? null);
      case 'look_alike':
        return lookAlike({ rows, name, account, dayOf }, others.alike.get(first.rowNumber) ?? null);
      case 'routing_changed':
        return routingChanged({ rows, name, account, dayOf }, lastRoutings.get(first.rowNumber) ?? null);
      case 'account_has_other_names':
        return accountOfAnotherName(one, { rows, account, known, dayOf }, namesPaid.get(first.rowNumber) ?? null);
      case 'invoice_paid_before':
      case 'similar_payment': {
        const { rowNumber } = first;
        const earlierCount = others.sameInvoice(rowNumber) || others.closeAmount(rowNumber);
        return { kind: one.kind, name, earlier: earlier.get(rowNumber) ?? [], earlierCount, ...rows };
      }
      case 'released_duplicate': {
        const { releasedBy, reason } = releases.get(first.rowNumber) ?? { releasedBy: '', reason: null };
        return { kind: one.kind, name, releasedBy, reason, ...rows };
      }
      case 'details_unknown':
        return detailsUnknown(first, rows);
      case 'unusual_amount':
        return { kind: one.kind, name, largestBefore: first.before.largest ?? '0', ...rows };
      case 'check_warning':
        return checkWarning(one, rows);
      case 'names_not_compared':
      case 'row_unreadable':
      case 'failed_before':
        return { kind: one.kind, ...rows };
      case 'new_beneficiary':
        return { kind: one.kind, name, account, ...rows };
    }
  });
}

function detailsUnknown({ beneficiaryId, unknown }: RowFacts, rows: FoundRows): RunFinding {
  return { kind: 'details_unknown', beneficiaryId: beneficiaryId ?? '', reason: unknown ?? 'not_read', ...rows };
}

interface OfFinding {
  rows: FoundRows;
  account: ShownAccount;
  /** In the time zone of the account. */
  dayOf: (paid: { paidAt: Date | null } | null) => string | null;
}

function accountChanged(
  { rows, name, account, dayOf }: OfFinding & { name: string },
  other: OtherAccount | null,
): AccountChanged {
  const from = other === null || other.known === null ? null : shownAccountOf(other.known);
  return {
    kind: 'account_changed',
    name,
    from,
    fromCount: other?.accounts ?? 0,
    to: account,
    isOtherCountry: from !== null && from.country !== account.country,
    lastPaidOn: dayOf(other),
    ...rows,
  };
}

function lookAlike(
  { rows, name, account, dayOf }: OfFinding & { name: string },
  other: LookAlike | null,
): LookAlikeFound {
  return {
    kind: 'look_alike',
    name,
    account,
    like: nameOf(other?.known ?? null),
    likeAccount: other === null ? null : shownAccountOf(other.known),
    lastPaidOn: dayOf(other),
    likeRow: other?.rowRef ?? null,
    likeKey: other?.bookKey ?? null,
    ...rows,
  };
}

function routingChanged(
  { rows, name, account, dayOf }: OfFinding & { name: string },
  last: PaidBeneficiary | null,
): RoutingChanged {
  const from = last === null || last.known === null ? null : shownAccountOf(last.known);
  return { kind: 'routing_changed', name, from, to: account, lastPaidOn: dayOf(last) ?? '', ...rows };
}

function accountOfAnotherName(
  found: RowFinding,
  { rows, account, known, dayOf }: OfFinding & { known: RowOf<KnownBeneficiary | null> },
  before: NamesPaid | null,
): AccountOfAnotherName {
  return {
    kind: 'account_has_other_names',
    account,
    names: namesOf(found).map(({ first, ...listed }) => ({ name: nameOf(known(first)), ...listed })),
    nameCount: found.names?.count ?? 0,
    paidBefore:
      before === null
        ? null
        : { names: before.known.map(nameOf), nameCount: before.nameCount, lastPaidOn: dayOf(before) ?? '' },
    ...rows,
  };
}

function checkWarning({ warnings }: RowFinding, rows: FoundRows): CheckWarning {
  if (warnings === undefined) throw new Error('a finding of the file check has no warning');
  const [{ code, column, problem, fix }] = warnings;
  const cells = firstListed(warnings).map(({ line, rowRef, value }) => ({ line, rowRef, value }));
  return { kind: 'check_warning', code, column, problem, fix, cells, ...rows };
}

/** The rows of a finding whose names or accounts are shown. */
function rowsToName(finding: RowFinding): RowFacts[] {
  return finding.kind === 'account_has_other_names' ? namesOf(finding).map(({ first }) => first) : [firstOf(finding)];
}

function namesOf({ names }: RowFinding): RowsOfName[] {
  return names?.listed() ?? [];
}

function firstOf({ found }: RowFinding): RowFacts {
  const [first] = found.rows;
  if (first === undefined) throw new Error('a finding has no row');
  return first;
}

function numberOf({ rowNumber }: RowFacts): number {
  return rowNumber;
}

function nameOf(known: KnownBeneficiary | null): string {
  return known === null ? '' : beneficiaryName(known);
}

const NO_ACCOUNT: ShownAccount = {
  iban: null,
  accountNumber: null,
  bankCode: null,
  bankName: null,
  holder: null,
  country: null,
  intermediaryBank: null,
};

function accountOf(known: KnownBeneficiary | null): ShownAccount {
  return (known === null ? null : shownAccountOf(known)) ?? NO_ACCOUNT;
}
