import { OBSERVED_CASE_STATES } from '../../../domain/onboarding/case-state.ts';
import { casePollerWorkflowId, DEFAULT_ACCOUNT } from '../../../domain/identifiers.ts';
import { sqlList } from '../../../store/database/sql-list.ts';
import type { FaultStack } from '../fault-stack.ts';

/** Longer than the longest pause between two reads of a user. */
const PASSED = '7 hours';

/**
 * As if hours had passed without an event: every open case is due to be read, and the poller plans. The suite cannot wait so
 * long for cases whose events were lost. A poller that does not run is not started: that is payrun's own task.
 */
export async function letHoursPass({ database, temporal }: FaultStack): Promise<void> {
  await database.query(
    `update cases set read_at = read_at - interval '${PASSED}', waiting_since = waiting_since - interval '${PASSED}',
       changed_at = changed_at - interval '${PASSED}'
     where ended_at is null and state in (${sqlList(OBSERVED_CASE_STATES)})`,
  );
  const poller = temporal.workflow.getHandle(casePollerWorkflowId(DEFAULT_ACCOUNT));
  await poller.signal('pollRequested').catch(() => undefined);
}
