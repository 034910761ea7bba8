import { capitalized } from './capitalized.ts';

/**
 * One table for each kind of thing that has states: payments, runs, conversions, cases and virtual accounts. A row has all that is
 * asked of a state, and none of it is optional: what was not decided for a new state does not compile. The database has the
 * same answers from files that `npm run docs` writes (`references/state-functions.ts`).
 */

/** How a state is coloured, with an icon. */
export type StateTone = 'neutral' | 'waiting' | 'moving' | 'paid' | 'failed' | 'unknown';

/** What people read of a state, in the console, the command line, the API and the documents alike. */
export interface StateTexts {
  /** In two or three words. */
  word: string;
  tone: StateTone;
  /** Sentences in Markdown. */
  meaning: string;
  /** What a person does, in Markdown: a sentence without its capital letter and full stop. Null: nothing. */
  action: string | null;
}

/** What is said to people of something that has states, from the facts of the database alone. */
export interface StateSentences {
  /** How it stands, or how it ended and by whom. */
  status: string;
  /** Who does what now; null: nobody needs to do anything. */
  toDo: string | null;
}

/** The states of which this is so, in the order of their table. */
export function statesWhere<State extends string, Row>(
  table: Readonly<Record<State, Row>>,
  isSo: (row: Row) => boolean,
): readonly State[] {
  return (Object.keys(table) as State[]).filter((state) => isSo(table[state]));
}

/** A text of a table where Markdown is not shown. */
export function withoutMarkdown(text: string): string {
  return text.replaceAll('`', '');
}

/** What a person does, as a sentence of its own. */
export function actionSentence({ action }: Pick<StateTexts, 'action'>): string | null {
  return action === null ? null : `${capitalized(action)}.`;
}
