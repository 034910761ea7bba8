import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { paymentRunWorkflowId } from '../../domain/identifiers.ts';
import { csvOf } from '../../fixtures/payment-rows.ts';
import { hastyApplication } from '../helpers/hasty-application.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import { approve, contentHashOf, newRows, submitFile, untilPaid } from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;

beforeAll(async () => {
  payrun = await startPayrun();
});
afterAll(() => payrun.stop());

async function check(rows = newRows(2)): Promise<string> {
  const outcome = await submitFile(payrun, csvOf(rows), { checkOnly: true });
  if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
  await untilRun(payrun.application, outcome.runId, 'checked');
  return outcome.runId;
}

describe('a file that is checked only', () => {
  test('is shown with its cost, decided on by nobody, and paid once its maker has sent it and a checker approves', async () => {
    const { application, maker } = payrun;
    const runId = await check();
    const run = await application.findRun(runId);
    expect(run?.proposal?.payable).toBe(2);
    expect(run?.sentences.toDo).toContain('Its maker sends it for approval');
    await expect(approve(payrun, runId)).rejects.toMatchObject({ code: 'conflict' });
    const another = await aUser(payrun.testDatabase, 'Another Maker', 'maker');
    const contentHash = await contentHashOf(application, runId);
    await expect(application.sendRun(another, runId, contentHash)).rejects.toMatchObject({ code: 'not_allowed' });
    expect(await application.sendRun(maker, runId, contentHash)).toMatchObject({ state: 'in_approval' });
    await until(async () => {
      const { rows } = await payrun.database.query('select from runs where run_id = $1 and not proposal_is_stale', [
        runId,
      ]);
      return rows.length === 1;
    });
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 2 });
  });

  test('and withdrawn leaves nothing to decide on, and its rows may be submitted', async () => {
    const { application, maker } = payrun;
    const rows = newRows(1);
    const runId = await check(rows);
    expect(await application.withdrawRun(maker, runId, null)).toMatchObject({ state: 'cancelled' });
    await expect(approve(payrun, runId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await check(rows).then((again) => application.findRun(again))).toMatchObject({ rows: { ready: 1 } });
  });

  test('expires if its maker does not send it in time', async () => {
    const hasty = hastyApplication(payrun);
    const outcome = await submitFile({ ...payrun, application: hasty }, csvOf(newRows(1)), { checkOnly: true });
    const runId = outcome.kind === 'accepted' ? outcome.runId : '';
    const run = await untilRun(hasty, runId, 'expired');
    expect(run.stateReason).toBe('nobody decided on it in time');
    await expect(hasty.sendRun(payrun.maker, runId, await contentHashOf(hasty, runId))).rejects.toMatchObject({
      code: 'conflict',
    });
  });

  test('is paid when it is sent so late that the time of its workflow is over', async () => {
    const { application, maker, database, temporal } = payrun;
    // The workflow waits for moments, the database for a day, which begins again with the sending.
    await database.query(`create function a_day() returns trigger language plpgsql as
      $$ begin new.decide_within := interval '1 day'; return new; end $$`);
    await database.query('create trigger a_day before insert on runs for each row execute function a_day()');
    const hasty = hastyApplication(payrun);
    const outcome = await submitFile({ ...payrun, application: hasty }, csvOf(newRows(1)), { checkOnly: true });
    const runId = outcome.kind === 'accepted' ? outcome.runId : '';
    const workflow = temporal.workflow.getHandle(paymentRunWorkflowId(runId));
    await until(async () => {
      const { events } = await workflow.fetchHistory();
      return events?.some((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'expireRun');
    });
    await application.sendRun(maker, runId, await contentHashOf(application, runId));
    await approve(payrun, runId);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ paid: 1 });
  });
});
