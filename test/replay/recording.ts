import type { Client } from '@temporalio/client';
import type { StackUnderTest } from '../helpers/stack-under-test.ts';

/** What is played on an installation of its own, so that the histories of its workflows can be recorded. */
export interface Recording {
  sandboxArguments: readonly string[];
  variables?: Readonly<Record<string, string>>;
  /** Returns the ids of the workflows, by the names of their histories. */
  play: (stack: StackUnderTest, temporal: Client) => Promise<Record<string, string>>;
}

/** The id of the newest workflow of this type that has completed. Waits until there is one. */
export async function newestCompleted(temporal: Client, type: string): Promise<string> {
  for (;;) {
    const query = `WorkflowType = '${type}' and ExecutionStatus = 'Completed'`;
    for await (const { workflowId } of temporal.workflow.list({ query })) return workflowId;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
