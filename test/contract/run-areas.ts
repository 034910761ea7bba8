import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Area, ContractCase } from './contract-case.ts';
import { type SandboxUnderTest, openSandbox } from './open-sandbox.ts';
import { combinationsOf, type SettingValues } from './settings.ts';
import type { AnswerFormat } from './answer-formats.ts';

/** Runs an area's cases under every combination of the values of its settings. */
export function runUnderEveryCombination(area: Area): void {
  for (const values of combinationsOf(area.settings)) {
    const named = area.settings.map((name) => `${name} ${values.get(name) ?? ''}`).join(', ');
    runAreas(`${area.name}${named === '' ? '' : `: ${named}`}`, [area], values);
  }
}

/**
 * Runs the cases of several areas under one combination. `checksCoverage`: each case must use everything in its
 * `covers` and `calls`.
 */
export function runAreas(
  title: string,
  areas: readonly Area[],
  settings: SettingValues,
  { form, checksCoverage = false, seed }: { form?: AnswerFormat; checksCoverage?: boolean; seed?: number } = {},
): void {
  describe(title, () => {
    let open: SandboxUnderTest;
    beforeAll(async () => {
      open = await openSandbox(settings, { form, seed });
    });
    afterAll(() => open.close());
    for (const area of areas) {
      for (const each of area.cases) {
        test(areas.length === 1 ? each.name : `${area.name}: ${each.name}`, () => runCase(open, each, checksCoverage));
      }
    }
  });
}

async function runCase(open: SandboxUnderTest, each: ContractCase, checksCoverage: boolean): Promise<void> {
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
  if (!checksCoverage) return;
  const { byOperation } = context.ledger().requests;
  expect(each.covers.filter((id) => !(id in byOperation))).toEqual([]);
  expect(each.calls.filter((name) => !context.called.has(name))).toEqual([]);
}
