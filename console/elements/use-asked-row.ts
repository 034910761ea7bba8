import { useState } from 'react';
import { type Asked, comparedWith } from './use-asked-about.ts';

export interface AskedRow<Row, Question extends string> {
  /** What the open dialog is about, as it was when it was opened; null: none is open. */
  asked: { row: Row; question: Question } | null;
  open: (question: Question, row: Row) => void;
  close: () => void;
  /** The dialog was closed since the row is another one now, or gone. It stays so until `close`, or the next `open`. */
  hasChanged: boolean;
}

/**
 * Keeps a dialog open about one row of a list that is read again: for as long as that row is what it was opened for. `aboutOf`
 * names what that is, of the row with the same key as the list has it now.
 */
export function useAskedRow<Row, Question extends string>(aboutOf: (row: Row) => string): AskedRow<Row, Question> {
  const [before, setAsked] = useState<{ row: Row; of: Asked<Question> } | null>(null);
  const of = before === null ? null : comparedWith(before.of, aboutOf(before.row));
  if (before !== null && of !== null && of !== before.of) setAsked({ row: before.row, of });
  return {
    asked: before === null || of === null || of.hasChanged ? null : { row: before.row, question: of.question },
    open: (question, row) => setAsked({ row, of: { question, about: aboutOf(row), hasChanged: false } }),
    close: () => setAsked(null),
    hasChanged: of?.hasChanged ?? false,
  };
}
