import type { Command } from 'commander';
import type { CommandIo } from '../command-io.ts';
import { addCashCommand } from './cash-command.ts';
import { addScheduleCommands } from './schedule-commands.ts';

/** Conversions by schedules, and what the money will be. */
export function addTreasuryCommands(program: Command, io: CommandIo): void {
  const treasury = program
    .command('treasury')
    .description('conversions: schedules of them, and what the money will be');
  addScheduleCommands(treasury, io);
  addCashCommand(treasury, io);
}
