import { counted } from '../counted.ts';
import { type FileNotes, type FindingKind, type NewProfile, type RunFinding, takesAnswer } from './run-finding.ts';

interface FindingWords {
  title: string;
  cause: string;
  fix: string;
}

export const FINDING_WORDS: Readonly<Record<FindingKind, FindingWords>> = {
  file_submitted_before: {
    title: 'The same file was submitted before',
    cause:
      'An earlier run of this account has exactly this file, and the same sheet of it, and was neither rejected nor expired.',
    fix: 'Look at the earlier run: if it pays these payments, reject this one.',
  },
  split_below_rule: {
    title: 'More approvals, were it not in parts',
    cause:
      'With other runs of its maker, or with what it pays to one bank account added up, the policy asks for other approvals.',
    fix: 'Look at the parts together. If they are one purchase, reject this run, and have it submitted as a whole.',
  },
  new_profile: {
    title: 'Read in a new way',
    cause: 'The sheet has headers of its own. No run that was read like this has been approved.',
    fix: 'Compare it with the headers and some rows of the sheet. Once approved, such sheets are read like this.',
  },
  file_notes: {
    title: 'Of the file',
    cause:
      'The check of the file noted this. What was left out is not paid; rows that are hidden are paid as all others.',
    fix: 'Look at them in the sheet. If a payment is among them, reject the run, and have the sheet corrected.',
  },
  account_changed: {
    title: 'Changed bank account',
    cause:
      'The beneficiary was paid before under this name, or is about to be, and never at this account. This is how invoice fraud looks.',
    fix: 'Ask the beneficiary by a telephone number that you knew before the change.',
  },
  look_alike: {
    title: 'Looks like another beneficiary',
    cause:
      'The name was never paid, and differs in a letter, or in letters that are drawn alike, from one that has another account.',
    fix: 'Compare both names letter by letter, and ask the supplier by a telephone number that you knew before.',
  },
  names_not_compared: {
    title: 'Not compared with all names',
    cause:
      'So many names share a part with those of these rows that a look-alike of a known supplier may be overlooked.',
    fix: 'Search for a known supplier with a name like it, and compare the accounts.',
  },
  routing_changed: {
    title: 'Changed bank details',
    cause: 'The account was paid before, with another holder, other bank codes or another intermediary bank.',
    fix: 'Compare both with the invoice, and ask the beneficiary by a contact that you knew before.',
  },
  account_has_other_names: {
    title: 'One account, several names',
    cause: 'Several names in this run share one account, or the account was paid before only under other names.',
    fix: 'Find out why this account belongs to the beneficiary.',
  },
  invoice_paid_before: {
    title: 'Invoice paid before',
    cause: 'A row with the same invoice number pays the same name or account, whatever the amount.',
    fix: 'Compare both with the invoice. If it was paid, exclude the row, or reject the run.',
  },
  released_duplicate: {
    title: 'Released duplicate',
    cause: 'A checker released suspected duplicates: the rows may pay something a second time.',
    fix: 'Read the reason that was given, and compare the rows.',
  },
  details_unknown: {
    title: 'Bank account not known',
    cause: 'The row names its beneficiary by an id, and the bank account cannot be shown.',
    fix: 'Look the beneficiary up with the provider, or have the row name the account itself.',
  },
  unusual_amount: {
    title: 'Unusual amount',
    cause: 'More than three times the largest of the last 12 amounts that were paid to this beneficiary.',
    fix: 'Compare it with its document: a decimal point may be in the wrong place.',
  },
  check_warning: {
    title: 'Warning of the file check',
    cause: 'The check of the file found these cells unusual, and they are paid as they are.',
    fix: 'Compare them with the documents, and ask who submitted the file.',
  },
  similar_payment: {
    title: 'Like an earlier payment',
    cause:
      'Nearly the same amount was paid to this account lately, as regular payments are, or the same reference was used several times.',
    fix: 'Compare the payments: one may be the other with a charge, or with a typing mistake.',
  },
  row_unreadable: {
    title: 'Cannot be read',
    cause: 'What is stored of these rows is damaged: nobody can see whom they pay. The run cannot be approved.',
    fix: 'Reject the run, and have its file submitted again. Tell whoever operates payrun: something changed the database.',
  },
  failed_before: {
    title: 'Failed before, unchanged',
    cause: 'The same rows failed or were rejected in an earlier run. Nothing was changed in them, nor in their files.',
    fix: 'Find out why they failed: if the rows were the reason, they will fail again.',
  },
  new_beneficiary: {
    title: 'First payment',
    cause: 'Neither the name nor the account was ever paid.',
    fix: 'Make sure that the beneficiary is a supplier or employee of yours.',
  },
  pays_later: {
    title: 'Paid on a later day',
    cause: 'These rows are paid on their day, in this run.',
    fix: 'Check the days. An approval covers these rows as well.',
  },
};

/** Why a bank account cannot be shown. */
export const WHY_UNKNOWN: Readonly<Record<Extract<RunFinding, { kind: 'details_unknown' }>['reason'], string>> = {
  not_read: 'The provider could not be asked for it.',
  no_such_beneficiary: 'The provider does not know this id.',
  no_account_shown: 'The provider shows no bank account for it.',
};

/** How a warning is answered mostly. */
export function usualAnswersTo(kind: FindingKind): readonly string[] {
  return kind === 'file_submitted_before'
    ? ['Compared with the earlier run: nothing is paid twice', 'The earlier run has paid nothing']
    : kind === 'new_profile'
      ? ['Compared with the sheet: every column is read as what it is']
      : kind === 'split_below_rule'
        ? ['Looked at all of them: they are separate purchases', 'Their whole was approved by who approves such sums']
        : ['Called them by a known number', 'Compared with the signed contract', 'Known change of bank'];
}

/** Names a finding by all that it says: one that differs in anything, be it in a row or a day, is another one. */
export function keyOfFinding(finding: RunFinding): string {
  return JSON.stringify(finding);
}

export function subjectOf(finding: RunFinding): string {
  if (finding.kind === 'released_duplicate' && finding.rowCount > 1) {
    return `${finding.name} and ${counted(finding.rowCount - 1, 'more row')}`;
  }
  if ('name' in finding) return finding.name;
  if (finding.kind === 'file_submitted_before') {
    const { runs, runCount } = finding;
    const [last] = runs;
    return `${last === undefined ? '' : `${last.fileName}, run ${last.runId}`}${runCount > 1 ? ` and ${counted(runCount - 1, 'more run')}` : ''}`;
  }
  if (finding.kind === 'split_below_rule') {
    const { rule, ruleTogether, currency, total, runCount } = finding;
    const others = runCount === 0 ? '' : ` with ${counted(runCount, 'other run')}`;
    return `${total} ${currency}${others}: ${ruleInWords(ruleTogether)} instead of ${ruleInWords(rule)}`;
  }
  if (finding.kind === 'check_warning')
    return `${finding.column === null ? '' : `${finding.column}: `}${finding.problem}`;
  if (finding.kind === 'file_notes') return counted(finding.noteCount, 'note about the file', 'notes about the file');
  if (finding.kind === 'names_not_compared') {
    return `${counted(finding.rowCount, 'row')} not compared with all names that may look alike`;
  }
  if (finding.kind === 'row_unreadable') return `${counted(finding.rowCount, 'row')} cannot be read`;
  if (finding.kind === 'failed_before') {
    const { rowCount } = finding;
    return `${counted(rowCount, 'row')} failed before, and nothing was changed in ${rowCount === 1 ? 'it' : 'them'}`;
  }
  if (finding.kind === 'account_has_other_names') return finding.names.map(({ name }) => name).join(', ');
  return finding.kind === 'details_unknown' ? finding.beneficiaryId : finding.day;
}

function ruleInWords(rule: string | null): string {
  return rule === null ? 'no rule' : `the rule "${rule}"`;
}

/** Alarming findings that are answered before an approval, each with its key. */
export function findingsToAnswer(findings: readonly RunFinding[]): { key: string; finding: RunFinding }[] {
  return findings
    .map((finding) => ({ key: keyOfFinding(finding), finding }))
    .filter(({ finding }) => takesAnswer(finding.kind));
}

/** A line for each note, and how many are not listed. */
export function noteLines({ notes, noteCount }: FileNotes): string[] {
  const lines = notes.map(({ line, problem }) => (line === 0 ? problem : `line ${line}: ${problem}`));
  return noteCount > notes.length ? [...lines, `and ${counted(noteCount - notes.length, 'more note')}`] : lines;
}

/** How a sheet was read, a line for each column. */
export function profileLines({ isChange, columns, amounts }: NewProfile): string[] {
  if (columns.length === 0) return ['What is stored of it is damaged.'];
  const said = (text: string | null) => text ?? 'nothing';
  if (isChange) {
    return [
      'All else is read as in the last approved run. What changed:',
      ...columns.map(({ column, from, before }) => `${column}: ${said(from)}; before: ${said(before)}`),
    ];
  }
  const lines = columns.map(({ column, from }) => `${column}: ${said(from)}`);
  return amounts === null ? lines : [...lines, `amounts are written like ${amounts}`];
}
