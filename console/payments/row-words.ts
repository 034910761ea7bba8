import type { ManualOutcomeKind } from '../../api/payments/manual-outcome.ts';
import type { ShownAccount } from '../../api/runs/review.ts';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import { capitalized } from '../../domain/capitalized.ts';

/** How people can say that an unknown payment ended, and what follows for the row. */
export const OUTCOMES: readonly { value: ManualOutcomeKind; label: string; consequence: string }[] = [
  {
    value: 'paid',
    label: 'Paid: the provider has paid it',
    consequence: 'The row counts as paid. Whoever submits the same payment again is warned of a duplicate.',
  },
  {
    value: 'rejected',
    label: 'Rejected: the provider has refused it, and will not pay it',
    consequence:
      'The row counts as not paid, and may be submitted again. If the provider pays it after all, it is paid twice.',
  },
  {
    value: 'failed',
    label: 'Failed: the provider could not carry it out, and will not pay it',
    consequence:
      'The row counts as not paid, and may be submitted again. If the provider pays it after all, it is paid twice.',
  },
  {
    value: 'never_created',
    label: 'Never created: the provider does not have the payment',
    consequence:
      'The row counts as not paid, and may be submitted again. If the provider has it after all, it is paid twice.',
  },
];

export function labelOf(outcome: ManualOutcomeKind): string {
  return OUTCOMES.find(({ value }) => value === outcome)?.label ?? outcome;
}

export function consequenceOf(outcome: string | null): string | null {
  return OUTCOMES.find(({ value }) => value === outcome)?.consequence ?? null;
}

/** Names what a dialog about an outcome is about: the row, and all that is known of how it ended, but for how often one looked. */
export function evidenceOf(row: RowDetail): string {
  const { line, state, attempt, errorCode, providerPaymentId, providerStatus, requests, manualOutcomes } = row;
  const open = manualOutcomes.find((each) => each.state === 'proposed')?.manualOutcomeId;
  const answers = requests.map(({ operation, attempt: of, outcome, httpStatus }) => [
    operation,
    of,
    outcome,
    httpStatus,
  ]);
  return JSON.stringify([line, state, attempt, errorCode, providerPaymentId, providerStatus, answers, open ?? null]);
}

export function beneficiaryOf({
  beneficiaryName,
  beneficiary,
  isMasked,
}: Pick<RowSummary, 'beneficiaryName' | 'beneficiary'> & Partial<Pick<RowSummary, 'isMasked'>>): string {
  return beneficiaryName ?? beneficiary ?? (isMasked === true ? 'not shown' : 'not known');
}

/** The IBAN, else the account number with the codes of its bank. Never cut, because people decide by it. */
export function accountText(account: ShownAccount | null): string | null {
  if (account === null) return null;
  const { iban, accountNumber, bankCode } = account;
  return iban ?? (accountNumber === null || bankCode === null ? accountNumber : `${accountNumber} (${bankCode})`);
}

/** Each field that is set, by its name in words; a nested one follows the name of what it is in. */
export function instructionFields(record: object, within = ''): [name: string, value: string][] {
  return Object.entries(record).flatMap(([key, value]: [string, unknown]): [string, string][] => {
    const name = `${within}${key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`;
    if (Array.isArray(value)) return value.length === 0 ? [] : [[capitalized(name), value.join(', ')]];
    if (typeof value === 'object' && value !== null) {
      return instructionFields(value, key === 'beneficiary' || key === 'details' ? within : `${name}: `);
    }
    return typeof value === 'string' || typeof value === 'number' ? [[capitalized(name), String(value)]] : [];
  });
}
