import { checkBeneficiary, type Destination } from './check-beneficiary.ts';
import { checkCells } from './check-cells.ts';
import { checkFiles } from './check-files.ts';
import {
  checkAmount,
  checkAmountSide,
  checkChannel,
  checkCurrency,
  checkFunding,
  checkFundingCountry,
  checkPair,
  checkPayOn,
  checkProviderId,
  checkPurpose,
  checkRowRef,
} from './check-payment.ts';
import { checkReference, referenceUse } from './check-references.ts';
import { checkRequirements, type RequirementMemory } from './check-requirements.ts';
import type { PaymentInstruction } from '../payments/payment-instruction.ts';
import type { RawRow } from './raw-row.ts';
import type { ReferenceData } from './reference-data.ts';
import { patternCache } from './requirement-pattern.ts';
import { byPlace, type RowProblem } from './row-problem.ts';
import { RowUnderCheck } from './row-validation.ts';
import type { SupportingFile } from './supporting-file.ts';

export interface CheckContext {
  reference: ReferenceData;
  /** The supporting files given with the run, by name. */
  files: ReadonlyMap<string, SupportingFile>;
  /** YYYY-MM-DD, in the team's own time zone. */
  today: string;
}

export interface CheckedRow {
  row: RawRow;
  /** Null when the row has a problem. */
  instruction: PaymentInstruction | null;
  /** Everything that is wrong with the row, in the order of the columns. */
  problems: RowProblem[];
  /** What a person should know and the row may still be paid with, in the same order. */
  warnings: RowProblem[];
}

/**
 * Checks every row by every rule, so that one round of corrections is enough, and answers them one by one in their
 * order. Contract: payments 2.1, 2.5 and 2.6.
 */
export function* checkRows(rows: readonly RawRow[], context: CheckContext): Generator<CheckedRow, void, undefined> {
  const memory: RequirementMemory = { patternOf: patternCache(), warned: new Set() };
  const elsewhere = referenceUse(rows);
  for (const row of rows) {
    const check = new RowUnderCheck(row);
    const instruction = checkRow(check, context, memory);
    checkReference(check, elsewhere);
    const problems = check.problems.sort(byPlace);
    const warnings = check.warnings.sort(byPlace);
    yield { row, instruction: problems.length === 0 ? instruction : null, problems, warnings };
  }
}

/** The instruction that the row gives; null only together with a problem. */
function checkRow(check: RowUnderCheck, context: CheckContext, memory: RequirementMemory): PaymentInstruction | null {
  const { reference } = context;
  checkCells(check);
  const rowRef = checkRowRef(check);
  const amountSide = checkAmountSide(check);
  const sellCurrency = checkCurrency(check, 'sell_currency', reference);
  const buyCurrency = checkCurrency(check, 'buy_currency', reference);
  if (sellCurrency !== null && buyCurrency !== null) checkPair(check, sellCurrency, buyCurrency, reference);
  const fixedCurrency = amountSide === null ? null : amountSide === 'sell' ? sellCurrency : buyCurrency;
  const amount = checkAmount(check, fixedCurrency, reference);
  const paymentReference = check.needed('payment_reference');
  const purposeOfTransfer = checkPurpose(check);
  const funding = checkFunding(check);
  const paymentChannel = checkChannel(check);
  checkProviderId(check, 'sender_user_id');
  checkPayOn(check, context.today);
  const supportingFiles = checkFiles(check, context.files);
  const { beneficiary, destination } = checkBeneficiary(check, buyCurrency);
  checkFundingCountry(check, [check.text('beneficiary_country'), check.text('bank_country')]);
  if (destination !== null) checkDestination(check, destination, reference, memory);
  if (rowRef === null || amountSide === null || sellCurrency === null || buyCurrency === null || amount === null) {
    return null;
  }
  if (paymentReference === null || purposeOfTransfer === null || funding === null || beneficiary === null) return null;
  return {
    rowRef,
    line: check.row.line,
    amount,
    amountSide,
    sellCurrency,
    buyCurrency,
    paymentReference,
    purposeOfTransfer,
    purposeDescription: check.textOrNull('purpose_description'),
    fundingSource: funding.source,
    fundingMethod: funding.method,
    fundingBankAccountNumber: check.textOrNull('funding_bank_account_number'),
    fundingCountry: check.textOrNull('funding_country'),
    paymentChannel,
    senderUserId: check.textOrNull('sender_user_id'),
    supportingFiles,
    payOn: check.textOrNull('pay_on'),
    echo: check.textOrNull('echo'),
    beneficiary,
  };
}

/** Rules that depend on where the money goes; of a beneficiary named by id only the provider knows that. */
function checkDestination(
  check: RowUnderCheck,
  destination: Destination,
  reference: ReferenceData,
  memory: RequirementMemory,
): void {
  checkRequirements(check, destination, reference, memory);
  const local = `${destination.corridor.currency}-${destination.corridor.beneficiaryCountry}`;
  if (check.text('payment_channel') === 'LOCAL' && !reference.localCurrencies.has(local)) {
    check.refuse('payment_channel', {
      code: 'local_unsupported',
      problem: `the provider has no LOCAL channel for ${local}`,
      fix: 'use SWIFT-SHA or SWIFT-OUR, or leave it empty for the provider to decide',
    });
  }
}
