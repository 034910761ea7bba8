import type { Command } from 'commander';
import type { AcceptedSchedule, WrittenSchedule } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { scheduleOf } from './find-schedule.ts';
import { addDecidingCommands, addStartingCommands } from './schedule-decisions.ts';
import { readScheduleFile, withLines } from './schedule-file.ts';
import { addScheduleFlags, keysOfFlags } from './schedule-flags.ts';
import { renderNext, renderSchedule, renderSchedules } from './render-schedules.ts';

interface Json {
  json?: boolean;
}

interface ProposalOptions extends Json, Record<string, unknown> {
  dryRun?: boolean;
}

const SCHEDULE = ['<schedule>', "the schedule's name or id"] as const;
const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;
const MAX_NEXT = 50;

/** Standing orders to convert. */
export function addScheduleCommands(treasury: Command, io: CommandIo): void {
  const schedule = treasury
    .command('schedule')
    .description('standing orders to convert, which a second person confirms');
  addReadingCommands(schedule, io);
  addProposingCommands(schedule, io);
  addDecidingCommands(schedule, io);
  addStartingCommands(schedule, io);
}

function addReadingCommands(schedule: Command, io: CommandIo): void {
  schedule
    .command('list')
    .description('list the schedules, with their states')
    .option('--account <name>', 'only this account of the provider')
    .option(...JSON_OPTION)
    .action(async ({ account, json }: Json & { account?: string }) => {
      const list = await (await connect(io)).listSchedules({ account: account ?? null });
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderSchedules(list.schedules)));
    });

  schedule
    .command('show')
    .description('show a schedule, the version that waits for a decision, and what it did lately')
    .argument(...SCHEDULE)
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun treasury schedule show "Euros for suppliers"'))
    .action(async (name: string, { json }: Json) => {
      const client = await connect(io);
      const { scheduleId } = await scheduleOf(client, name);
      const detail = await client.getSchedule({ scheduleId });
      await (json === true ? writeJson(io, detail) : writeLine(io.stdout, renderSchedule(detail)));
    });

  schedule
    .command('next')
    .description('list when a schedule is due next, and what it would do with the balances of this moment')
    .argument(...SCHEDULE)
    .option('--count <count>', 'how many', '10')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun treasury schedule next "Euros for suppliers"'))
    .action(async (name: string, { count, json }: Json & { count: string }) => {
      if (!/^\d{1,2}$/.test(count) || Number(count) < 1 || Number(count) > MAX_NEXT) {
        throw new WrongInput(`--count: give a whole number from 1 to ${MAX_NEXT}`);
      }
      const client = await connect(io);
      const found = await scheduleOf(client, name);
      const next = await client.nextOccurrences({ scheduleId: found.scheduleId, count: Number(count) });
      await (json === true ? writeJson(io, next) : writeLine(io.stdout, renderNext(next, found)));
    });
}

function addProposingCommands(schedule: Command, io: CommandIo): void {
  const add = schedule
    .command('add')
    .description('propose a schedule, from a file, flags, or both; it takes effect when another person confirms it')
    .argument('[file]', 'the schedule as YAML')
    .option('--dry-run', 'only check it; nothing is stored')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun treasury schedule add sweep.yaml --dry-run',
        'payrun treasury schedule add sweep.yaml --floor 60000.00',
      ),
    )
    .action(async (file: string | undefined, options: ProposalOptions) => {
      if (file === undefined && Object.keys(keysOfFlags(options)).length === 0) {
        throw new WrongInput('give a file, or the flags of a schedule: see payrun treasury schedule add --help');
      }
      const client = await connectToChange(io);
      const propose = (schedule: WrittenSchedule) => client.addSchedule({ schedule, dryRun: options.dryRun === true });
      await writeAccepted(io, await proposal(io, { file, options, before: {} }, propose), options);
    });
  addScheduleFlags(add);

  const edit = schedule
    .command('edit')
    .description('propose another version: a file, or flags that change the newest one; another person confirms it')
    .argument(...SCHEDULE)
    .argument('[file]', 'the whole schedule as YAML')
    .option('--dry-run', 'only check it; nothing is stored')
    .option(...JSON_OPTION)
    .addHelpText(
      'after',
      examples(
        'payrun treasury schedule edit "Euros for suppliers" --amount 12000.00',
        'payrun treasury schedule edit "Euros for suppliers" euros.yaml',
      ),
    )
    .action(async (name: string, file: string | undefined, options: ProposalOptions) => {
      const client = await connectToChange(io);
      const { scheduleId, proposed, inForce } = await scheduleOf(client, name);
      const before = file === undefined ? ((proposed ?? inForce)?.schedule ?? {}) : {};
      const propose = (schedule: WrittenSchedule) =>
        client.editSchedule({ scheduleId, schedule, dryRun: options.dryRun === true });
      await writeAccepted(io, await proposal(io, { file, options, before }, propose), options);
    });
  addScheduleFlags(edit);
}

async function proposal(
  io: CommandIo,
  { file, options, before }: { file: string | undefined; options: ProposalOptions; before: WrittenSchedule },
  propose: (content: WrittenSchedule) => Promise<AcceptedSchedule>,
): Promise<AcceptedSchedule> {
  const flags = keysOfFlags(options);
  if (file === undefined) return propose({ ...before, ...flags });
  const read = await readScheduleFile(io.cwd, file);
  return propose({ ...read.content, ...flags }).catch((error: unknown) => {
    throw withLines(error, read);
  });
}

async function writeAccepted(
  io: CommandIo,
  accepted: AcceptedSchedule,
  { json, dryRun }: { json?: boolean; dryRun?: boolean },
): Promise<void> {
  for (const warning of accepted.warnings) await writeLine(io.stderr, printable(`Warning: ${warning}`));
  if (json === true) return writeJson(io, accepted);
  await writeLine(
    io.stdout,
    dryRun === true
      ? 'The schedule is in order. Nothing was stored.'
      : `Proposed as version ${accepted.version ?? 0}. Another person confirms it: ` +
          `payrun treasury schedule confirm ${printable(accepted.scheduleId ?? '')}`,
  );
}
