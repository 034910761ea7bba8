import type { Command } from 'commander';
import type { PayrunClient, ResumedSignUps, SignUpPause } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { counted, moment } from '../wording.ts';
import { CASE_ARGUMENT, caseNamed } from './named-case.ts';

interface Json {
  json?: boolean;
}

/** Refused sign-ups: pauses after many of them, and those that are tried again. */
export function addSignUpCommands(onboard: Command, io: CommandIo): void {
  onboard
    .command('pauses')
    .description(
      'list accounts on which nobody is signed up, since the last ones were all refused with the same answer',
    )
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const { pauses } = await (await connect(io)).listSignUpPauses();
      if (json === true) return writeJson(io, { pauses });
      await writeLine(io.stdout, pauses.length === 0 ? 'Sign-ups are not paused.' : renderPauses(pauses));
    });

  onboard
    .command('resume')
    .description('let the sign-ups of an account go on, once the reason why they were refused is gone')
    .requiredOption('--account <name>', "the provider's account whose sign-ups are paused")
    .option('--retry', 'also try the sign-ups again that were refused with that answer')
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard resume --account default --retry'))
    .action(async ({ account, retry = false, json }: Json & { account: string; retry?: boolean }) => {
      const client = await connectToChange(io);
      const resumed = await client.resumeSignUps({ account, retry });
      await (json === true ? writeJson(io, resumed) : writeLine(io.stdout, renderResumed(resumed)));
    });

  onboard
    .command('retry')
    .description('have a refused sign-up tried again, with what was submitted')
    .argument(...CASE_ARGUMENT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun onboard retry CASE'))
    .action(async (given: string, { json }: Json) => {
      const client = await connectToChange(io);
      const detail = await client.retryCase({ caseId: await caseNamed(client, given) });
      await (json === true
        ? writeJson(io, detail)
        : writeLine(io.stdout, printable(`The applicant is signed up again: payrun onboard show ${detail.caseId}`)));
    });
}

/** Says on standard error which accounts sign nobody up: whoever looks at cases has to know it. */
export async function warnOfPauses(client: Pick<PayrunClient, 'listSignUpPauses'>, io: CommandIo): Promise<void> {
  const { pauses } = await client.listSignUpPauses();
  if (pauses.length > 0) await writeLine(io.stderr, renderPauses(pauses));
}

function renderPauses(pauses: readonly SignUpPause[]): string {
  return pauses.map(renderPause).join('\n');
}

function renderPause({ account, pausedAt, httpStatus, refusals, waiting }: SignUpPause): string {
  const status = httpStatus === null ? '' : ` (HTTP ${httpStatus})`;
  return printable(
    `Sign-ups on ${account} have been paused since ${moment(pausedAt)}: ${counted(refusals, 'sign-up was', 'sign-ups were')} refused ` +
      `one after the other with the same answer${status}, and ${counted(waiting, 'case waits', 'cases wait')}. Read what the ` +
      'provider wrote (payrun onboard list --state refused, payrun onboard show CASE). When the reason is gone: payrun onboard ' +
      `resume --account ${account} --retry`,
  );
}

function renderResumed({ retried, notRetried }: ResumedSignUps): string {
  const again = retried === 0 ? '' : ` ${counted(retried, 'refused sign-up is', 'refused sign-ups are')} tried again.`;
  const others =
    notRetried === 0 ? '' : ` ${counted(notRetried, 'is', 'are')} not, since another case has the mail address by now.`;
  return `Sign-ups go on, within ten minutes.${again}${others}`;
}
