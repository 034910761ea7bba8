import type { Guard } from './guard.ts';

const CHECK_TEXTS = 'test/domain/check-texts.test.ts';
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
  {
    id: 'account-of-asked-codes',
    against:
      'a code that nobody asks for makes several accounts of one, each with its own limits and without duplicates',
    without: '',
    test: {
      file: 'test/domain/account-of-asked-codes.test.ts',
      name: 'and that makes another account of it is refused',
    },
  },
  {
    id: 'template-is-not-paid',
    against: 'the example row of a template is submitted by oversight, and paid',
    without: '',
    test: { file: 'test/application/corridor-template.test.ts', name: 'only what is to be filled in is wrong' },
  },
  {
    id: 'nothing-unseen-in-cells',
    against: 'a letter that nobody sees makes a known supplier another one, or hides from an approver what is paid',
    without: 'if (false) {',
    test: { file: CHECK_TEXTS, name: 'a soft hyphen' },
  },
  {
    id: 'scripts-not-mixed',
    against: 'a Cyrillic letter in a known name makes a changed bank account that of a new beneficiary',
    without: 'if (false) {',
    test: { file: CHECK_TEXTS, name: 'is refused' },
  },
  {
    id: 'unreadable-rows-not-approved',
    against: 'a run is approved of which nobody can see whom a row pays',
    without: '',
    test: { file: 'test/store/what-approvers-see.services.ts', name: 'a row is named in the review of its run' },
  },
  {
    id: 'unreadable-row-fails-no-review',
    against: 'one damaged row keeps approvers from seeing what stands out in all others',
    without: 'const isDamaged = false;',
    test: { file: 'test/store/what-approvers-see.services.ts', name: 'a row is named in the review of its run' },
  },
  {
    id: 'look-alikes-alarm',
    against: 'a fraudster whose name differs from that of a known supplier in a letter is paid as a new beneficiary',
    without: '',
    test: { file: 'test/store/catalogue.services.ts', name: 'two letters exchanged' },
  },
  {
    id: 'look-alikes-before-proposal',
    against: 'a run is decided on before anybody could be told that a name in it looks like that of a known supplier',
    without: '',
    test: { file: 'test/store/catalogue.services.ts', name: 'two letters exchanged' },
  },
  {
    id: 'invoices-paid-once',
    against: 'an invoice is paid a second time, since its number or its amount is written otherwise',
    without: 'false,',
    test: { file: 'test/store/catalogue.services.ts', name: 'the same invoice a cent apart' },
  },
];
