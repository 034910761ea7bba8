import { actionSentence, type StateTexts, withoutMarkdown } from '../../domain/state-table.ts';

/** What a state means, and what a person does about it, in lines of their own. */
export function stateLines(of: StateTexts): string[] {
  const action = actionSentence(of);
  return [of.meaning, ...(action === null ? [] : [`To do: ${action}`])].map(withoutMarkdown);
}
