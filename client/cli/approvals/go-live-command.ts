import type { Command } from 'commander';
import { goingLiveSentence } from '../../../domain/approvals/going-live.ts';
import type { GoingLive } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { expectConfirmed } from '../confirm.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderChangeState } from '../users/render-users.ts';
import { moment } from '../wording.ts';

interface GoLiveOptions {
  status?: boolean;
  yes?: boolean;
  json?: boolean;
}

export function addGoLiveCommand(program: Command, io: CommandIo): void {
  program
    .command('go-live')
    .description('propose to go live: with a real provider nothing is approved before two administrators have')
    .option('--status', 'only say whether payrun is live')
    .option('--yes', 'do not ask')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      '\nAnother administrator confirms it (payrun changes confirm). That ends all by which anybody else could sign in before.' +
        examples('payrun go-live --as ada', 'payrun changes confirm CHANGE --as ben'),
    )
    .action(async ({ status, yes, json }: GoLiveOptions) => {
      if (status === true) {
        const step = await (await connect(io)).getGoingLive();
        return json === true ? writeJson(io, step) : writeLine(io.stdout, renderGoingLive(step));
      }
      const client = await connectToChange(io);
      const step = await client.getGoingLive();
      if (step.state !== 'not_live') {
        return json === true ? writeJson(io, step) : writeLine(io.stdout, renderGoingLive(step));
      }
      if (yes !== true) {
        await expectConfirmed(
          io,
          'Once another administrator confirms it, everybody but you two signs in again, with a new code that two administrators give. Go live?',
        );
      }
      const change = await client.goLive();
      await (json === true ? writeJson(io, change) : writeLine(io.stdout, renderChangeState(change)));
    });
}

function renderGoingLive(step: GoingLive): string {
  const since = step.since === null ? null : moment(step.since);
  const confirm = step.state === 'proposed' ? `\nTo confirm it: payrun changes confirm ${step.changeId ?? ''}` : '';
  return printable(goingLiveSentence({ ...step, since })) + (confirm === '' ? '' : `\n${printable(confirm.trim())}`);
}
