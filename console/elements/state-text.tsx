import type { ReactNode } from 'react';
import { actionSentence, type StateTexts, withoutMarkdown } from '../../domain/state-table.ts';

/** What a state means, and what a person does about it. */
export function StateText({ of }: { of: StateTexts }): ReactNode {
  const action = actionSentence(of);
  return withoutMarkdown(action === null ? of.meaning : `${of.meaning} ${action}`);
}
