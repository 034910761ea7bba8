import { type Command, InvalidArgumentError, Option } from 'commander';
import { DELIVERY_ERRORS } from '../../../domain/notifications/delivery-errors.ts';
import { DELIVERY_STATES } from '../../../domain/notifications/delivery-state.ts';
import type { DeliveryState, DeliverySummary } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { textTable } from '../text-table.ts';
import { counted, moment, words } from '../wording.ts';
import { addEndpointCommands, endpointOf } from './endpoint-commands.ts';
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

interface ListOptions {
  endpoint?: string;
  state?: DeliveryState;
  limit: number;
  json?: boolean;
}

const MAX_DELIVERIES = 500;

/** What became of notifications. */
function addDeliveryCommands(notifications: Command, io: CommandIo): void {
  notifications
    .command('deliveries')
    .description('list deliveries, the newest first, with why they fail and when they are tried again')
    .option('--endpoint <endpoint>', 'only to this endpoint: its name or id')
    .addOption(new Option('--state <state>', 'only in this state').choices(DELIVERY_STATES))
    .option('--limit <count>', `how many, at most ${MAX_DELIVERIES}`, deliveryCount, 50)
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun notifications deliveries',
        'payrun notifications deliveries --endpoint ops-hooks --state failing',
      ),
    )
    .action(async ({ endpoint, state, limit, json }: ListOptions) => {
      const client = await connect(io);
      const endpointId = endpoint === undefined ? undefined : (await endpointOf(client, endpoint)).endpointId;
      const list = await client.listDeliveries({ endpointId, state, limit });
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderDeliveries(list.deliveries)));
    });

  notifications
    .command('retry')
    .description('send a notification again at once, with the same id; also one that was delivered')
    .argument('<delivery>', "the delivery's id, from `notifications deliveries`")
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications retry DELIVERY'))
    .action(async (deliveryId: string, { json }: { json?: boolean }) => {
      await (await connectToChange(io)).retryDelivery({ deliveryId });
      await (json === true ? writeJson(io, { deliveryId, queued: true }) : writeLine(io.stdout, 'It is sent again.'));
    });
}

function deliveryCount(text: string): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_DELIVERIES)
    throw new InvalidArgumentError(`Give a number from 1 to ${MAX_DELIVERIES}.`);
  return number;
}

/** Deliveries as a table, then what to do about the errors in it. */
function renderDeliveries(deliveries: readonly DeliverySummary[]): string {
  if (deliveries.length === 0) return 'There are no deliveries.';
  const table = textTable(
    [
      { title: 'Delivery' },
      { title: 'Type' },
      { title: 'Of' },
      { title: 'Endpoint', maxWidth: 20 },
      { title: 'State' },
    ],
    deliveries.map((delivery) => [
      delivery.deliveryId,
      delivery.type,
      delivery.subjectId,
      delivery.endpointName,
      stateOf(delivery),
    ]),
  );
  return [table, ...explanationsOf(deliveries)].join('\n');
}

function stateOf({ state, attempts, httpStatus, error, attemptedAt, nextAttemptAt }: DeliverySummary): string {
  if (state === 'delivered') return `delivered on ${moment(attemptedAt ?? '')}`;
  const why = error === null ? '' : `: ${words(error)}${httpStatus === null ? '' : ` ${httpStatus}`}`;
  const next = nextAttemptAt === null || attempts === 0 ? '' : `, again on ${moment(nextAttemptAt)}`;
  return `${state}${attempts === 0 ? '' : ` after ${counted(attempts, 'attempt')}`}${why}${next}`;
}

function explanationsOf(deliveries: readonly DeliverySummary[]): string[] {
  const errors = new Set(deliveries.flatMap(({ state, error }) => (state === 'delivered' ? [] : [error])));
  const known = Object.entries(DELIVERY_ERRORS).filter(([code]) => errors.has(code));
  return known.map(([code, { cause, fix }]) => printable(`${words(code)}: ${cause} ${fix}`.replaceAll('`', "'")));
}
