import { mayAny } from '../../domain/users/role.ts';
import { readRunsTopic, readTopic as readStored } from '../../store/inbox/topics.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import type { SignedIn } from '../users/signed-in.ts';

export type WatchedTopic = { kind: 'runs' } | { kind: 'order' | 'case'; id: string };

export interface TopicState {
  state: string | null;
  /** How many there are. */
  count: number;
  changedAt: string | null;
}

/** Null: there is no such thing, or it is not for this user. */
export async function readTopic(
  { database }: ApplicationDependencies,
  user: SignedIn,
  topic: WatchedTopic,
): Promise<TopicState | null> {
  if (!mayAny(user.roles, topic.kind === 'case' ? 'read_cases' : 'read_runs')) return null;
  const found =
    topic.kind === 'runs'
      ? await readRunsTopic(database, user.accounts)
      : await readStored(database, topic, user.accounts);
  return found === null ? null : { ...found, changedAt: iso(found.changedAt) };
}
