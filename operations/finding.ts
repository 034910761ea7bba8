/** One line of `payrun doctor`. */
export interface Finding {
  subject: string;
  /** Null: fine. */
  problem: string | null;
  detail: string;
}

export function lineOf({ subject, problem, detail }: Finding): string {
  return problem === null ? `ok    ${subject}: ${detail}` : `FAIL  ${subject}: ${problem}`;
}
