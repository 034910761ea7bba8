import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SWEEP } from '../domain/treasury-schedules.ts';
import { type IdentityProvider, startIdentityProvider } from '../helpers/identity-provider.ts';
import { describeCompanySignIn } from './company-sign-in.ts';
import { type ConsoleStack, seriousFindings, startConsoleStack } from './console-stack.ts';
import { submitFile } from './submit-file.ts';

/** Second factors in a real browser: a passkey of Chromium's virtual authenticator, and an app with codes. */

const FROM_CONSOLE = { 'content-type': 'application/json', 'x-payrun-console': '1' };
const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

let company: IdentityProvider;
let stack: ConsoleStack;
let mia: Page;
let chris: Page;
let ada: Page;

beforeAll(async () => {
  stack = await startConsoleStack(async (url) => {
    company = await startIdentityProvider(url);
    const { issuer, clientId, clientSecret } = company;
    return {
      PAYRUN_OIDC_ISSUER: issuer,
      PAYRUN_OIDC_CLIENT_ID: clientId,
      PAYRUN_OIDC_CLIENT_SECRET: clientSecret,
      PAYRUN_OIDC_NAME: 'Example',
    };
  });
  [mia, chris, ada] = await Promise.all([
    stack.personNamed('Mia'),
    stack.personNamed('Chris'),
    stack.personNamed('Ada'),
  ]);
});
afterAll(async () => {
  await stack.stop();
  company.close();
});

/** An authenticator that is built into the machine and knows its user. */
async function giveAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** A server that fails once, and then for so long that the factor that was shown does not count any more. */
async function refuseTwice(page: Page): Promise<void> {
  const refusals = [
    { status: 503, json: { error: { code: 'unavailable', message: 'try again later' } } },
    { status: 403, json: { error: { code: 'second_factor_needed', message: 'show a second factor' } } },
  ];
  await page.route('**/approve', (route) => route.fulfill(refusals.shift() ?? {}), { times: refusals.length });
}

describe('second factors', () => {
  let secret = '';

  test('a checker adds a passkey', async () => {
    await giveAuthenticator(chris);
    await chris.goto('/account');
    await chris.getByLabel('New passkey: its name').fill('Laptop');
    await chris.getByRole('button', { name: 'Add a passkey' }).click();
    await chris.getByText('Passkey “Laptop”', { exact: true }).waitFor();
  });

  test('an administrator sets up an app by its QR code, which holds what is typed as well', async () => {
    await ada.goto('/account');
    await ada.getByRole('button', { name: 'Set up an app with codes' }).click();
    await ada.getByRole('img', { name: 'The secret for the app, as a QR code' }).waitFor();
    expect(await seriousFindings(ada)).toEqual([]);
    secret = (await ada.locator('form code').innerText()).replaceAll(' ', '');
    await ada.getByLabel('Code that the app shows').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await ada.getByRole('button', { name: 'Confirm' }).click();
    await ada.getByRole('button', { name: 'Remove the app' }).waitFor();
  });

  test('the policy demands a factor, and the checker approves with the passkey', async () => {
    await ada.goto('/admin/policy');
    await ada.getByRole('button', { name: 'Change the policy …' }).click();
    const box = ada.getByRole('textbox', { name: 'The whole policy, as JSON' });
    const policy = JSON.parse(await box.inputValue()) as object;
    await box.fill(JSON.stringify({ ...policy, secondFactor: { approvals: true } }));
    await ada.getByRole('button', { name: 'Check it' }).click();
    const beside = ada.getByRole('table', { name: 'The policy in force beside the proposed one' });
    await beside.getByText('each takes one', { exact: true }).waitFor();
    await ada.getByRole('button', { name: 'Propose it' }).click();
    await expect
      .poll(
        async () => {
          await chris.goto('/account');
          await chris.getByRole('button', { name: 'Set up an app with codes' }).waitFor();
          return chris.getByText('The policy asks for one at each approval.').count();
        },
        { interval: 2_000 },
      )
      .toBe(1);
    await submitFile(mia, join(EXAMPLES, 'payroll.csv'));
    await mia.getByText('It waits for approval').waitFor();
    await chris.goto(`${new URL(mia.url()).pathname}/decide`);
    await chris.getByRole('button', { name: 'Approve …' }).click();
    await chris.getByLabel('Comment (optional)').fill('as agreed');
    await refuseTwice(chris);
    await chris.getByRole('button', { name: 'Confirm with your passkey' }).click();
    await chris.getByText('try again later').waitFor();
    await chris.getByRole('button', { name: 'Approve 10 rows' }).click();
    await chris.getByRole('button', { name: 'Confirm with your passkey' }).click();
    await chris.getByText(/Approved: recorded/).waitFor();
  });

  test('a schedule is confirmed with the passkey as well, for the version that is shown', async () => {
    const tina = await stack.personNamed('Tina');
    const proposal = { method: 'POST', headers: FROM_CONSOLE, body: JSON.stringify({ schedule: SWEEP }) };
    expect(
      await tina.evaluate(`fetch('/api/v1/treasury/schedules', ${JSON.stringify(proposal)}).then(({ ok }) => ok)`),
    ).toBe(true);
    await chris.goto('/treasury/schedules');
    await chris.getByRole('link', { name: SWEEP.name }).click();
    await chris.getByRole('button', { name: 'Confirm …' }).click();
    const dialog = chris.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Confirm version 1' }).click();
    await dialog.getByRole('button', { name: 'Confirm with your passkey' }).click();
    await dialog.getByRole('button', { name: 'Confirm with your passkey' }).waitFor({ state: 'detached' });
    await expect(chris.getByRole('heading', { name: 'In force: version 1' }).count()).resolves.toBe(0);
    await dialog.getByRole('button', { name: 'Confirm version 1' }).click();
    await chris.getByRole('heading', { name: 'In force: version 1' }).waitFor();
  });
});

describeCompanySignIn(() => ({ mia, issuer: company.issuer, picture: stack.picture }));

test('the policy says what a run would need', async () => {
  await chris.goto('/admin/policy');
  await chris.getByLabel('Total').fill('25000.00');
  await chris.getByLabel('Currency').fill('eur');
  await chris.getByLabel("Maker's login").fill('mia');
  const question = chris.getByRole('region', { name: 'What would a run need?' });
  await question.getByRole('button', { name: 'Show' }).click();
  await chris.getByText(/The rule “.*” applies/).waitFor();
  await chris.getByRole('table', { name: 'Approvals that it would need' }).getByText('Chris Checker').waitFor();
});

test('webhooks show what they led to', async () => {
  await chris.goto('/operations/webhooks');
  await chris.getByRole('table', { name: 'Webhooks' }).getByText('processed').first().waitFor();
  await chris.getByRole('table', { name: 'Webhooks' }).locator('tbody a').first().click();
  const panel = chris.getByRole('dialog');
  await panel.getByRole('heading', { name: 'As it came' }).waitFor();
  await panel.locator('pre').waitFor();
});

test('workers and their version are shown', async () => {
  await chris.goto('/operations/workers');
  await chris.getByRole('table', { name: 'Workers' }).getByText('payrun/notifications').waitFor();
  await chris.getByRole('table', { name: 'Versions' }).getByText('current').waitFor();
  await chris.getByRole('columnheader', { name: 'Open payments' }).waitFor();
  await chris.getByRole('row').filter({ hasText: 'current' }).getByRole('cell', { name: /^\d+$/ }).waitFor();
});

test('no policy was violated, and no script failed', () => {
  expect(stack.complaints).toEqual([]);
});
