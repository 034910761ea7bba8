import type { Command } from 'commander';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { addDeliveryCommands } from './delivery-commands.ts';
import { addEndpointCommands } from './endpoint-commands.ts';
import { renderTypes } from './render-endpoints.ts';

/** Where notifications go, and what became of them. */
export function addNotificationCommands(program: Command, io: CommandIo): void {
  const notifications = program
    .command('notifications')
    .description('webhooks and mails about what people should know: where they go, and what became of them');

  notifications
    .command('types')
    .description('list the types of notifications')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: { json?: boolean }) => {
      const list = await (await connect(io)).listNotificationTypes();
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderTypes(list.types)));
    });

  addEndpointCommands(notifications, io);
  addDeliveryCommands(notifications, io);
}
