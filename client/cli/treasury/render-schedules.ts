import { stringify } from 'yaml';
import type {
  NextOccurrences,
  ScheduleDetail,
  ScheduleOccurrence,
  ScheduleProblem,
  ScheduleSummary,
  ScheduleVersion,
  WrittenSchedule,
} from '../../sdk/index.ts';
import { shortHash } from '../approvals/content-hash.ts';
import { printable, printableLines } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { moment, money, words } from '../wording.ts';

/** `line 4, max_order: 12000 is not accepted: give an amount in quotes, as "50000.00"`, in the order of the lines. */
export function renderScheduleProblems(problems: readonly (ScheduleProblem & { line?: number })[]): string {
  return [...problems]
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .map(({ line, field, problem, fix }) => {
      const place = [...(line === undefined ? [] : [`line ${line}`]), ...(field === '' ? [] : [field])].join(', ');
      return printable(`${place === '' ? '' : `${place}: `}${problem}: ${fix}`);
    })
    .join('\n');
}

export function renderSchedules(schedules: readonly ScheduleSummary[]): string {
  if (schedules.length === 0) return "There is no schedule yet: 'payrun treasury schedule add --help'.";
  return textTable(
    [
      { title: 'Schedule', maxWidth: 40 },
      { title: 'Account' },
      { title: 'Kind' },
      { title: 'Times' },
      { title: 'State' },
    ],
    schedules.map((one) => {
      const { kind = '', times = [], time_zone: zone = '' } = (one.inForce ?? one.proposed)?.schedule ?? {};
      return [one.name, one.account, words(kind), `${times.join(' ')} ${zone}`, stateOf(one)];
    }),
  );
}

export function renderSchedule({ schedule, occurrences }: ScheduleDetail): string {
  const { scheduleId, name, account, inForce, proposed, stateText, stateChangedAt, stateChangedBy } = schedule;
  const changed = `${moment(stateChangedAt)}, by ${stateChangedBy?.name ?? 'payrun'}`;
  return [
    printable(`Schedule ${name} (${scheduleId}), account ${account}`),
    printable(`  State  ${stateOf(schedule)}: ${changed}${stateText === null ? '' : `: ${stateText}`}`),
    ...(inForce === null ? [] : ['', printable(`Version ${inForce.version}, in force:`), definitionOf(inForce)]),
    ...(proposed === null ? [] : ['', renderProposed(proposed, inForce)]),
    ...(occurrences.length === 0 ? [] : ['', renderOccurrences(occurrences)]),
  ].join('\n');
}

/** What a second person confirms, with what changes. */
export function renderProposed(proposed: ScheduleVersion, inForce: ScheduleVersion | null): string {
  const { version, proposedBy, proposedAt, definitionHash } = proposed;
  return [
    printable(
      `Version ${version}, proposed by ${proposedBy.name}, ${moment(proposedAt)}, hash ${shortHash(definitionHash)}:`,
    ),
    definitionOf(proposed),
    ...(inForce === null ? [] : [`It changes: ${printable(changedKeys(proposed, inForce).join(', '))}`]),
  ].join('\n');
}

function changedKeys(one: ScheduleVersion, other: ScheduleVersion): string[] {
  const [after, before]: [WrittenSchedule, WrittenSchedule] = [one.schedule, other.schedule];
  const keys = Object.keys({ ...after, ...before }) as (keyof WrittenSchedule)[];
  const changed = keys.filter((key) => JSON.stringify(after[key]) !== JSON.stringify(before[key]));
  return changed.length === 0 ? ['nothing'] : changed.sort();
}

/** As its file would be. */
function definitionOf({ schedule }: ScheduleVersion): string {
  return printableLines(stringify(schedule, { sortMapEntries: true }).trimEnd().replace(/^/gm, '  '));
}

function stateOf({ state, proposed }: ScheduleSummary): string {
  if (state === 'pending') return proposed === null ? 'rejected' : 'needs a second person';
  return proposed === null ? state : `${state}; a new version needs a second person`;
}

function renderOccurrences(occurrences: readonly ScheduleOccurrence[]): string {
  return textTable(
    [{ title: 'Occurrence' }, { title: 'Cause' }, { title: 'Version', align: 'right' }, { title: 'Outcome' }],
    occurrences.map(({ scheduledAt, cause, version, ended, message }) => [
      moment(scheduledAt),
      cause,
      String(version),
      `${ended === null ? 'under way' : words(ended)}${message === null ? '' : `: ${message}`}`,
    ]),
  );
}

export function renderNext({ occurrences, today }: NextOccurrences, { state }: ScheduleSummary): string {
  const conversions = today.conversions.map(
    ({ sell, buy, sellAmount, buyAmount }) => `sell ${money(sellAmount)} ${sell} for about ${money(buyAmount)} ${buy}`,
  );
  return [
    ...(state === 'active' ? [] : [`The schedule is ${state}: it does not start until it is active.`]),
    occurrences.length === 0
      ? 'It has no further dates.'
      : textTable(
          [{ title: 'Due' }, { title: 'Local date' }, { title: 'Moved from' }],
          occurrences.map(({ at, localDate, movedFrom }) => [moment(at), localDate, movedFrom.join(', ')]),
        ),
    printable(
      `With the balances of this moment it would ${conversions.join(', and ') || `convert nothing: ${today.message ?? ''}`}`,
    ),
  ].join('\n');
}
