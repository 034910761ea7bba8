import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { answersKey } from '../../console/approvals/answers-key.ts';
import { forgetWhatWasRead } from '../../console/shell/forget-what-was-read.ts';

const SESSION_KEY = ['session'];
const OF_CHRIS = { userId: 'chris', runId: 'run-1', contentHash: 'a' };

test('answers to warnings are those of one user, to one content of one run', () => {
  const queries = new QueryClient();
  queries.setQueryData(answersKey(OF_CHRIS), new Map([['a finding', 'called them']]));
  expect(queries.getQueryData(answersKey({ ...OF_CHRIS }))).toEqual(new Map([['a finding', 'called them']]));
  for (const other of [{ userId: 'dora' }, { runId: 'run-2' }, { contentHash: 'b' }]) {
    expect(queries.getQueryData(answersKey({ ...OF_CHRIS, ...other }))).toBeUndefined();
  }
});

test('answers to warnings are gone once their user has signed out, or another has signed in', () => {
  const queries = new QueryClient();
  queries.setQueryData(SESSION_KEY, null);
  queries.setQueryData(answersKey(OF_CHRIS), new Map([['a finding', 'called them']]));
  forgetWhatWasRead(queries, SESSION_KEY);
  expect(queries.getQueryData(answersKey(OF_CHRIS))).toBeUndefined();
  expect(queries.getQueryData(SESSION_KEY)).toBeNull();
});
