import type { Guard } from './guard.ts';

const CHECK_BANK_ACCOUNT = 'test/domain/check-bank-account.test.ts';

/** Checks of who is paid, before anybody approves it. */
export const PAYEE_GUARDS: readonly Guard[] = [
  {
    id: 'account-in-bank-country',
    against:
      'an account is paid in another country than people are shown, and than the rules for the country were asked for',
    without: '',
    test: { file: CHECK_BANK_ACCOUNT, name: 'an IBAN of another country' },
  },
  {
    id: 'account-fields-agree',
    against: 'people are shown an IBAN, and the bank pays by another sort code and account number beside it',
    without: '',
    test: { file: CHECK_BANK_ACCOUNT, name: 'an account number beside an IBAN with another one' },
  },
];
