/** A safety check in the source, and the test that fails without it. */
export interface Guard {
  /** Short and permanent: the tables in the documents use it as well. */
  id: string;
  /** What can happen without the check. */
  against: string;
  /** Relative to the repository's root. */
  file: string;
  /** The exact source text of the check, which occurs once in the file, and its replacement without the check. */
  text: string;
  without: string;
  /** A part of test names in a file. Without the check, an assertion of at least one of these tests fails. */
  test: { file: string; name: string };
  /** What still prevents it without the check, if anything. */
  behind?: string;
}

export const MIGRATIONS = 'store/database/migrations';
