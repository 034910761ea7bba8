import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Area, ContractCase } from './contract-case.ts';
import { type OpenSandbox, openSandbox } from './open-sandbox.ts';
import { combinationsOf, type Words } from './settings.ts';
import type { WireForm } from './wire-forms.ts';

/** Runs an area's cases under every combination of the words of its settings. */
export function runUnderEveryCombination(area: Area): void {
  for (const words of combinationsOf(area.settings)) {
    const named = area.settings.map((name) => `${name} ${words.get(name) ?? ''}`).join(', ');
    runAreas(`${area.name}${named === '' ? '' : `: ${named}`}`, [area], words);
  }
}

/** Runs the cases of several areas under one combination. `claims`: what a case says that it covers must be used. */
export function runAreas(
  title: string,
  areas: readonly Area[],
  words: Words,
  { form, claims = false, seed }: { form?: WireForm; claims?: boolean; seed?: number } = {},
): void {
  describe(title, () => {
    let open: OpenSandbox;
    beforeAll(async () => {
      open = await openSandbox(words, { form, seed });
    });
    afterAll(() => open.close());
    for (const area of areas) {
      for (const each of area.cases) {
        test(areas.length === 1 ? each.name : `${area.name}: ${each.name}`, () => runCase(open, each, claims));
      }
    }
  });
}

async function runCase(open: OpenSandbox, each: ContractCase, claims: boolean): Promise<void> {
  const context = await open.freshContext();
  await each.run(context);
  const { invariantHolds, createdMoreThanOnce, fundedMoreThanOnce, credentialLeaks } = context.ledger();
  expect({ invariantHolds, createdMoreThanOnce, fundedMoreThanOnce, credentialLeaks }).toEqual({
    invariantHolds: true,
    createdMoreThanOnce: [],
    fundedMoreThanOnce: [],
    credentialLeaks: 0,
    ...each.ledger?.(context),
  });
  if (!claims) return;
  const { byOperation } = context.ledger().requests;
  expect(each.covers.filter((id) => !(id in byOperation))).toEqual([]);
  expect(each.calls.filter((name) => !context.called.has(name))).toEqual([]);
}
