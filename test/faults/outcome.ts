/** A contradiction between the views of a scenario. */
export interface Finding {
  /** `paidTwice` of payments, `signedUpTwice` of onboarding. */
  kind: 'paidTwice' | 'signedUpTwice' | 'lost' | 'disagreement' | 'unknown';
  what: string;
}

export type Outcome =
  /**
   * `missed`: disruptions and faults that did not happen, because their triggers were never reached. `remarks`: how it
   * went, for people who read the progress.
   */
  | { kind: 'passed'; missed: string[]; remarks?: string }
  | { kind: 'failed'; findings: Finding[] }
  /** This machine cannot run it. */
  | { kind: 'skipped'; why: string };
