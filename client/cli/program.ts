import { Command, Option } from 'commander';
import type { CommandIo } from './command-io.ts';
import { addAuditCommands } from './audit/audit-commands.ts';
import { addChangeCommands } from './approvals/change-commands.ts';
import { addDecisionCommands } from './approvals/decision-commands.ts';
import { addFileCommands } from './runs/file-commands.ts';
import { addPolicyCommands } from './approvals/policy-commands.ts';
import { addReleaseCommand } from './runs/release-command.ts';
import { addResolveCommand } from './payments/resolve-command.ts';
import { addRunCommands } from './runs/run-commands.ts';
import { addShowCommand } from './runs/show-command.ts';
import { addSignInCommands } from './users/sign-in-commands.ts';
import { addStopCommands } from './approvals/stop-commands.ts';
import { addSubmitCommand } from './runs/submit-command.ts';
import { addSupportingFilesCommand } from './runs/supporting-files-command.ts';
import { addTokenCommands } from './users/token-commands.ts';
import { addUserCommands } from './users/user-commands.ts';

const EXIT_CODES = `
Exit codes: 0 done (with --wait: every row paid), 2 the input is wrong and nothing was done,
3 the run ended with rows not paid, 4 not allowed, 5 a service could not be reached,
6 the audit trail is broken, 1 a bug.
Server: PAYRUN_URL, else the payrun that runs from this folder. Who acts: PAYRUN_TOKEN, else who is signed in there
(--as or PAYRUN_AS, where there are several).`;

const AS = { flags: '--as <login>', description: 'who acts, where several users are signed in' };

/**
 * The command `payrun`, with the verbs that speak to a server. Run it by `runCommandLine`, which decides exit codes;
 * by itself it throws instead of ending the process.
 */
export function buildProgram(outside: CommandIo): Command {
  const io: CommandIo = {
    ...outside,
    get as() {
      return program.getOptionValue('as') as string | undefined;
    },
  };
  const program: Command = new Command('payrun')
    .description('Pays a file of payments through a payment provider, every row exactly once.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showHelpAfterError("(see 'payrun help')")
    .option(AS.flags, AS.description)
    .addHelpText('after', EXIT_CODES);
  addSignInCommands(program, io);
  addSubmitCommand(program, io);
  addRunCommands(program, io);
  addShowCommand(program, io);
  addDecisionCommands(program, io);
  addReleaseCommand(program, io);
  addStopCommands(program, io);
  addResolveCommand(program, io);
  addFileCommands(program, io);
  addSupportingFilesCommand(program, io);
  addAuditCommands(program, io);
  addUserCommands(program, io);
  addChangeCommands(program, io);
  addPolicyCommands(program, io);
  addTokenCommands(program, io);
  takeAsAfterVerbs(program);
  return program;
}

/** Every verb takes --as after it as well. */
function takeAsAfterVerbs(program: Command): void {
  for (const verb of program.commands.flatMap(verbsOf)) {
    verb.addOption(new Option(AS.flags, AS.description));
    verb.on('option:as', (login: string) => program.setOptionValue('as', login));
  }
}

function verbsOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(verbsOf);
}
