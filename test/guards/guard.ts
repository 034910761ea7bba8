/** One check on which authority or a stop rests, and the test that fails without it. */
export interface Guard {
  /** Short, and kept: the table in docs/security.md has it as well. */
  id: string;
  /** What cannot be done because of it. */
  against: string;
  /** From the repository's root. */
  file: string;
  /** The very text of the check, which is in the file once, and what stands there when it is gone. */
  text: string;
  without: string;
  /** Part of the name of tests in a file. At least one of them fails without the guard, by an assertion. */
  test: { file: string; name: string };
  /** What still holds when this guard is gone, where something does. */
  behind?: string;
}

export const MIGRATIONS = 'store/database/migrations';
