import { join } from 'node:path';
import type { Page } from 'playwright-core';

const BROKEN = join(import.meta.dirname, '..', '..', 'examples', 'broken-payments.csv');

/** Leaves a draft of a refused file, as its maker corrects it. */
export async function submitBrokenFile(maker: Page): Promise<void> {
  await maker.goto('/runs/new');
  await maker.locator('input[type=file]').first().setInputFiles(BROKEN);
  await maker.getByRole('button', { name: 'Check and submit' }).click();
  await maker.getByRole('button', { name: 'Correct it here' }).click();
  await maker.waitForURL(/\/drafts\//);
}
