import { Command, Option } from 'commander';
import { addAccountCommands } from './accounts/account-commands.ts';
import { addChangeCommands } from './approvals/change-commands.ts';
import { addDecisionCommands } from './approvals/decision-commands.ts';
import { addGoLiveCommand } from './approvals/go-live-command.ts';
import { addPolicyCommands } from './approvals/policy-commands.ts';
import { addProviderCommand } from './approvals/provider-command.ts';
import { addBeneficiaryCommands } from './beneficiaries/beneficiary-commands.ts';
import { addStopCommands } from './approvals/stop-commands.ts';
import { addAuditCommands } from './audit/audit-commands.ts';
import type { CommandIo } from './command-io.ts';
import { exitCodes, GROUP, HELP } from './help.ts';
import { addNotificationCommands } from './notifications/notification-commands.ts';
import { addOnboardCommands } from './onboarding/onboard-commands.ts';
import { addResolveCommand } from './payments/resolve-command.ts';
import { addReconcileCommands } from './reconciliation/reconcile-commands.ts';
import { addDifferencesCommand } from './runs/differences-command.ts';
import { addFileCommands } from './runs/file-commands.ts';
import { addReleaseCommand } from './runs/release-command.ts';
import { addRunCommands } from './runs/run-commands.ts';
import { addShowCommand } from './runs/show-command.ts';
import { addPrepareCommand } from './runs/prepare-command.ts';
import { addTemplateCommand } from './runs/template-command.ts';
import { addSubmitCommand } from './runs/submit-command.ts';
import { addSupportingFilesCommand } from './runs/supporting-files-command.ts';
import { addCostsCommand } from './treasury/costs-command.ts';
import { addTreasuryCommands } from './treasury/treasury-commands.ts';
import { addSecondFactorCommand } from './users/second-factor-command.ts';
import { addSignInCommands } from './users/sign-in-commands.ts';
import { addTokenCommands } from './users/token-commands.ts';
import { addUserCommands } from './users/user-commands.ts';

const SERVER_AND_USER = `
Server: PAYRUN_URL, else the payrun that runs from this folder.
User: the owner of PAYRUN_TOKEN, else who is signed in there (--as or PAYRUN_AS, if several are).`;

const CODE = {
  flags: '--code <digits>',
  description: 'a code of your authenticator app, where a second factor is asked for; asked for at a terminal',
};

const AS = { flags: '--as <login>', description: 'act as this user, if several are signed in' };

/**
 * The program `payrun`, with the commands that call a server. Run it with `runCommandLine`, which decides the exit code:
 * the program itself throws instead of ending the process.
 */
export function buildProgram(outside: CommandIo): Command {
  const io: CommandIo = {
    ...outside,
    get as() {
      return program.getOptionValue('as') as string | undefined;
    },
    get code() {
      return program.getOptionValue('code') as string | undefined;
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
    .configureHelp(HELP)
    .showHelpAfterError("(see 'payrun help')")
    .option(AS.flags, AS.description)
    .option(CODE.flags, CODE.description)
    .addHelpText('after', `${exitCodes()}\n${SERVER_AND_USER}`);
  addCommands(program, io);
  acceptAfterCommands(program);
  return program;
}

function addCommands(program: Command, io: CommandIo): void {
  program.commandsGroup(GROUP.runs);
  addTemplateCommand(program, io);
  addPrepareCommand(program, io);
  addSubmitCommand(program, io);
  addRunCommands(program, io);
  addShowCommand(program, io);
  addDifferencesCommand(program, io);
  addFileCommands(program, io);
  addSupportingFilesCommand(program, io);
  program.commandsGroup(GROUP.approvals);
  addDecisionCommands(program, io);
  addReleaseCommand(program, io);
  addStopCommands(program, io);
  addBeneficiaryCommands(program, io);
  addResolveCommand(program, io);
  addPolicyCommands(program, io);
  addChangeCommands(program, io);
  addGoLiveCommand(program, io);
  program.commandsGroup(GROUP.accounts);
  addAccountCommands(program, io);
  addTreasuryCommands(program, io);
  addCostsCommand(program, io);
  addReconcileCommands(program, io);
  program.commandsGroup(GROUP.onboarding);
  addOnboardCommands(program, io);
  program.commandsGroup(GROUP.users);
  addSignInCommands(program, io);
  addSecondFactorCommand(program, io);
  addUserCommands(program, io);
  addTokenCommands(program, io);
  program.commandsGroup(GROUP.notifications);
  addNotificationCommands(program, io);
  program.commandsGroup(GROUP.audit);
  addAuditCommands(program, io);
  program.commandsGroup(GROUP.operations);
  addProviderCommand(program, io);
  program.helpCommand('help [command]', 'show the help of a command');
}

/** Every command accepts --as and --code after its name as well. */
function acceptAfterCommands(program: Command): void {
  for (const command of program.commands.flatMap(runnableOf)) {
    command.addOption(new Option(AS.flags, AS.description));
    command.on('option:as', (login: string) => program.setOptionValue('as', login));
    command.addOption(new Option(CODE.flags, CODE.description));
    command.on('option:code', (code: string) => program.setOptionValue('code', code));
  }
}

/** The commands that do something themselves, and not only group others. */
function runnableOf(command: Command): Command[] {
  const isGroup = command.commands.length > 0 && command.registeredArguments.length === 0;
  return [...(isGroup ? [] : [command]), ...command.commands.flatMap(runnableOf)];
}
