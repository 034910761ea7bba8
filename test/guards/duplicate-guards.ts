import type { Guard } from './guard.ts';

const REGULAR_PAYMENTS = 'test/store/regular-payments.services.ts';
const LOOK_ALIKES = 'test/store/look-alikes.services.ts';
const SUBMISSION_NOTE = 'test/store/submission-note.services.ts';

/** Checks of what a run may repeat, and of what is said of it. */
export const DUPLICATE_GUARDS: readonly Guard[] = [
  {
    id: 'run-noted-at-its-end',
    against: 'a server stores a run of which the audit trail says nothing',
    without: '',
    test: { file: SUBMISSION_NOTE, name: 'a run is noted whatever its server does' },
  },
  {
    id: 'equal-files-in-order',
    against: 'of two equal files that are stored at the same moment neither is said to be submitted twice',
    without: '',
    test: { file: SUBMISSION_NOTE, name: 'of equal files that end at the same time' },
  },
  {
    id: 'another-sheet-is-another-file',
    against:
      'approvers learn to answer the alarm of a file that was submitted before, as each second block of an order gives it',
    without: '',
    test: { file: SUBMISSION_NOTE, name: 'another sheet of a workbook was not submitted before' },
  },
  {
    id: 'regular-where-the-policy-says-so',
    against: 'a payment that was made is made again unnoticed, since it is like those of each month',
    without: 'or before.line is not null and not is_regular_payment(in_file.payment_id)',
    test: { file: REGULAR_PAYMENTS, name: 'is suspected unless the policy says otherwise' },
  },
  {
    id: 'regular-in-steady-gaps',
    against: 'a payment that was made a week ago is made again as a regular one',
    without: 'select true',
    test: { file: REGULAR_PAYMENTS, name: 'is suspected where it was paid a week ago' },
  },
  {
    id: 'regular-with-nothing-open',
    against: 'a regular payment that is under way is made a second time',
    without: '',
    test: { file: REGULAR_PAYMENTS, name: 'is suspected where another one is under way' },
  },
  {
    id: 'regular-with-another-invoice',
    against: 'an invoice that was paid is paid again as a regular payment',
    without: '',
    test: { file: REGULAR_PAYMENTS, name: 'is suspected where the invoice was paid' },
  },
  {
    id: 'paid-names-behind-others',
    against: 'made-up names of a file that was withdrawn hide the supplier that a name looks like',
    without: 'where false limit 1) as other',
    test: { file: LOOK_ALIKES, name: 'is found behind a hundred made-up names of a file that was withdrawn' },
    behind: 'incomplete-comparison-alarms',
  },
  {
    id: 'incomplete-comparison-alarms',
    against: 'nobody is told that a name was not compared with all that it may look like',
    without: '',
    test: { file: LOOK_ALIKES, name: 'alarms behind more names than are looked at' },
  },
  {
    id: 'keys-of-each-name-stored',
    against: 'the login of a worker stores a wrong key of a name, so that its look-alikes are never found',
    without: `where run_id = $1 and row_number > $2 and row_number <= $3 and name_hash is not null
  and not exists (select from look_alike_keys known where known.account = payments.account and known.name_hash = payments.name_hash)
order by name_hash, row_number\`,`,
    test: { file: LOOK_ALIKES, name: 'is found although a login of the worker had stored other keys' },
  },
  {
    id: 'names-of-the-book-compared',
    against: 'a name that looks like that of a supplier which two people confirmed is paid as a new beneficiary',
    without: 'where false',
    test: { file: LOOK_ALIKES, name: 'is found once the name is confirmed' },
  },
];
