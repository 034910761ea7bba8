import type { Environment, Variables } from '../../config/environment.ts';

export interface StackOptions {
  home: string;
  environment: Environment;
  /** What the child processes start from; the stack's own addresses are put over it. */
  variables: Variables;
  /** More arguments of the sandbox. */
  sandboxArguments?: readonly string[];
  /** Begin with nothing: what the home folder holds of runs before is deleted. */
  fresh?: boolean;
  /** Take whichever HTTP port is free, rather than the usual one. */
  anyHttpPort?: boolean;
  /** What is to be done once the record is there, before anything works on it. */
  beforeServices?: (record: { ownerUrl: string }) => Promise<void>;
  report: (line: string) => void;
  onGaveUp: (failure: { name: string; reason: string }) => void;
}
