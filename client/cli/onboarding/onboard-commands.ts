import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { addCaseCommands, addForgetCommand, addHistoryCommand } from './case-commands.ts';
import { addExportCommand } from './export-command.ts';
import { addResolveCaseCommand } from './resolve-command.ts';
import { addSignUpCommands } from './sign-up-commands.ts';
import { addSubmitApplicantsCommand } from './submit-command.ts';
import { addSupplyCommand } from './supply-command.ts';
import { addWatchCasesCommand } from './watch-command.ts';

/** Onboarding users and companies. */
export function addOnboardCommands(program: Command, io: CommandIo): void {
  const onboard = program.command('onboard').description('onboard users and companies with the provider');
  addSubmitApplicantsCommand(onboard, io);
  addCaseCommands(onboard, io);
  addWatchCasesCommand(onboard, io);
  addHistoryCommand(onboard, io);
  addSupplyCommand(onboard, io);
  addResolveCaseCommand(onboard, io);
  addSignUpCommands(onboard, io);
  addExportCommand(onboard, io);
  addForgetCommand(onboard, io);
}
