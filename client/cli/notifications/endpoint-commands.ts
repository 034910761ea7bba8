import { type Command, Option } from 'commander';
import type { AddedEndpoint, EndpointRequest, EndpointSummary, PayrunClient } from '../../sdk/index.ts';
import { connectToChange } from '../acting-user.ts';
import { type CommandIo, writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { printable } from '../printable.ts';
import { renderChangeState, renderDoneOrChange } from '../users/render-users.ts';
import { moment } from '../wording.ts';
import { renderEndpoint, renderEndpoints } from './render-endpoints.ts';

interface Json {
  json?: boolean;
}

interface AddOptions extends Json {
  url?: string;
  mail?: string[];
  types?: string[];
}

const ENDPOINT = ['<endpoint>', "the endpoint's name or id"] as const;

/** Where notifications go. */
export function addEndpointCommands(notifications: Command, io: CommandIo): void {
  const endpoints = notifications.command('endpoints').description('where notifications go');
  addReadingCommands(endpoints, io);
  addAddCommand(endpoints, io);
  addStateCommands(endpoints, io);
  addSecretCommands(endpoints, io);
}

function addReadingCommands(endpoints: Command, io: CommandIo): void {
  endpoints
    .command('list')
    .description('list the endpoints, with their states')
    .option('--json', 'one JSON document on stdout')
    .action(async ({ json }: Json) => {
      const list = await (await connect(io)).listEndpoints();
      await (json === true ? writeJson(io, list) : writeLine(io.stdout, renderEndpoints(list.endpoints)));
    });

  endpoints
    .command('show')
    .description('show an endpoint with its whole address')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints show ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const endpoint = await endpointOf(await connect(io), name);
      await (json === true ? writeJson(io, endpoint) : writeLine(io.stdout, renderEndpoint(endpoint)));
    });
}

function addAddCommand(endpoints: Command, io: CommandIo): void {
  endpoints
    .command('add')
    .description('add a webhook or mail addresses; a second administrator confirms it')
    .argument('<name>', 'what it is called in lists')
    .addOption(new Option('--url <url>', 'the https address of a webhook').conflicts('mail'))
    .option('--mail <address...>', 'mail addresses')
    .option('--types <type...>', "only these types, from 'payrun notifications types'; default: all")
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun notifications endpoints add ops-hooks --url https://hooks.example.com/payrun',
        'payrun notifications endpoints add approvers --mail chris@example.com --types run.approval_needed',
      ),
    )
    .action(async (name: string, options: AddOptions) => {
      const request = requestOf(name, options);
      const added = await (await connectToChange(io)).addEndpoint(request);
      if (options.json === true) return writeJson(io, added);
      await writeLine(io.stdout, renderChangeState(added.change));
      await writeSecret(io, added);
    });
}

function requestOf(name: string, { url, mail: addresses, types }: AddOptions): EndpointRequest {
  // The server says which types there are.
  const common = { name, types: (types ?? null) as EndpointRequest['types'] };
  if (url !== undefined) return { kind: 'webhook', url, ...common };
  if (addresses !== undefined) return { kind: 'mail', addresses, ...common };
  throw new WrongInput('give --url or --mail');
}

/** Only the secret goes to stdout on a line of its own, as the last one. */
async function writeSecret(io: CommandIo, { secret }: Pick<AddedEndpoint, 'secret'>): Promise<void> {
  if (secret === null) return;
  await writeLine(io.stderr, 'The secret by which the receiver verifies signatures, shown only once:');
  await writeLine(io.stdout, printable(secret));
}

function addStateCommands(endpoints: Command, io: CommandIo): void {
  endpoints
    .command('disable')
    .description('propose to send nothing to an endpoint until it is enabled again')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints disable ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { endpointId } = await endpointOf(client, name);
      const { change } = await client.disableEndpoint({ endpointId });
      const done = 'Disabled. What happens meanwhile is kept for it.';
      await (json === true
        ? writeJson(io, { endpointId, change })
        : writeLine(io.stdout, renderDoneOrChange(change, done)));
    });

  endpoints
    .command('enable')
    .description('propose to enable a disabled endpoint; it also gets what it missed in the last seven days')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints enable ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { endpointId } = await endpointOf(client, name);
      const { change } = await client.enableEndpoint({ endpointId });
      const done = 'Enabled. What it missed in the last seven days is sent now.';
      await (json === true
        ? writeJson(io, { endpointId, change })
        : writeLine(io.stdout, renderDoneOrChange(change, done)));
    });

  endpoints
    .command('remove')
    .description('propose to remove an endpoint; undelivered notifications are dropped then')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints remove ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { endpointId } = await endpointOf(client, name);
      const { change } = await client.removeEndpoint({ endpointId });
      await (json === true
        ? writeJson(io, { endpointId, change })
        : writeLine(io.stdout, renderDoneOrChange(change, 'Removed.')));
    });
}

function addSecretCommands(endpoints: Command, io: CommandIo): void {
  endpoints
    .command('rotate-secret')
    .description('give a webhook a new secret; the old one stays valid for a day')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints rotate-secret ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { endpointId } = await endpointOf(client, name);
      const rotated = await client.rotateEndpointSecret({ endpointId });
      if (json === true) return writeJson(io, rotated);
      await writeLine(
        io.stderr,
        `Until ${moment(rotated.formerValidUntil)} webhooks are signed with the former secret as well.`,
      );
      await writeSecret(io, rotated);
    });

  endpoints
    .command('test')
    .description('send a test to an endpoint')
    .argument(...ENDPOINT)
    .option('--json', 'one JSON document on stdout')
    .addHelpText('after', examples('payrun notifications endpoints test ops-hooks'))
    .action(async (name: string, { json }: Json) => {
      const client = await connectToChange(io);
      const { endpointId } = await endpointOf(client, name);
      const tested = await client.testEndpoint({ endpointId });
      if (json === true) return writeJson(io, tested);
      await writeLine(io.stdout, `A test is sent with the id ${printable(tested.notificationId)}. What became of it:`);
      await writeLine(io.stdout, `  payrun notifications deliveries --endpoint ${printable(name)}`);
    });
}

/** By name, or by id. */
export async function endpointOf(client: PayrunClient, name: string): Promise<EndpointSummary> {
  const { endpoints } = await client.listEndpoints();
  const endpoint = endpoints.find((candidate) => candidate.name === name || candidate.endpointId === name);
  if (endpoint === undefined) {
    throw new WrongInput(`there is no endpoint ${printable(name)}: see 'payrun notifications endpoints list'`);
  }
  return endpoint;
}
