import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { submitFile } from './submit-file.ts';

const BROKEN = join(import.meta.dirname, '..', '..', 'examples', 'broken-payments.csv');

/** Leaves a draft of a refused file, as its maker corrects it. */
export async function submitBrokenFile(maker: Page): Promise<void> {
  await submitFile(maker, BROKEN);
  await maker.getByRole('button', { name: 'Correct it here' }).click();
  await maker.waitForURL(/\/drafts\//);
}
