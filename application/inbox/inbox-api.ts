import type { ActionTarget } from '../../api/approvals/action-target.ts';
import type { ActionsAnswer, AllowedAction } from '../../api/approvals/allowed-actions.ts';
import type { DecisionFacts } from '../../api/approvals/decision-facts.ts';
import type { Inbox } from '../../api/inbox/inbox.ts';
import type { SearchAnswer } from '../../api/inbox/search.ts';
import type { ActionableRow } from '../../api/runs/row-detail.ts';
import type { RunDetail } from '../../api/runs/run.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** What a user sees of their own work, as the server calls it. See `Application`. */
export interface InboxApplication {
  readInbox(user: SignedIn): Promise<Inbox>;
  search(user: SignedIn, text: string): Promise<SearchAnswer>;
  /** What the user may do with something now, by the rules that decide when it is done; null: there is no such thing for them. */
  allowedActions(user: SignedIn, target: ActionTarget): Promise<AllowedAction[] | null>;
  /** By the texts that name them, as `run:ID`. */
  actionsOf(user: SignedIn, texts: readonly string[]): Promise<ActionsAnswer>;
  /** A run with what the user may do with it; null: there is no such run. */
  findRunFor(user: SignedIn, runId: string): Promise<RunDetail | null>;
  /** The row on a line of the file; null: there is none. */
  findRowByLine(
    user: SignedIn,
    row: { runId: string; line: number },
    may: { withInstructions: boolean },
  ): Promise<ActionableRow | null>;
  /** What a decision on a run is made on, beside its review. Null: there is no such run. */
  findDecisionFacts(user: SignedIn, runId: string): Promise<DecisionFacts | null>;
  /** What a watched topic is about now; null: there is no such thing for the user. */
  readTopic(user: SignedIn, topic: WatchedTopic): Promise<TopicState | null>;
  /** Rises whenever anything was recorded. */
  readRecordPosition(): Promise<number>;
}

export type WatchedTopic = { kind: 'runs' } | { kind: 'order' | 'case'; id: string };

export interface TopicState {
  state: string | null;
  /** How many there are. */
  count: number;
  changedAt: string | null;
}
