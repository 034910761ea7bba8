import { beneficiaryName } from '../../domain/beneficiaries/beneficiary-name.ts';
import { shownAccountOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { RowMark } from '../../domain/runs/run-finding.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { iso } from '../iso-time.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import { deliveryOf } from './delivery.ts';
import type { OpenedRow } from './opened-row.ts';

/** A row as users see it who may read instructions. `marks` null: not known yet. */
export function rowSummaryOf(row: OpenedRow, marks: readonly RowMark[] | null): RowSummary {
  const { plain, instruction } = row;
  const isSold = plain?.amountSide === 'sell';
  const { known } = row;
  const account = known === null ? null : shownAccountOf(known);
  const beneficiary = plain?.beneficiary ?? null;
  return {
    paymentId: row.paymentId,
    line: row.line,
    rowRef: row.rowRef,
    state: row.state,
    attempt: row.attempt,
    beneficiary: beneficiaryNameOf(row),
    beneficiaryName: known === null ? null : beneficiaryName(known),
    beneficiaryId: beneficiary?.kind === 'existing' ? beneficiary.beneficiaryId : null,
    sellCurrency: plain?.sellCurrency ?? null,
    sellAmount: row.sellAmount ?? (isSold ? row.amount : null),
    buyCurrency: plain?.buyCurrency ?? null,
    buyAmount: row.buyAmount ?? (isSold ? null : row.amount),
    expected: row.expected,
    payOn: plain?.payOn ?? null,
    bankAccount: account,
    country: account?.country ?? null,
    reference: instruction?.paymentReference ?? null,
    purpose: plain?.purposeOfTransfer ?? null,
    purposeDescription: instruction?.purposeDescription ?? null,
    delivery: deliveryOf(row),
    settings: instruction === null ? null : settingsOf(instruction),
    files: plain?.supportingFiles ?? [],
    marks: marks === null ? null : [...marks],
    isMasked: false,
    errorCode: row.errorCode,
    errorMessage: row.errorMessage,
    returnedAmount: row.returnedAmount,
    returnedAt: iso(row.returnedAt),
  };
}

/** Funding, payment channel and sender, by column name. */
function settingsOf(instruction: PaymentInstruction): Record<string, string> {
  const settings = {
    funding_source: instruction.fundingSource,
    funding_method: instruction.fundingMethod,
    funding_bank_account_number: instruction.fundingBankAccountNumber,
    funding_country: instruction.fundingCountry,
    payment_channel: instruction.paymentChannel,
    sender_user_id: instruction.senderUserId,
  };
  return Object.fromEntries(Object.entries(settings).filter((entry): entry is [string, string] => entry[1] !== null));
}

/** The row without the beneficiary, bank details, reference, purpose, settings, files and message, for users who may not read them. */
export function maskedRow<Row extends RowSummary>(row: Row): Row {
  return {
    ...row,
    beneficiary: null,
    beneficiaryName: null,
    beneficiaryId: null,
    bankAccount: null,
    country: null,
    reference: null,
    purpose: null,
    purposeDescription: null,
    delivery: null,
    settings: null,
    files: null,
    // The provider's message may name people and accounts.
    errorMessage: null,
    isMasked: true,
  };
}

function beneficiaryNameOf({ plain, instruction }: OpenedRow): string | null {
  if (plain?.beneficiary.kind === 'existing') return plain.beneficiary.beneficiaryId;
  return instruction?.beneficiary.kind === 'details'
    ? instruction.beneficiary.details.bankAccount.bankAccountHolderName
    : null;
}
