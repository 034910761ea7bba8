import { type Client, ScheduleAlreadyRunning } from '@temporalio/client';
import { dailyBooksScheduleId, dailyBooksWorkflowId, MAIN_TASK_QUEUE } from '../../domain/identifiers.ts';

/** UTC. Entries of the day before are visible by then, and most of what is expected of it has come. */
const HOUR_OF_DAY = 6;

/** Has the books of an account made every day, unless they are already. */
export async function ensureDailyBooks(temporal: Client, account: string): Promise<void> {
  try {
    await temporal.schedule.create({
      scheduleId: dailyBooksScheduleId(account),
      spec: { calendars: [{ hour: HOUR_OF_DAY, comment: 'The day before has ended everywhere.' }], timezone: 'UTC' },
      // A day that was missed is done at the next time, together with the next one.
      policies: { overlap: 'SKIP', catchupWindow: '12 hours' },
      action: {
        type: 'startWorkflow',
        workflowType: 'dailyBooks',
        workflowId: dailyBooksWorkflowId(account),
        taskQueue: MAIN_TASK_QUEUE,
        args: [{ account, fromDay: null, toDay: null }],
        staticSummary: `Reconciles ${account} with the provider's history`,
      },
    });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}
