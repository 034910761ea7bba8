import { checkAccountFieldsAgree } from './check-bank-account.ts';
import { checkBeneficiary, type Destination } from './check-beneficiary.ts';
import type { BeneficiaryBook } from '../beneficiaries/beneficiary-book.ts';
import { fillFromBook } from './fill-from-book.ts';
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
import { checkDelivery, checkTexts } from './check-texts.ts';
import { checkRowRefIsUnique } from './check-row-refs.ts';
import { checkRequirements, columnsAskedFor, type RequirementCache } from './check-requirements.ts';
import type { PaymentInstruction } from '../payments/payment-instruction.ts';
import type { RawRow } from './raw-row.ts';
import type { ReferenceData } from './reference-data.ts';
import { patternCache } from './requirement-pattern.ts';
import { byPosition, type RowProblem } from './row-problem.ts';
import type { RowRefs } from './row-refs.ts';
import { RowValidation } from './row-validation.ts';
import type { SupportingFile } from './supporting-file.ts';

export interface CheckContext {
  reference: ReferenceData;
  /** The supporting files submitted with the run, by name. */
  files: ReadonlyMap<string, SupportingFile>;
  /** Of the beneficiaries that the rows name by their keys. */
  book: BeneficiaryBook;
  /** YYYY-MM-DD, in the time zone of the account. */
  today: string;
}

export interface CheckedRow {
  row: RawRow;
  /** Null when the row has a problem. */
  instruction: PaymentInstruction | null;
  /** Every error of the row, in the order of the columns. */
  problems: RowProblem[];
  /** Do not stop the row from being paid; in the same order. */
  warnings: RowProblem[];
}

/**
 * Checks each row of a file against every rule, so that one round of corrections is enough. `rowRefs`: those of all rows.
 * Contract: payments 2.1, 2.5 and 2.6.
 */
export function rowChecker(context: CheckContext, rowRefs: RowRefs): (row: RawRow) => CheckedRow {
  const cache: RequirementCache = { patternOf: patternCache(), warned: new Set() };
  return (row) => {
    const filled = fillFromBook(row, context.book);
    const validation = new RowValidation(filled.row);
    if (filled.issue !== null) validation.addError('beneficiary_key', filled.issue);
    const instruction = checkRow(validation, context, cache);
    checkRowRefIsUnique(validation, rowRefs.otherOf(row));
    const problems = validation.errorsToCorrect().sort(byPosition);
    const warnings = validation.warnings.sort(byPosition);
    return { row, instruction: problems.length === 0 ? instruction : null, problems, warnings };
  };
}

/** The instruction given by the row; null only if the row has an error. */
function checkRow(row: RowValidation, context: CheckContext, cache: RequirementCache): PaymentInstruction | null {
  const { reference } = context;
  checkCells(row);
  const rowRef = checkRowRef(row);
  const amountSide = checkAmountSide(row);
  const sellCurrency = checkCurrency(row, 'sell_currency', reference);
  const buyCurrency = checkCurrency(row, 'buy_currency', reference);
  if (sellCurrency !== null && buyCurrency !== null) checkPair(row, sellCurrency, buyCurrency, reference);
  const fixedCurrency = amountSide === null ? null : amountSide === 'sell' ? sellCurrency : buyCurrency;
  const amount = checkAmount(row, fixedCurrency, reference);
  const paymentReference = row.require('payment_reference');
  const purposeOfTransfer = checkPurpose(row);
  const funding = checkFunding(row);
  const paymentChannel = checkChannel(row);
  checkProviderId(row, 'sender_user_id');
  checkPayOn(row, context.today);
  checkTexts(row);
  const supportingFiles = checkFiles(row, context.files);
  const { beneficiary, destination } = checkBeneficiary(row, buyCurrency);
  checkFundingCountry(row, [row.text('beneficiary_country'), row.text('bank_country')]);
  if (destination !== null) checkDestination(row, destination, reference, cache);
  else checkAccountFieldsAgree(row, null);
  if (rowRef === null || amountSide === null || sellCurrency === null || buyCurrency === null || amount === null) {
    return null;
  }
  if (paymentReference === null || purposeOfTransfer === null || funding === null || beneficiary === null) return null;
  return {
    rowRef,
    line: row.line,
    amount,
    amountSide,
    sellCurrency,
    buyCurrency,
    paymentReference,
    purposeOfTransfer,
    purposeDescription: row.textOrNull('purpose_description'),
    fundingSource: funding.source,
    fundingMethod: funding.method,
    fundingBankAccountNumber: row.textOrNull('funding_bank_account_number'),
    fundingCountry: row.textOrNull('funding_country'),
    paymentChannel,
    senderUserId: row.textOrNull('sender_user_id'),
    supportingFiles,
    payOn: row.textOrNull('pay_on'),
    echo: row.textOrNull('echo'),
    beneficiary,
  };
}

/** Rules that depend on the destination, which only the provider knows for a beneficiary named by id. */
function checkDestination(
  row: RowValidation,
  destination: Destination,
  reference: ReferenceData,
  cache: RequirementCache,
): void {
  checkAccountFieldsAgree(row, columnsAskedFor(destination, reference, cache));
  checkDelivery(row, destination);
  checkRequirements(row, destination, reference, cache);
  const local = `${destination.corridor.currency}-${destination.corridor.beneficiaryCountry}`;
  if (row.text('payment_channel') === 'LOCAL' && !reference.localCurrencies.has(local)) {
    row.addError('payment_channel', {
      code: 'local_unsupported',
      problem: `the provider has no LOCAL channel for ${local}`,
      fix: 'use SWIFT-SHA or SWIFT-OUR, or leave it empty for the provider to decide',
    });
  }
}
