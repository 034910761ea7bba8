import type { ChangeSummary, PayrunClient, Self } from '../sdk/index.ts';
import { describeChange } from './approvals/render-changes.ts';
import type { CommandIo } from './command-io.ts';
import { writeLine } from './command-io.ts';
import { connect } from './connection.ts';
import { printable } from './printable.ts';
import { counted, moment } from './wording.ts';

const MAX_CHANGES = 3;

/**
 * A client for a command that changes something. Prints on stderr who acts and in which roles, and which changes of
 * users, policy and provider are about to take effect.
 */
export async function connectToChange(io: CommandIo, decidedOn: string | null = null): Promise<PayrunClient> {
  const client = await connect(io);
  await printActingUser(client, io, decidedOn);
  return client;
}

/** `decidedOn`: the change that the command decides on, which is not announced as pending, but as what it is about. */
export async function printActingUser(
  client: PayrunClient,
  io: CommandIo,
  decidedOn: string | null = null,
): Promise<void> {
  const self = await client.getMe();
  await writeLine(io.stderr, `Acting as ${describeUser(self)}.`);
  const pending = self.pendingChanges.filter(({ changeId }) => changeId !== decidedOn);
  const decided = self.pendingChanges.find(({ changeId }) => changeId === decidedOn);
  if (decided !== undefined) await writeLine(io.stderr, `The change: ${describeChange(decided)}.`);
  for (const change of pending.slice(0, MAX_CHANGES)) await writeLine(io.stderr, noticeOf(change));
  const unlisted = pending.length - MAX_CHANGES;
  if (unlisted > 0)
    await writeLine(io.stderr, `… and ${counted(unlisted, 'more change', 'more changes')}: payrun changes list`);
}

/** `Mia Maker (mia), maker`, and the accounts if the user is limited to some. */
export function describeUser({ name, login, roles, accounts }: Self): string {
  const roleList = roles.length === 0 ? 'without a role' : roles.join(', ');
  const limit = accounts === null ? '' : `, limited to ${accounts.join(', ')}`;
  return printable(`${name}${login === null ? '' : ` (${login})`}, ${roleList}${limit}`);
}

function noticeOf(change: ChangeSummary): string {
  const when = change.takesEffectAt === null ? 'once a second administrator confirms it' : moment(change.takesEffectAt);
  return `Pending, takes effect ${when}: ${describeChange(change)} (payrun changes reject ${printable(change.changeId)})`;
}
