import type { ShownAccount } from '../../../domain/beneficiaries/known-beneficiary.ts';
import type {
  AccountChanged,
  AccountOfAnotherName,
  DetailsUnknown,
  FindingKind,
  FoundRows,
  PaysLater,
  ReleasedDuplicate,
  RoutingChanged,
  RunFinding,
  RunReview,
  UnusualAmount,
} from '../../../domain/runs/run-finding.ts';
import { FINDING_KINDS, isAlarming } from '../../../domain/runs/run-finding.ts';
import { printable } from '../printable.ts';
import { accountWords, routingWords } from './render-account.ts';
import { count, counted, money } from '../wording.ts';

/** For whoever may not read what stands out. */
export const MASKED_SENTENCE =
  'Bank details, and a list of what stands out, are shown to makers, checkers, treasurers and viewers only.';

/** So many new beneficiaries are named: of a first run, all are new. `show --rows` marks them, `--json` has more. */
const MOST_NEW = 20;
const MOST_ROWS = 5;
const MOST_NAMES = 10;
const MOST_DAYS = 10;

const MORE: Readonly<Record<FindingKind, string>> = {
  account_changed: 'more changed bank accounts',
  routing_changed: 'more changed bank details',
  account_of_another_name: 'more bank accounts under several names',
  released_duplicate: 'more suspected duplicates that were released',
  details_unknown: 'more beneficiaries whose bank account is not known',
  unusual_amount: 'more unusual amounts',
  new_beneficiary: 'more new beneficiaries',
  pays_later: 'more later days',
};

/** What stands out in a run, a line each, the most alarming first. Account numbers are written in full. */
export function renderFindings({ findings, more }: RunReview): string {
  if (findings.length === 0) {
    return 'Nothing stands out: every beneficiary was paid before, at the same bank account.';
  }
  const lines = FINDING_KINDS.flatMap((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind);
    const shown = kind === 'new_beneficiary' ? ofKind.slice(0, MOST_NEW) : ofKind;
    const unlisted = ofKind.length - shown.length + (more[kind] ?? 0);
    const last = unlisted === 0 ? [] : [`… and ${count(unlisted)} ${MORE[kind]}: --rows marks them`];
    return [...(kind === 'pays_later' ? laterLine(shown as PaysLater[]) : shown.flatMap(findingLines)), ...last];
  });
  return lines.map(printable).join('\n');
}

/** One line, and more for what is better seen below it. */
function findingLines(finding: RunFinding): string[] {
  const line = findingLine(finding);
  const first = isAlarming(finding.kind) ? `ATTENTION: ${line}` : line;
  switch (finding.kind) {
    case 'account_changed':
      return [first, ...accountLines(finding)];
    case 'routing_changed':
      return [first, ...routingLines(finding)];
    default:
      return [first];
  }
}

function findingLine(finding: RunFinding): string {
  switch (finding.kind) {
    case 'account_changed':
      return changedLine(finding);
    case 'routing_changed':
      return `Bank details changed at the same account: ${finding.name}, ${accountWords(finding.to)}, ${rowsAndAmounts(finding)}`;
    case 'account_of_another_name':
      return anotherNameLine(finding);
    case 'released_duplicate':
      return releasedLine(finding);
    case 'details_unknown':
      return unknownLine(finding);
    case 'unusual_amount':
      return unusualLine(finding);
    case 'new_beneficiary': {
      const { name, account } = finding;
      return `New beneficiary: ${name}, ${accountWords(account)}${countryOf(account)}, ${rowsAndAmounts(finding)}`;
    }
    case 'pays_later':
      return laterLine([finding]).join('');
  }
}

function changedLine({ name, ...found }: AccountChanged): string {
  return `Bank account changed: ${name}, ${rowsAndAmounts(found)}`;
}

/** The old account and the new one, one below the other. */
function accountLines({ from, fromCount, to, isOtherCountry, lastPaidOn }: AccountChanged): string[] {
  const others = fromCount > 1 ? ` (and ${counted(fromCount - 1, 'other account')})` : '';
  const old = from === null ? 'an account that is not known' : `${accountWords(from)}${countryOf(from)}`;
  return [
    `    last paid ${lastPaidOn} to ${old}${others}`,
    `    to be paid now to       ${accountWords(to)}${countryOf(to)}${isOtherCountry ? ', another country' : ''}`,
  ];
}

/** The old details and the new ones, one below the other. */
function routingLines({ from, to, lastPaidOn }: RoutingChanged): string[] {
  return [
    `    last paid ${lastPaidOn} with ${from === null ? 'details that are not known' : routingWords(from)}`,
    `    to be paid now with       ${routingWords(to)}`,
  ];
}

function anotherNameLine({ account, names, nameCount, paidBefore, ...found }: AccountOfAnotherName): string {
  const here = names.slice(0, MOST_NAMES).map((named) => `${named.name} (${rowsOf(named)})`);
  const before =
    paidBefore === null
      ? ''
      : `, paid before under ${andMore(paidBefore.names.slice(0, MOST_NAMES), paidBefore.nameCount, 'name')}, ` +
        `last on ${paidBefore.lastPaidOn}`;
  const title = nameCount > 1 ? 'One bank account for several names' : 'Bank account of another name';
  return `${title}: ${accountWords(account)}${countryOf(account)}, here for ${andMore(here, nameCount, 'name')}${before}, ${amountsOf(found)}`;
}

function releasedLine({ name, releasedBy, reason, ...found }: ReleasedDuplicate): string {
  const why = reason === null ? '' : `: ${reason}`;
  return `Suspected duplicate, released by ${releasedBy}${why}: ${name}, ${rowsAndAmounts(found)}`;
}

const WHY_UNKNOWN: Readonly<Record<DetailsUnknown['reason'], string>> = {
  not_read: 'the provider could not be asked for it',
  no_such_beneficiary: 'the provider does not know this id',
  no_account_shown: 'the provider shows no bank account of it',
};

function unknownLine({ beneficiaryId, reason, ...found }: DetailsUnknown): string {
  return `Bank account not known: beneficiary ${beneficiaryId}, ${WHY_UNKNOWN[reason]}, ${rowsAndAmounts(found)}`;
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
  const shown = days.slice(0, MOST_DAYS).map(({ day, rowCount }) => `${counted(rowCount, 'row')} on ${day}`);
  return [`Paid on a later day: ${andMore(shown, days.length, 'day')}`];
}

function rowsAndAmounts(found: FoundRows): string {
  return `${amountsOf(found)} (${rowsOf(found)})`;
}

function amountsOf({ amounts }: Pick<FoundRows, 'amounts'>): string {
  return amounts.map(({ currency, amount }) => `${currency} ${money(amount)}`).join(' and ');
}

function rowsOf({ rows, rowCount }: Pick<FoundRows, 'rows' | 'rowCount'>): string {
  return andMore(rows.slice(0, MOST_ROWS), rowCount, 'row');
}

function andMore(shown: readonly string[], total: number, thing: string): string {
  const unlisted = total - shown.length;
  return `${shown.join(', ')}${unlisted > 0 ? ` and ${counted(unlisted, `more ${thing}`)}` : ''}`;
}

function countryOf({ country }: ShownAccount): string {
  return country === null ? '' : ` in ${country}`;
}
