import type { ShownAccount } from '../../../domain/beneficiaries/known-beneficiary.ts';
import type {
  AccountChanged,
  AccountOfAnotherName,
  CheckWarning,
  DetailsUnknown,
  EarlierPayment,
  FileSubmittedBefore,
  FindingKind,
  FoundRows,
  LookAlikeFound,
  PaysLater,
  ReleasedDuplicate,
  RoutingChanged,
  RunFinding,
  RunReview,
  SplitBelowRule,
  UnusualAmount,
} from '../../../domain/runs/run-finding.ts';
import { noteLines, profileLines, subjectOf } from '../../../domain/runs/finding-words.ts';
import { FINDING_KINDS, isAlarming } from '../../../domain/runs/run-finding.ts';
import { nothingStandsOut } from '../../../domain/runs/run-sentences.ts';
import type { RunSummary } from '../../sdk/index.ts';
import { printable } from '../printable.ts';
import { describeAccount, describeRouting } from './render-account.ts';
import { count, counted, moment, money } from '../wording.ts';

/** For users who may not read the findings. */
export const MASKED_SENTENCE =
  'Beneficiaries, bank details, and a list of what stands out, are shown to makers, checkers, treasurers and viewers only.';

/** In a first run every beneficiary is new, so only some are named. `show --rows` marks all, `--json` has more. */
const MAX_NEW = 20;
const MAX_ROWS = 5;
const MAX_NAMES = 10;
const MAX_DAYS = 10;

const MORE: Readonly<Record<FindingKind, string>> = {
  file_submitted_before: 'more earlier runs with the same file',
  split_below_rule: 'more currencies in parts',
  new_profile: 'more profiles',
  file_notes: 'more notes',
  row_unreadable: 'more rows that cannot be read',
  account_changed: 'more changed bank accounts',
  look_alike: 'more names that look like others',
  names_not_compared: 'more rows whose names were not compared with all',
  routing_changed: 'more changed bank details',
  account_has_other_names: 'more bank accounts under several names',
  invoice_paid_before: 'more invoices that were paid before',
  released_duplicate: 'more released suspected duplicates',
  details_unknown: 'more beneficiaries with an unknown bank account',
  unusual_amount: 'more unusual amounts',
  check_warning: 'more warnings of the file check',
  similar_payment: 'more rows like earlier payments',
  failed_before: 'more rows that failed before',
  new_beneficiary: 'more new beneficiaries',
  pays_later: 'more later days',
};

/** The findings of a run, one per line, the most alarming first. Account numbers are written in full. */
export function renderFindings({ findings, unlistedCounts }: RunReview, run: RunSummary): string {
  if (findings.length === 0 && Object.keys(unlistedCounts).length === 0) {
    return nothingStandsOut({ ...run, isApproved: run.startedAt !== null, payable: run.proposal?.payable ?? null })
      .text;
  }
  const lines = FINDING_KINDS.flatMap((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind);
    const shown = kind === 'new_beneficiary' ? ofKind.slice(0, MAX_NEW) : ofKind;
    const unlisted = ofKind.length - shown.length + (unlistedCounts[kind] ?? 0);
    const last =
      unlisted === 0
        ? []
        : [`… and ${count(unlisted)} ${MORE[kind]}${kind === 'check_warning' ? '' : ': --rows marks them'}`];
    return [...(kind === 'pays_later' ? laterLine(shown as PaysLater[]) : shown.flatMap(findingLines)), ...last];
  });
  return lines.map(printable).join('\n');
}

/** One line, followed by details that are compared one below the other. */
function findingLines(finding: RunFinding): string[] {
  const line = findingLine(finding);
  const first = isAlarming(finding.kind) ? `ATTENTION: ${line}` : line;
  switch (finding.kind) {
    case 'new_profile':
      return [first, ...profileLines(finding).map((said) => `    ${said}`)];
    case 'file_notes':
      return [first, ...noteLines(finding).map((said) => `    ${said}`)];
    case 'account_changed':
      return [first, ...accountLines(finding)];
    case 'look_alike':
      return [first, ...lookAlikeLines(finding)];
    case 'invoice_paid_before':
    case 'similar_payment':
      return [first, ...finding.earlier.map(earlierLine), ...furtherLine(finding)];
    case 'routing_changed':
      return [first, ...routingLines(finding)];
    default:
      return [first];
  }
}

function findingLine(finding: RunFinding): string {
  switch (finding.kind) {
    case 'file_submitted_before':
      return submittedBeforeLine(finding);
    case 'split_below_rule':
      return splitLine(finding);
    case 'new_profile':
      return `Read in a new way, by the profile "${finding.name}" (${finding.hash}):`;
    case 'file_notes':
      return 'Of the file, and not paid:';
    case 'account_changed':
      return changedLine(finding);
    case 'look_alike':
      return `Looks like another beneficiary: ${finding.name}, ${rowsAndAmounts(finding)}`;
    case 'names_not_compared':
      return `Not compared with all names that may look alike: ${rowsAndAmounts(finding)}`;
    case 'invoice_paid_before':
      return `Invoice paid before: ${finding.name}, ${rowsAndAmounts(finding)}`;
    case 'similar_payment':
      return `Like an earlier payment: ${finding.name}, ${rowsAndAmounts(finding)}`;
    case 'routing_changed':
      return `Bank details changed at the same account: ${finding.name}, ${describeAccount(finding.to)}, ${rowsAndAmounts(finding)}`;
    case 'account_has_other_names':
      return anotherNameLine(finding);
    case 'released_duplicate':
      return releasedLine(finding);
    case 'details_unknown':
      return unknownLine(finding);
    case 'unusual_amount':
      return unusualLine(finding);
    case 'check_warning':
      return warningLine(finding);
    case 'row_unreadable':
      return `Cannot be read, so the run cannot be approved: ${rowsAndAmounts(finding)}`;
    case 'failed_before':
      return `Failed before, and nothing was changed: ${rowsAndAmounts(finding)}`;
    case 'new_beneficiary': {
      const { name, account } = finding;
      return `New beneficiary: ${name}, ${describeAccount(account)}${countryOf(account)}, ${rowsAndAmounts(finding)}`;
    }
    case 'pays_later':
      return laterLine([finding]).join('');
  }
}

function submittedBeforeLine(finding: FileSubmittedBefore): string {
  return `The same file was submitted before: ${otherRuns(finding)}`;
}

function splitLine(finding: SplitBelowRule): string {
  const others = finding.runCount === 0 ? '' : `: ${otherRuns(finding)}`;
  return `More approvals, were it not in parts: ${subjectOf(finding)}${others}`;
}

function otherRuns({ runs, runCount }: Pick<FileSubmittedBefore, 'runs' | 'runCount'>): string {
  const shown = runs.map(
    ({ runId, fileName, submittedAt, submittedBy }) =>
      `${fileName} by ${submittedBy} on ${moment(submittedAt)} (run ${runId})`,
  );
  return andMore(shown, runCount, 'run');
}

function warningLine({ column, problem, fix, cells, ...found }: CheckWarning): string {
  const values = [...new Set(cells.flatMap(({ value }) => (value === null ? [] : [value])))].slice(0, MAX_ROWS);
  const where = column === null ? '' : `${column}${values.length === 0 ? '' : ` ${values.join(', ')}`}: `;
  return `Warning of the file check: ${where}${problem}; ${fix} (${rowsOf(found)})`;
}

function changedLine({ name, ...found }: AccountChanged): string {
  return `Bank account changed: ${name}, ${rowsAndAmounts(found)}`;
}

/** The old account above the new one. */
function accountLines({ from, fromCount, to, isOtherCountry, lastPaidOn }: AccountChanged): string[] {
  const others = fromCount > 1 ? ` (and ${counted(fromCount - 1, 'other account')})` : '';
  const old = from === null ? 'an unknown account' : `${describeAccount(from)}${countryOf(from)}`;
  return [
    `    ${lastPaidOn === null ? 'approved, and not paid yet,' : `last paid ${lastPaidOn}`} to ${old}${others}`,
    `    to be paid now to       ${describeAccount(to)}${countryOf(to)}${isOtherCountry ? ', another country' : ''}`,
  ];
}

/** Ten are listed, and none of an account that one may not use. */
function furtherLine({ earlier, earlierCount }: Extract<RunFinding, { earlierCount: number }>): string[] {
  const further = earlierCount - earlier.length;
  return further === 0 ? [] : [`    and ${counted(further, 'more row')}, of other accounts or not listed`];
}

function earlierLine({
  runId,
  fileName,
  rowRef,
  account,
  currency,
  amount,
  state,
  reference,
  paidOn,
}: EarlierPayment): string {
  const where = fileName === null ? 'this file' : `${fileName}, run ${runId} of the account ${account}`;
  const when = paidOn === null ? state.replaceAll('_', ' ') : `paid ${paidOn}`;
  return `    ${when}: ${currency} ${money(amount)}, ${reference ?? 'its reference was erased'} (${rowRef} of ${where})`;
}

/** The known name above the one that looks like it. */
function lookAlikeLines({ name, account, like, likeAccount, ...where }: LookAlikeFound): string[] {
  const other =
    likeAccount === null ? 'an unknown account' : `${describeAccount(likeAccount)}${countryOf(likeAccount)}`;
  return [
    `    ${whereKnown(where)}: ${like}, ${other}`,
    `    to be paid now: ${name}, ${describeAccount(account)}${countryOf(account)}`,
  ];
}

function whereKnown({
  lastPaidOn,
  likeRow,
  likeKey,
}: Pick<LookAlikeFound, 'lastPaidOn' | 'likeRow' | 'likeKey'>): string {
  if (likeRow !== null) return `in row ${likeRow}`;
  if (likeKey !== null) return `${likeKey} of the book`;
  return lastPaidOn === null ? 'approved, and not paid yet' : `last paid ${lastPaidOn}`;
}

/** The old details above the new ones. */
function routingLines({ from, to, lastPaidOn }: RoutingChanged): string[] {
  return [
    `    last paid ${lastPaidOn} with ${from === null ? 'unknown details' : describeRouting(from)}`,
    `    to be paid now with       ${describeRouting(to)}`,
  ];
}

function anotherNameLine({ account, names, nameCount, paidBefore, ...found }: AccountOfAnotherName): string {
  const rowsByName = names.slice(0, MAX_NAMES).map((named) => `${named.name} (${rowsOf(named)})`);
  const before =
    paidBefore === null
      ? ''
      : `, paid before under ${andMore(paidBefore.names.slice(0, MAX_NAMES), paidBefore.nameCount, 'name')}, ` +
        `last on ${paidBefore.lastPaidOn}`;
  const title = nameCount > 1 ? 'One bank account for several names' : 'Bank account of another name';
  return `${title}: ${describeAccount(account)}${countryOf(account)}, here for ${andMore(rowsByName, nameCount, 'name')}${before}, ${amountsOf(found)}`;
}

function releasedLine({ name, releasedBy, reason, ...found }: ReleasedDuplicate): string {
  const why = reason === null ? '' : `: ${reason}`;
  const what = found.rowCount === 1 ? 'Suspected duplicate' : 'Suspected duplicates';
  return `${what}, released by ${releasedBy}${why}: ${name}, ${rowsAndAmounts(found)}`;
}

const WHY_UNKNOWN: Readonly<Record<DetailsUnknown['reason'], string>> = {
  not_read: 'the provider could not be asked for it',
  no_such_beneficiary: 'the provider does not know this id',
  no_account_shown: 'the provider shows no bank account for it',
};

function unknownLine({ beneficiaryId, reason, ...found }: DetailsUnknown): string {
  return `Unknown bank account: beneficiary ${beneficiaryId}, ${WHY_UNKNOWN[reason]}, ${rowsAndAmounts(found)}`;
}

function unusualLine({ name, largestBefore, ...found }: UnusualAmount): string {
  const currency = found.amounts[0]?.currency ?? '';
  return (
    `Unusual amount: ${name}, ${amountsOf(found)}, more than 3 times the largest of the last payments, ` +
    `${currency} ${money(largestBefore)} (${rowsOf(found)})`
  );
}

function laterLine(days: readonly PaysLater[]): string[] {
  if (days.length === 0) return [];
  const shown = days.slice(0, MAX_DAYS).map(({ day, rowCount }) => `${counted(rowCount, 'row')} on ${day}`);
  return [`Paid on a later day: ${andMore(shown, days.length, 'day')}`];
}

function rowsAndAmounts(found: FoundRows): string {
  return `${amountsOf(found)} (${rowsOf(found)})`;
}

function amountsOf({ amounts }: Pick<FoundRows, 'amounts'>): string {
  return amounts.map(({ currency, amount }) => `${currency} ${money(amount)}`).join(' and ');
}

function rowsOf({ rows, rowCount }: Pick<FoundRows, 'rows' | 'rowCount'>): string {
  return andMore(rows.slice(0, MAX_ROWS), rowCount, 'row');
}

function andMore(shown: readonly string[], total: number, noun: string): string {
  const unlisted = total - shown.length;
  return `${shown.join(', ')}${unlisted > 0 ? ` and ${counted(unlisted, `more ${noun}`)}` : ''}`;
}

function countryOf({ country }: ShownAccount): string {
  return country === null ? '' : ` in ${country}`;
}
