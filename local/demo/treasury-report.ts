import { textTable } from '../../client/cli/text-table.ts';
import type { ScheduleOccurrence } from '../../client/sdk/index.ts';

export function occurrenceTable(schedules: readonly object[], occurrences: readonly ScheduleOccurrence[]): string {
  const nameOf = (schedule: object | undefined): string =>
    schedule !== undefined && 'name' in schedule ? String(schedule.name) : '';
  return textTable(
    [{ title: 'Schedule' }, { title: 'Outcome' }],
    occurrences.map(({ ended, message }, index) => [
      nameOf(schedules[index]),
      `${(ended ?? 'under way').replaceAll('_', ' ')}${message === null ? '' : `: ${message}`}`,
    ]),
  );
}

export function balanceTable(balances: Readonly<Record<string, string>>, seconds: number): string {
  return textTable(
    [{ title: "The provider's own balances" }, { title: '', align: 'right' }],
    [
      ...Object.entries(balances).map(([currency, amount]) => [currency, amount]),
      ['seconds from the deposits to the last payment', seconds.toFixed(1)],
    ],
  );
}

export function treasuryNextSteps(isKept: boolean): string[] {
  const commands = [
    'bin/payrun users examples',
    'bin/payrun treasury schedule add examples/treasury/sweep.yaml --as tina',
    'bin/payrun treasury cash --as tina',
  ];
  return isKept
    ? commands
    : [
        'npm run demo -- --treasury --keep      keeps everything running, to look around',
        'bin/payrun up                          is payrun itself; then, in another terminal:',
        ...commands,
      ];
}
