import { expect } from 'vitest';
import { aSandbox, type Caller } from './a-sandbox.ts';

/** A caller that has signed in, of a sandbox in which the faults are ordered. */
export async function withFaults(...faults: Record<string, unknown>[]): Promise<Caller> {
  const caller = await (await aSandbox()).signIn();
  expect((await caller.post('/__sandbox/faults', faults)).status).toBe(200);
  return caller;
}
