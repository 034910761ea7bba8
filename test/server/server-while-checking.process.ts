import { expect, it } from 'vitest';
import { checkInThread, type RowsInThread } from '../../application/payment-file/check-in-thread.ts';
import type { Submission, SubmitOutcome } from '../../application/runs/submission.ts';
import type { Actor } from '../../domain/users/role.ts';
import { bytesOf, cells, header } from '../application/payment-files.ts';
import { TEST_PAYEES } from '../helpers/test-payees.ts';
import { aReference } from '../domain/payment-rows.ts';
import { FakeApplication, TOKENS } from './fake-application.ts';
import { aServer } from './server-harness.ts';

const RUN_ID = '018f2a00-0000-7000-8000-000000000001';

/** Checks a file as the application does, and stores nothing. */
class CheckingApplication extends FakeApplication {
  /** The whole file is here; the check of its rows is next. */
  whenRead: () => void = () => undefined;
  whenChecked: (rows: number) => void = () => undefined;

  override async submit(_actor: Actor, { file, profile, onInvalid }: Submission): Promise<SubmitOutcome> {
    const terms = {
      runId: RUN_ID,
      onInvalid,
      reference: aReference(),
      book: new Map(),
      files: new Map(),
      today: '2026-04-10',
    };
    const termsFor = () => {
      this.whenRead();
      return Promise.resolve(terms);
    };
    const take = async (rows: RowsInThread): Promise<{ kind: 'taken'; count: number }> => {
      let count = 0;
      for await (const batch of rows) count += batch.count;
      return { kind: 'taken', count };
    };
    const read = { file, profile, rowNumbers: null };
    const checked = await checkInThread({ file: read, termsFor, key: TEST_PAYEES.newRunKey(RUN_ID), take });
    if (checked.kind === 'refused') throw new Error('refused');
    this.whenChecked(checked.count);
    return this.outcome;
  }
}

it('the server answers other requests while it checks a large file', async () => {
  const application = new CheckingApplication();
  const { server } = await aServer({ application });
  const happened: string[] = [];
  const asked = new Promise<void>((resolve, reject) => {
    application.whenRead = () => {
      fetch(`${server.url}/health`).then(({ status }) => {
        happened.push(`health ${status}`);
        resolve();
      }, reject);
    };
  });
  application.whenChecked = (count) => happened.push(`${count} rows checked`);
  const form = new FormData();
  const rows = Array.from({ length: 20_000 }, (_, index) => `${cells(`R${index}`)},ben_${index}`);
  form.set('file', new Blob([bytesOf(`${header},beneficiary_id`, ...rows)]), 'payroll.csv');
  const headers = { authorization: `Bearer ${TOKENS.maker}` };
  const submitted = await fetch(`${server.url}/api/v1/runs`, { method: 'POST', headers, body: form });
  happened.push(`submission ${submitted.status}`);
  await asked;
  expect(happened).toEqual(['health 200', '20000 rows checked', 'submission 201']);
});
