import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { ScheduleSummary, ScheduleVersion, StartedOccurrence } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { SHORT_HASH, shortHash } from '../approvals/content-hash.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { scheduleOf } from './find-schedule.ts';
import { renderProposed } from './render-schedules.ts';

const SCHEDULE = ['<schedule>', "the schedule's name or id"] as const;
const JSON_OPTION = ['--json', 'one JSON document on stdout'] as const;

interface DecisionOptions {
  contentHash?: string;
  comment?: string;
  reject?: boolean;
  json?: boolean;
}

export function addDecidingCommands(schedule: Command, io: CommandIo): void {
  schedule
    .command('confirm')
    .description(
      'confirm the version of a schedule that waits for a decision, as another person than its proposer, or reject it',
    )
    .argument(...SCHEDULE)
    .option(
      '--content-hash <hash>',
      `hash of the version that you have seen, or its first ${SHORT_HASH} characters, from \`show\``,
    )
    .option('--reject', 'reject it')
    .option('--comment <text>', 'recorded with the decision')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun treasury schedule confirm "Euros for suppliers" --content-hash 1a2b3c4d'))
    .action(async (name: string, options: DecisionOptions) => {
      const client = await connectToChange(io);
      const found = await scheduleOf(client, name);
      const version = await versionToDecide(io, found, options);
      const decision = {
        scheduleId: found.scheduleId,
        version: version.version,
        decision: options.reject === true ? ('rejected' as const) : ('confirmed' as const),
        definitionHash: version.definitionHash,
        comment: options.comment ?? null,
      };
      const decided = await client.decideSchedule(decision);
      if (options.json === true) return writeJson(io, decided);
      await writeLine(
        io.stdout,
        options.reject === true ? 'Rejected.' : `Confirmed. The schedule is ${decided.state}.`,
      );
    });

  for (const [verb, call, description, done] of [
    ['pause', 'pauseSchedule', 'let a schedule place no order until it is resumed', 'Paused. It places no order.'],
    ['resume', 'resumeSchedule', 'let a paused schedule go on', 'Resumed. What was due meanwhile is not backfilled.'],
    ['delete', 'deleteSchedule', 'delete a schedule for good; what it did is kept', 'Deleted.'],
  ] as const) {
    schedule
      .command(verb)
      .description(description)
      .argument(...SCHEDULE)
      .option('--reason <text>', 'the reason, which others see')
      .option(...JSON_OPTION)
      .addHelpText('after', examples(`payrun treasury schedule ${verb} "Euros for suppliers"`))
      .action(async (name: string, { reason, json }: { reason?: string; json?: boolean }) => {
        const client = await connectToChange(io);
        const { scheduleId } = await scheduleOf(client, name);
        const moved = await client[call]({ scheduleId, reason: reason ?? null });
        await (json === true ? writeJson(io, moved) : writeLine(io.stdout, done));
      });
  }
}

/** `payrun treasury schedule trigger` and `backfill`. */
export function addStartingCommands(schedule: Command, io: CommandIo): void {
  schedule
    .command('trigger')
    .description('start an occurrence of a schedule now; a fixed amount then needs the approval of another person')
    .argument(...SCHEDULE)
    .option(
      '--idempotency-key <key>',
      'with the same key it is the same occurrence; without one, it is a new one each time',
    )
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun treasury schedule trigger "Dollars above 50,000"'))
    .action(async (name: string, { idempotencyKey, json }: { idempotencyKey?: string; json?: boolean }) => {
      const client = await connectToChange(io);
      const { scheduleId } = await scheduleOf(client, name);
      const headers = { 'idempotency-key': idempotencyKey ?? randomUUID() };
      const started = await client.startOccurrence({ scheduleId }, { headers });
      await (json === true ? writeJson(io, started) : writeLine(io.stdout, startedText(started, name)));
    });

  schedule
    .command('backfill')
    .description('run a past date of a fixed amount that was missed; another person approves its order')
    .argument(...SCHEDULE)
    .requiredOption('--date <date>', 'the local date, as 2026-11-23')
    .option('--time <time>', 'the local time that was missed, if the schedule has several')
    .option(...JSON_OPTION)
    .addHelpText('after', examples('payrun treasury schedule backfill "Euros every day" --date 2026-11-23'))
    .action(async (name: string, { date, time, json }: { date: string; time?: string; json?: boolean }) => {
      const client = await connectToChange(io);
      const { scheduleId } = await scheduleOf(client, name);
      const started = await client.startOccurrence({ scheduleId, date, time: time ?? null });
      await (json === true ? writeJson(io, started) : writeLine(io.stdout, startedText(started, name)));
    });
}

function startedText({ isNew, needsApproval }: StartedOccurrence, name: string): string {
  return [
    isNew ? 'Started.' : 'You have started it before: nothing new was started.',
    ...(needsApproval ? ['Its order needs the approval of another person.'] : []),
    `What became of it: payrun treasury schedule show ${printable(JSON.stringify(name))}`,
  ].join('\n');
}

/** What is decided on was seen: a person gives its hash. */
async function versionToDecide(
  io: CommandIo,
  { name, proposed, inForce }: ScheduleSummary,
  { contentHash, reject }: DecisionOptions,
): Promise<ScheduleVersion> {
  if (proposed === null) throw new WrongInput(`no version of ${printable(name)} waits for a decision`);
  const given = contentHash?.trim().toLowerCase() ?? null;
  if (given === null && reject !== true) {
    await writeLine(io.stderr, renderProposed(proposed, inForce));
    throw new WrongInput(
      `not confirmed: confirm what you see with --content-hash ${shortHash(proposed.definitionHash)}`,
    );
  }
  if (given !== null && (given.length < SHORT_HASH || !proposed.definitionHash.startsWith(given))) {
    throw new WrongInput("the hash is of another version: look at it again with 'payrun treasury schedule show'");
  }
  return proposed;
}
