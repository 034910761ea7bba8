import type { Client } from '@temporalio/client';

export interface RecordedWorkflow {
  workflowId: string;
  type: string;
  events: number;
  /** All text of its history and its description, with decoded payloads. */
  text: string;
}

/** What Temporal stores about every workflow of the namespace. */
export async function recordedWorkflows(temporal: Client): Promise<RecordedWorkflow[]> {
  const recorded: RecordedWorkflow[] = [];
  for await (const { workflowId, runId: execution, type } of temporal.workflow.list()) {
    const handle = temporal.workflow.getHandle(workflowId, execution);
    const history = await handle.fetchHistory();
    const texts = [...textsIn(history), ...textsIn((await handle.describe()).raw)];
    recorded.push({ workflowId, type, events: history.events?.length ?? 0, text: texts.join('\n') });
  }
  return recorded;
}

/** Every text inside a value; bytes are decoded as UTF-8. */
function* textsIn(value: unknown): Generator<string, void, undefined> {
  if (typeof value === 'string') yield value;
  else if (value instanceof Uint8Array) yield Buffer.from(value).toString('utf8');
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      yield key;
      yield* textsIn(inner);
    }
  }
}
