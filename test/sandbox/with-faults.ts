import { expect } from 'vitest';
import { aSandbox, type Caller } from './a-sandbox.ts';

/** A signed-in caller of a sandbox with these faults. */
export async function withFaults(...faults: Record<string, unknown>[]): Promise<Caller> {
  const caller = await (await aSandbox()).signIn();
  expect((await caller.post('/__sandbox/faults', faults)).status).toBe(200);
  return caller;
}
