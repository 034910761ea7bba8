import type { FormProblem } from './applicants-file.ts';

/** The content of a YAML or JSON file: keys with values, every scalar as the text that was written. */
export interface TreeEntry {
  key: string;
  /** Of the key, from 1. */
  line: number;
  value: TreeValue;
}

export type TreeValue =
  | { kind: 'text'; text: string }
  | { kind: 'null' }
  | { kind: 'group'; entries: TreeEntry[] }
  | { kind: 'list' };

/** `root` is null if the file cannot be read. */
export interface ReadTree {
  root: TreeValue | null;
  problems: FormProblem[];
}
