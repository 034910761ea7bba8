import type { Page } from 'playwright-core';

/** Drops a payment file, or one that is made here, on the page of a new run, and has it checked. */
export async function submitFile(
  maker: Page,
  file: string | { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await maker.goto('/runs/new');
  await maker.locator('input[type=file]').first().setInputFiles(file);
  await maker.getByRole('button', { name: 'Check and submit' }).click();
}
