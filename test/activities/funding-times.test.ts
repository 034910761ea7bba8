import { expect, test } from 'vitest';
import { SEND_WITHIN_MS } from '../../activities/calls/send-deadline.ts';
import { readEnvironment } from '../../config/environment.ts';
import { FUND_WITHIN_MS } from '../../domain/treasury/funding-evidence.ts';
import { readSqlFunctions } from '../../store/database/sql-files.ts';

/** Times of different layers that only work together. */

const MINUTE_MS = 60_000;

/** For how long the database lets a request follow the proof that none has taken effect, by the function in force. */
function databaseTakesProofFor(): number {
  const text = readSqlFunctions().find(({ name }) => name === 'begin_conversion_funding')?.statement ?? '';
  const [, minutes] = /v\.unfunded_at < clock_timestamp\(\) - interval '(\d+) minutes'/.exec(text) ?? [];
  return Number(minutes) * MINUTE_MS;
}

test('a request that a worker begins by a proof is not refused by the database as too late', () => {
  expect(FUND_WITHIN_MS + SEND_WITHIN_MS).toBeLessThan(databaseTakesProofFor());
});

test('what proves that a conversion is unfunded is read, each part given up once, before the proof is too old', () => {
  const { PAYRUN_REQUEST_TIMEOUT_MS } = readEnvironment({});
  // The history, the balance, and the conversion.
  expect(3 * (SEND_WITHIN_MS + PAYRUN_REQUEST_TIMEOUT_MS)).toBeLessThan(FUND_WITHIN_MS);
});
