import { useState } from 'react';

/** What a dialog asks, and what stood on the page when it was opened. */
export interface Asked<Question extends string> {
  question: Question;
  about: string;
  hasChanged: boolean;
}

/** What has changed once stays so: that the old thing comes back must not open a dialog which nobody has asked for again. */
export function comparedWith<Question extends string>(
  asked: Asked<Question> | null,
  about: string,
): Asked<Question> | null {
  return asked === null || asked.hasChanged || asked.about === about ? asked : { ...asked, hasChanged: true };
}

export interface AskedAbout<Question extends string> {
  /** The question whose dialog is open. */
  question: Question | null;
  isOpen: (question: Question) => boolean;
  open: (question: Question) => void;
  close: () => void;
  /** The dialog was closed since what it asked about is something else now. It stays so until `close`, or the next `open`. */
  hasChanged: boolean;
}

/**
 * Keeps the dialogs of a page open for what they were opened for, and for nothing else. `about` names that: the version, the
 * proposal, the hash that a decision is sent with. Where it becomes another one while a dialog is open, the dialog closes, so that
 * no click confirms what was not read; `ChangedMeanwhile` says why.
 */
export function useAskedAbout<Question extends string>(about: string): AskedAbout<Question> {
  const [before, setAsked] = useState<Asked<Question> | null>(null);
  const asked = comparedWith(before, about);
  if (asked !== before) setAsked(asked);
  const question = asked === null || asked.hasChanged ? null : asked.question;
  return {
    question,
    isOpen: (each) => each === question,
    open: (each) => setAsked({ question: each, about, hasChanged: false }),
    close: () => setAsked(null),
    hasChanged: asked?.hasChanged ?? false,
  };
}
