import { expect, test } from 'vitest';
import { SANDBOX_CREDENTIALS } from '../../config/account-settings.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';

test("the sandbox credentials are those of the sandbox's first account", () => {
  expect(SANDBOX_CREDENTIALS).toEqual(defaultAccount);
});
