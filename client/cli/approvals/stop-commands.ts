import type { Command } from 'commander';
import { liftOf } from '../../../api/approvals/lift-of-stop.ts';
import type { CreatedStop, PayrunClient, StopSummary } from '../../sdk/index.ts';
import { connectToChange, printActingUser } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { renderCancelled, renderMadeStop, renderStops } from './render-stops.ts';
import { words } from '../wording.ts';

interface Scope {
  account?: string;
  all?: boolean;
}

interface StopOptions extends Scope {
  reason?: string;
  json?: boolean;
}

const REASON = ['--reason <text>', 'the reason, which others see'] as const;

export function addStopCommands(program: Command, io: CommandIo): void {
  program
    .command('stop')
    .description(
      'stop a run, an account or everything: nothing more is sent; payments already sent are still confirmed',
    )
    .argument('[run]', "the run's id")
    .option('--account <name>', 'stop everything from this account of the provider')
    .option('--all', 'stop everything')
    .option(...REASON)
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples('payrun stop RUN --reason "wrong month"', 'payrun stop --account default', 'payrun stop --all'),
    )
    .action(async (runId: string | undefined, options: StopOptions) => {
      const scope = scopeOf(runId, options);
      const client = await connect(io);
      // The stop is the first request, so that nothing delays it.
      const made = await stop(client, scope, options.reason ?? null);
      await (options.json === true ? writeJson(io, made) : writeLine(io.stdout, renderMadeStop(made, runId ?? null)));
      await printActingUser(client, io).catch(() => writeLine(io.stderr, 'To see who acted: payrun whoami'));
    });

  program
    .command('stops')
    .description('list the stops in force')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const { stops } = await (await connect(io)).listStops();
      await (json === true ? writeJson(io, { stops }) : writeLine(io.stdout, renderStops(stops)));
    });

  program
    .command('resume')
    .description('lift a stop, by two people: the first asks for it, the second, a checker, confirms')
    .argument('[run]', "the run's id")
    .option('--account <name>', 'lift the stop of this account')
    .option('--all', 'lift the stop of everything')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun resume RUN', 'payrun resume --all'))
    .action(async (runId: string | undefined, options: Scope & { json?: boolean }) => {
      const scope = scopeOf(runId, options);
      const client = await connectToChange(io);
      const { stops } = await client.listStops();
      const lifted = await client.liftStop(liftOf(stopOf(stops, scope)));
      if (options.json === true) return writeJson(io, lifted);
      await writeLine(
        io.stdout,
        lifted.state === 'lifted'
          ? 'Lifted. Payments continue.'
          : 'Requested. Nothing is sent until another person, a checker, runs the same command.',
      );
    });

  addEndingCommands(program, io);
}

function addEndingCommands(program: Command, io: CommandIo): void {
  program
    .command('cancel')
    .description('end a stopped run for good: rows not sent are never paid, and may be submitted again')
    .argument('<run>', "the run's id")
    .option(...REASON)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun cancel RUN --reason "wrong month"'))
    .action(async (runId: string, { reason = null, json }: { reason?: string | null; json?: boolean }) => {
      const client = await connectToChange(io);
      const cancelled = await client.cancelRun({ runId, reason });
      if (json === true) return writeJson(io, cancelled);
      await writeLine(io.stdout, renderCancelled(cancelled, await client.getRun(runId)));
    });

  program
    .command('withdraw')
    .description('withdraw a run of your own before anyone decides on it')
    .argument('<run>', "the run's id")
    .option(...REASON)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun withdraw RUN'))
    .action(async (runId: string, { reason = null, json }: { reason?: string | null; json?: boolean }) => {
      const run = await (await connectToChange(io)).withdrawRun({ runId, reason });
      await (json === true
        ? writeJson(io, run)
        : writeLine(io.stdout, `Withdrawn. The run is ${words(run.state)}; its file may be submitted again.`));
    });
}

type StopScope = { scope: 'run'; runId: string } | { scope: 'account'; account: string } | { scope: 'all' };

function scopeOf(runId: string | undefined, { account, all }: Scope): StopScope {
  const given = [runId !== undefined, account !== undefined, all === true].filter(Boolean).length;
  if (given !== 1) throw new WrongInput('give a run, or --account NAME, or --all');
  if (runId !== undefined) return { scope: 'run', runId };
  return account !== undefined ? { scope: 'account', account } : { scope: 'all' };
}

function stop(client: PayrunClient, of: StopScope, reason: string | null): Promise<CreatedStop> {
  return of.scope === 'run' ? client.stopRun({ runId: of.runId, reason }) : client.stopPayments({ ...of, reason });
}

function stopOf(stops: readonly StopSummary[], of: StopScope): StopSummary {
  const found = stops.find(
    (one) =>
      one.scope === of.scope &&
      (of.scope !== 'run' || one.runId === of.runId) &&
      (of.scope !== 'account' || one.account === of.account),
  );
  if (found === undefined) throw new WrongInput("there is no such stop: see 'payrun stops'");
  return found;
}
