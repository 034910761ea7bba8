import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { ActionableCase } from '../../api/onboarding/case-detail.ts';
import { aCaseDetail, aCaseManualOutcome, CASE } from '../server/case-records.ts';
import { allowed, answerWith, comeBackLater } from './changing-answers.ts';

/** A sign-up of unknown outcome, of which somebody says that this user is the applicant. */
function signedUpAs(userId: string): ActionableCase {
  const manualOutcome = aCaseManualOutcome({ manualOutcomeId: `of ${userId}`, userId });
  return { ...aCaseDetail({ manualOutcomes: [manualOutcome] }), allowedActions: [allowed('confirmManualOutcome')] };
}

/** Notes which revision a form of the page is sent for. As text: it runs in the browser. */
const NOTE_REVISION = `{
  const send = window.fetch;
  window.fetch = (address, options) => {
    if (options?.body instanceof FormData) window.sentRevision = options.body.get('revision');
    return send(address, options);
  };
}`;

/** A case that changes while somebody decides on it. */
export function describeChangingCase(people: () => { chris: Page }): void {
  describe('a case that changes while one decides', () => {
    let shown: ActionableCase;

    async function open(): Promise<Page> {
      const page = await people().chris.context().newPage();
      await page.addInitScript(NOTE_REVISION);
      await answerWith(page, new RegExp(`/cases/${CASE}$`), () => shown);
      await page.goto(`/onboarding/${CASE}`);
      return page;
    }

    test('is confirmed for the user who was read, and for no other one', async () => {
      shown = signedUpAs('user-0001');
      const page = await open();
      await page.getByRole('button', { name: 'Confirm …' }).click();
      await page.getByRole('dialog').getByText('user-0001').waitFor();
      shown = signedUpAs('user-0002');
      await comeBackLater(page);
      await page.getByText('The case has changed while you looked at it').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Confirm …' }).click();
      await page.getByRole('dialog').getByText('user-0002').waitFor();
      await page.close();
    });

    test('is given what was missing when the form was opened: the server refuses it for a later revision', async () => {
      const atRevision = (revision: number): ActionableCase => ({
        ...aCaseDetail({ revision }),
        allowedActions: [allowed('supply')],
      });
      shown = atRevision(1);
      const page = await open();
      await page.getByRole('button', { name: 'Give what is missing …' }).click();
      const file = {
        name: 'passport.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from('occupation: Translator'),
      };
      await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles(file);
      shown = atRevision(2);
      await comeBackLater(page);
      await page.getByText('Something was given since you opened this form').waitFor();
      await page.getByRole('button', { name: 'Send it' }).click();
      await expect.poll(() => page.evaluate('window.sentRevision')).toBe('1');
      await page.close();
    });
  });
}
