/** What a replay does not read. Some of it identifies the machine, and histories are published. */
const STRIPPED: ReadonlySet<string> = new Set([
  ...[
    'taskId',
    'identity',
    'requestId',
    'workerVersion',
    'workerDeploymentName',
    'deploymentVersion',
    'meteringMetadata',
  ],
  ...['stackTrace', 'lastFailure', 'retryPolicy', 'userMetadata', 'header', 'useWorkflowBuildId'],
  ...['scheduleToCloseTimeout', 'scheduleToStartTimeout', 'startToCloseTimeout', 'heartbeatTimeout'],
]);

/** What it reads of the first event alone, which says how the workflow was started. */
const STRIPPED_LATER: ReadonlySet<string> = new Set([...STRIPPED, 'taskQueue', 'priority']);

/** Workflows that poll for the whole recording repeat themselves: a replay of their begin shows as much. */
const MAX_EVENTS = 150;

/** A history as Temporal writes it, with one event on each line. The last workflow task in it is complete. */
export function strippedHistory(history: string): string {
  const { events } = JSON.parse(history) as { events: { eventType: string }[] };
  const lines = events.slice(0, endOfTask(events)).map((event, index) => {
    const stripped = index === 0 ? STRIPPED : STRIPPED_LATER;
    return JSON.stringify(event, (key, value: unknown) => (stripped.has(key) ? undefined : value));
  });
  return `{"events":[\n${lines.join(',\n')}\n]}\n`;
}

/** The number of events up to the first workflow task that completes after `MAX_EVENTS`, with what it commands. */
function endOfTask(events: readonly { eventType: string }[]): number {
  const completed = events.findIndex(
    ({ eventType }, index) => index >= MAX_EVENTS && eventType === 'EVENT_TYPE_WORKFLOW_TASK_COMPLETED',
  );
  if (completed < 0) return events.length;
  const next = events.findIndex(({ eventType }, index) => index > completed && !COMMANDED.test(eventType));
  return next < 0 ? events.length : next;
}

/** Events that a workflow task writes itself when it completes. */
const COMMANDED =
  /(ACTIVITY_TASK_SCHEDULED|TIMER_STARTED|TIMER_CANCELED|INITIATED|SEARCH_ATTRIBUTES|MARKER_RECORDED|EXECUTION_COMPLETED|AS_NEW)$/;
