import type { Explanation } from '../explanation.ts';
import type { FindingKind } from './run-finding.ts';

/** Why a finding is shown before a run is approved, and what its approver should do. */
export const FINDING_EXPLANATIONS: Readonly<Record<FindingKind, Explanation>> = {
  file_submitted_before: {
    cause:
      'The same file, byte by byte, and the same sheet or block of it, is that of an earlier run of this account, which was neither rejected ' +
      'nor expired.',
    fix:
      'Look at the earlier run: `payrun show` with its id. If it pays these payments, reject this one. Rows that were paid are held as ' +
      'suspected duplicates; those that failed, or were cancelled, would be paid now.',
  },
  split_below_rule: {
    cause:
      'The maker submitted other runs for this account within seven days, or the run pays one bank account in several rows. Taken ' +
      'together, the policy asks for other approvals than it asks for this run alone: the sum may have been split to avoid them. ' +
      'It is shown while the run waits for a decision.',
    fix: 'Look at the parts together. If they are one purchase, reject the run, and have it submitted as a whole.',
  },
  new_profile: {
    cause:
      'The sheet has headers of its own, and the profile that read it decides who is paid, or how much. No run of this account that ' +
      'was read by it has been approved: it is new, or something in it was changed.',
    fix:
      'Compare what it says with the headers and some rows of the sheet. Your approval covers it: from then on sheets with ' +
      'these headers are read by it. If a column is read as another one, reject the run.',
  },
  file_notes: {
    cause:
      'Lines of the file were not read as payments (sums, titles, notes, repeated headers, rows that its maker took out of a draft), ' +
      'or it has what is easily overlooked, such as hidden sheets.',
    fix: 'Look at them in the sheet. If a payment is among them, reject the run, and have the sheet corrected.',
  },
  account_changed: {
    cause:
      'The beneficiary was paid before under this name, or a run that was approved will pay it, and this account was never paid under it. ' +
      'This is how invoice fraud looks.',
    fix: 'Ask the beneficiary by a telephone number that you knew before the change. Reject the run if they deny it.',
  },
  look_alike: {
    cause:
      'The name was never paid, and people take it for one that was, that the book of beneficiaries has, or for another one of this file, ' +
      'which has another account: it differs in a letter, or in letters that are drawn alike. This is how fraudsters pass for a supplier.',
    fix: 'Compare both names letter by letter. Ask the supplier by a telephone number that you knew before, and reject the run if they deny it.',
  },
  names_not_compared: {
    cause:
      'More names of earlier rows share a part with the names of these rows than are compared (1,000 with the same part, and 200 of those ' +
      'that were paid, are in the file or in the book): a look-alike may be among the others. Made-up names in a file that was ' +
      'withdrawn may be there to hide it.',
    fix: 'Search for a known supplier with a name like it, and compare the accounts: the search of the console finds words of a name.',
  },
  routing_changed: {
    cause:
      'The account was paid before under this name, but with another holder, other bank codes or another intermediary bank.',
    fix: 'Compare both with the invoice, and ask the beneficiary by a contact that you knew before the change.',
  },
  account_has_other_names: {
    cause: 'Several names in this run share one account, or the account was paid before only under other names.',
    fix: 'Find out why this account belongs to the beneficiary. Reject the run if nobody can say.',
  },
  invoice_paid_before: {
    cause:
      'A row with the same invoice number, however it is written, pays the same name or account: in an earlier run of any account, or in ' +
      'this file. The amount may differ, and so may the side that is fixed.',
    fix: 'Compare both with the invoice. If it was paid, exclude the row, or reject the run.',
  },
  released_duplicate: {
    cause:
      'A checker released suspected duplicates in one act: the rows may pay something a second time. The reason is the answer to this alarm.',
    fix: 'Read the reason that the checker gave, and compare the rows with `payrun show RUN --row REF`.',
  },
  details_unknown: {
    cause:
      'The row names its beneficiary by id, and the bank account cannot be shown: the provider was not asked, has no such ' +
      'beneficiary, or shows no account.',
    fix: 'Look the beneficiary up with the provider, or reject the run and have the row name the account itself.',
  },
  unusual_amount: {
    cause:
      'The amount is more than three times the largest of the last 12 amounts paid to this beneficiary in this currency.',
    fix: 'Compare it with its document: a decimal point may be in the wrong place.',
  },
  check_warning: {
    cause:
      'The check of the file warned of these cells. The warning, which the submitter saw as well, says what is unusual.',
    fix: 'Compare the cells with the documents, and ask the submitter. A row with warnings only is paid.',
  },
  similar_payment: {
    cause:
      'Nearly the same amount (within 1 %) was paid to this account within 60 days, or may still be paid, or the same reference was used ' +
      'in several approved runs, as that of a contract is. The policy may say otherwise (`duplicates`), and that regular payments are shown so.',
    fix: 'Compare the payments: one may be the other with a charge, or with a typing mistake.',
  },
  row_unreadable: {
    cause:
      'What is stored of these rows is damaged, so nobody can see whom they pay. Nothing else is looked for in them, and the run cannot be ' +
      'approved.',
    fix:
      'Reject the run, and have its file submitted again. Tell whoever operates payrun: something changed the database. `payrun keys check` ' +
      'says what else cannot be read.',
  },
  failed_before: {
    cause:
      'A row with the same `row_ref` failed or was rejected in an earlier run, and nothing was changed in it, nor in its files.',
    fix:
      'Find out why it failed: `payrun show RUN --row REF` of the earlier run says it. If the row was the reason, reject the run ' +
      'and have it corrected, as it will fail again.',
  },
  new_beneficiary: {
    cause: 'Neither the name nor the account was ever paid.',
    fix: 'Make sure that the beneficiary is a supplier or employee of yours. Your approval policy may ask for more approvals.',
  },
  pays_later: {
    cause: 'Rows have a later day in `pay_on`. They are paid on that day, in this run.',
    fix: 'Check the days. An approval covers these rows as well.',
  },
};
