import type { ManualOutcomeState } from '../payments/manual-outcome-state.ts';
import { actionSentence, type StateSentences, withoutMarkdown } from '../state-table.ts';
import { CONVERSION_REASONS, type ConversionReason } from './conversion-reason-codes.ts';
import { CONVERSION_STATE_TABLE, type ConversionState } from './conversion-state.ts';

/**
 * What is said of an order to people, from the facts of the database alone: the same sentences in the API, the console and the command
 * line.
 */

export interface OrderFacts {
  state: ConversionState;
  stateReason: ConversionReason | null;
  placedBy: { name: string };
  /** What people did with it, the oldest first. */
  decisions: readonly { decision: 'approved' | 'rejected' | 'withdrawn' | 'released'; by: { name: string } }[];
  /** What people say became of it, the oldest first. */
  manualOutcomes: readonly {
    outcome: string;
    state: ManualOutcomeState;
    proposedBy: { name: string };
    confirmedBy: { name: string } | null;
  }[];
}

export function orderSentences(order: OrderFacts): StateSentences {
  return { status: statusOf(order), toDo: toDoOf(order) };
}

function statusOf({ state, stateReason, decisions }: OrderFacts): string {
  const { meaning, stage } = CONVERSION_STATE_TABLE[state];
  const last = decisions.at(-1);
  if (stage === 'ended' && (last?.decision === 'rejected' || last?.decision === 'withdrawn')) {
    return `${last.decision === 'rejected' ? 'Rejected' : 'Withdrawn'} by ${last.by.name}. Nothing was converted.`;
  }
  return withoutMarkdown(stateReason === null ? meaning : CONVERSION_REASONS[stateReason].cause);
}

function toDoOf({ state, stateReason, placedBy, manualOutcomes }: OrderFacts): string | null {
  const said = manualOutcomes.findLast((each) => each.state === 'proposed');
  if (said !== undefined) {
    const { outcome, proposedBy, confirmedBy } = said;
    const what = `"${outcome.replaceAll('_', ' ')}"`;
    return confirmedBy === null
      ? `Somebody other than ${proposedBy.name} confirms or declines what was said of it: ${what}.`
      : `Nothing: ${proposedBy.name} and ${confirmedBy.name} have said ${what}, and payrun is carrying it out. Look again in a minute.`;
  }
  if (state === 'in_approval') return `A checker other than ${placedBy.name} approves or rejects it.`;
  if (stateReason !== null) return withoutMarkdown(CONVERSION_REASONS[stateReason].fix);
  const action = actionSentence(CONVERSION_STATE_TABLE[state]);
  return action === null ? null : withoutMarkdown(action);
}
