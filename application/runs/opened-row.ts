import type { KnownBeneficiary } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import { unlessUnreadable } from '../../store/personal-data/key-wrapping.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import { openBeneficiary, openContent } from '../../store/runs/row-content.ts';
import type { StoredRow } from '../../store/runs/run-rows.ts';

/** A row with what it has of its payee. */
export interface OpenedRow extends StoredRow {
  cells: readonly string[];
  /** Null: the row is invalid, or its data is erased. */
  instruction: PaymentInstruction | null;
  /** As the row describes the beneficiary, or as the provider shows the one that it names. */
  known: KnownBeneficiary | null;
}

/** @throws DataKeyMissing, DecryptionFailed */
export function openedRow(payees: PayeeData, row: StoredRow): OpenedRow {
  const content = openContent(payees, row);
  const beneficiary = content?.instruction?.beneficiary;
  return {
    ...row,
    cells: content?.cells ?? [],
    instruction: content?.instruction ?? null,
    known: beneficiary?.kind === 'details' ? beneficiary.details : openBeneficiary(payees, row),
    errorMessage: content === null ? 'its data was erased' : (row.errorMessage ?? content.problems),
  };
}

/** As `openedRow`, for lists: one that cannot be read is shown with what is plain of it. */
export function listedRow(payees: PayeeData, row: StoredRow): OpenedRow {
  const errorMessage =
    'what it has of its payee cannot be read: it is damaged, or its key is missing (payrun keys check)';
  return unlessUnreadable(() => openedRow(payees, row), {
    ...row,
    ...{ cells: [], instruction: null, known: null, errorMessage },
  });
}
