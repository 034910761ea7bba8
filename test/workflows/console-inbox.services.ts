import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPayrunClient, type PayrunClient, type StreamEvent } from '../../client/sdk/index.ts';
import { type PayrunUnderTest, startPayrun, untilRun } from '../helpers/payrun-under-test.ts';
import {
  approve,
  beginRun,
  newRows,
  reject,
  submitFile,
  submitRows,
  textOf,
  untilPaid,
} from '../helpers/run-under-test.ts';
import { until } from '../helpers/until.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { bypassTriggers } from '../helpers/bypass-triggers.ts';

/** What waits for whom, and one stream of it, through HTTP. */

let payrun: PayrunUnderTest;
let checker: PayrunClient;
let maker: PayrunClient;

const clientOf = (user: TestUser): PayrunClient => createPayrunClient({ url: payrun.serverUrl, token: user.token });

beforeAll(async () => {
  payrun = await startPayrun();
  checker = clientOf(payrun.checker);
  maker = clientOf(payrun.maker);
});
afterAll(() => payrun.stop());

async function kindsOf(client: PayrunClient): Promise<[string, string[]][]> {
  const { groups } = await client.getInbox();
  return groups.map(({ kind, items }) => [kind, items.map(({ id }) => id)]);
}

describe('the inbox', () => {
  test('has the runs that one may approve, until somebody has', async () => {
    const runId = await submitRows(payrun, newRows(2));
    const both = await aUser(payrun.testDatabase, 'Bo Both', 'maker', 'checker');
    const own = await submitRows({ ...payrun, maker: both }, newRows(1));
    expect(await kindsOf(checker)).toEqual([['approval', [runId, own]]]);
    expect(await kindsOf(clientOf(both))).toEqual([['approval', [runId]]]);
    expect(await kindsOf(maker)).toEqual([]);
    const { count, groups } = await checker.getInbox();
    expect([count, groups[0]?.ages.underOneDay]).toEqual([2, 2]);
    const [item] = groups[0]?.items ?? [];
    expect(item).toMatchObject({ title: 'test.csv', account: 'default', count: 2, runId });
    expect(Date.parse(item?.expiresAt ?? '') - Date.parse(item?.waitingSince ?? '')).toBe(86_400_000);
    await reject(payrun, runId);
    await reject(payrun, own);
    expect(await kindsOf(checker)).toEqual([]);
    expect((await kindsOf(maker)).map(([kind]) => kind)).toEqual(['not_approved']);
  });

  test('has rows of unknown outcome, with their age, and what a second person confirms', async () => {
    const runId = await submitRows(payrun, newRows(1));
    await approve(payrun, runId);
    await untilRun(payrun.application, runId, 'completed');
    // They would find out what became of it.
    await payrun.stopWorkers();
    const { rows } = await payrun.database.query<{ id: string; row_ref: string }>(
      'select payment_id as id, row_ref from payments where run_id = $1',
      [runId],
    );
    const [row] = rows;
    if (row === undefined) throw new Error('there is no row');
    await bypassTriggers(
      payrun.database,
      `update payments set state = 'unknown', changed_at = now() - interval '4 days' where payment_id = $1`,
      [row.id],
    );
    const { groups } = await maker.getInbox();
    const unknown = groups.find(({ kind }) => kind === 'unknown_row');
    expect(unknown).toMatchObject({ count: 1, ages: { threeToSevenDays: 1 } });
    expect(unknown?.items[0]).toMatchObject({ id: runId, count: 1 });
    await maker.proposeManualOutcome({ runId, rowRef: row.row_ref, outcome: 'failed', reason: 'the bank said so' });
    expect((await kindsOf(checker)).find(([kind]) => kind === 'manual_outcome')).toEqual(['manual_outcome', [row.id]]);
    expect((await kindsOf(maker)).map(([kind]) => kind)).toEqual(['not_approved', 'unknown_row']);
    await payrun.restartWorkers();
  });
});

describe('a run that ended with rows not paid', () => {
  const unpaidIn = async (client: PayrunClient) =>
    (await client.getInbox()).groups.filter(({ kind }) => kind === 'not_paid').flatMap(({ items }) => items);

  test('waits for makers until its rows were submitted again', async () => {
    const rows = [...newRows(1, { amount: '310.13' }), ...newRows(1, { amount: '310.14' }), ...newRows(1)];
    const runId = await beginRun(payrun, rows);
    expect((await untilPaid(payrun, runId)).rows).toEqual({ rejected: 1, failed: 1, paid: 1 });
    expect(await unpaidIn(maker)).toMatchObject([
      { id: runId, title: 'test.csv', count: 2, state: 'partially_completed' },
    ]);
    expect(await unpaidIn(checker)).toEqual([]);
    const corrected = (await textOf(payrun.application.exceptions(runId))).replaceAll(/310\.1[34]/g, '310.00');
    const submitAgain = async () => {
      const outcome = await submitFile(payrun, Buffer.from(corrected));
      if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome.problems));
      await untilRun(payrun.application, outcome.runId, 'in_approval');
      return outcome.runId;
    };
    const refused = await submitAgain();
    expect(await unpaidIn(maker)).toEqual([]);
    await reject(payrun, refused);
    expect(await unpaidIn(maker)).toMatchObject([{ id: runId, count: 2 }]);
    const again = await submitAgain();
    await approve(payrun, again);
    expect((await untilPaid(payrun, again)).rows).toEqual({ paid: 2 });
    expect(await unpaidIn(maker)).toEqual([]);
  });

  test('waits for two weeks', async () => {
    const runId = await beginRun(payrun, newRows(1, { amount: '311.13' }));
    await untilPaid(payrun, runId);
    const endedAgo = (days: number) =>
      bypassTriggers(
        payrun.database,
        'update runs set finished_at = now() - make_interval(days => $2) where run_id = $1',
        [runId, days],
      );
    await endedAgo(13);
    expect(await unpaidIn(maker)).toMatchObject([{ id: runId, count: 1, state: 'failed' }]);
    expect((await maker.getInbox()).groups.at(-1)).toMatchObject({ kind: 'not_paid', ages: { overSevenDays: 1 } });
    await endedAgo(14);
    expect(await unpaidIn(maker)).toEqual([]);
  });
});

/** The events of a stream until `isEnough`. */
async function eventsUntil(
  client: PayrunClient,
  topics: readonly string[],
  isEnough: (events: readonly (StreamEvent & { id: string | null })[]) => boolean | Promise<boolean>,
  lastEventId: string | null = null,
): Promise<(StreamEvent & { id: string | null })[]> {
  const events: (StreamEvent & { id: string | null })[] = [];
  for await (const event of client.stream(topics, { lastEventId })) {
    events.push(event);
    if (await isEnough(events)) break;
  }
  return events;
}

describe('a stream', () => {
  test('tells at once how everything is that one watches, then what changes', async () => {
    const runId = await submitRows(payrun, newRows(1));
    const topics = ['inbox', 'runs', `run:${runId}`];
    const states: string[] = [];
    const events = await eventsUntil(checker, topics, async (seen) => {
      const last = seen.at(-1);
      if (last?.event === 'run') states.push(last.data.run.state);
      if (seen.length === 3) await reject(payrun, runId);
      const kinds = seen.slice(3).map(({ event }) => event);
      return kinds.includes('run') && kinds.includes('inbox') && kinds.includes('runs');
    });
    expect(
      events
        .slice(0, 3)
        .map(({ event }) => event)
        .sort(),
    ).toEqual(['inbox', 'run', 'runs']);
    expect([states[0], states.at(-1)]).toEqual(['in_approval', 'rejected']);
  });

  test('that is resumed sends what has changed since, and nothing else', async () => {
    const one = await submitRows(payrun, newRows(1));
    const other = await submitRows(payrun, newRows(1));
    const topics = [`run:${one}`, `run:${other}`];
    const before = await eventsUntil(checker, topics, (seen) => seen.length === 2);
    await reject(payrun, other);
    const after = await eventsUntil(checker, topics, (seen) => seen.length === 1, before.at(-1)?.id ?? null);
    expect(after).toMatchObject([{ event: 'run', data: { topic: `run:${other}`, run: { state: 'rejected' } } }]);
    const elsewhere = await eventsUntil(checker, [`run:${one}`], (seen) => seen.length === 1, after[0]?.id ?? null);
    expect(elsewhere).toMatchObject([{ event: 'run', data: { topic: `run:${one}` } }]);
    await reject(payrun, one);
  });

  test('says that something is not there, or not for whoever asks', async () => {
    const runId = await submitRows(payrun, newRows(1));
    const limited = await aUser(payrun.testDatabase, 'Lea Limited', 'viewer');
    await limitTo(payrun.database, limited, 'subsidiary');
    const nothing = '018f2a00-0000-7000-8000-00000000dead';
    const topics = [`run:${runId}`, `order:${nothing}`];
    const events = await eventsUntil(clientOf(limited), topics, (seen) => seen.length === 2);
    expect(events.map(({ event, data }) => [event, data.topic]).sort()).toEqual(topics.map((t) => ['gone', t]).sort());
    await expect(eventsUntil(checker, ['everything'], () => true)).rejects.toMatchObject({ status: 400 });
    await reject(payrun, runId);
  });

  test('ends when the token is revoked', async () => {
    const user = await aUser(payrun.testDatabase, 'Gone Checker', 'checker');
    const seen: string[] = [];
    const watching = (async () => {
      for await (const { event } of clientOf(user).stream(['runs'])) seen.push(event);
    })();
    await until(() => Promise.resolve(seen.length > 0));
    await payrun.database.query('update api_tokens set revoked_at = now() where user_id = $1', [user.userId]);
    await watching;
    expect(seen.length).toBeGreaterThan(0);
  });
});
