import type { ChangeSummary } from '../../application/users/user-api.ts';
import type { PayrunClient } from '../sdk/payrun-client.ts';
import type { Self } from '../sdk/user-calls.ts';
import type { CommandIo } from './command-io.ts';
import { writeLine } from './command-io.ts';
import { connect } from './connection.ts';
import { printable } from './printable.ts';
import { describeChange } from './approvals/render-changes.ts';
import { counted, moment } from './wording.ts';

const MOST_CHANGES = 3;

/**
 * A client for a command that changes something. It first says on stderr in whose name and role that is, and which
 * changes of users, policy and provider are about to take effect.
 */
export async function connectToChange(io: CommandIo): Promise<PayrunClient> {
  const client = await connect(io);
  await tellWhoActs(client, io);
  return client;
}

export async function tellWhoActs(client: PayrunClient, io: CommandIo): Promise<void> {
  const self = await client.me();
  await writeLine(io.stderr, `As ${nameOf(self)}.`);
  for (const change of self.pendingChanges.slice(0, MOST_CHANGES)) await writeLine(io.stderr, noticeOf(change));
  const more = self.pendingChanges.length - MOST_CHANGES;
  if (more > 0)
    await writeLine(io.stderr, `… and ${counted(more, 'more change', 'more changes')}: payrun changes list`);
}

/** `Mia Maker (mia), maker`. */
export function nameOf({ name, login, roles }: Pick<Self, 'name' | 'login' | 'roles'>): string {
  const held = roles.length === 0 ? 'without a role' : roles.join(', ');
  return printable(`${name}${login === null ? '' : ` (${login})`}, ${held}`);
}

function noticeOf(change: ChangeSummary): string {
  const when = change.takesEffectAt === null ? 'once a second administrator confirms it' : moment(change.takesEffectAt);
  return `Pending, takes effect ${when}: ${describeChange(change)} (payrun changes reject ${printable(change.changeId)})`;
}
