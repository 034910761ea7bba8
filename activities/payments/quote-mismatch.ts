import { isSameMoney } from '../../domain/money.ts';
import type { PaymentErrorCode } from '../../domain/payments/payment-error-codes.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Quote } from '../../provider/payments/simple-payment-fields.ts';

export interface QuoteMismatch {
  code: PaymentErrorCode;
  message: string;
}

/** Why the quote must not be used for the approved payment; null: it may be used. */
export function quoteMismatchOf(
  quote: Quote,
  instruction: PaymentInstruction,
  beneficiaryId: string,
): QuoteMismatch | null {
  const fixed = instruction.amountSide === 'sell' ? quote.sellAmount : quote.buyAmount;
  const isAsApproved =
    // guard: quoted-amount
    isSameMoney(fixed, instruction.amount) &&
    // guard: quoted-sell-currency
    quote.sellCurrency === instruction.sellCurrency &&
    // guard: quoted-buy-currency
    quote.buyCurrency === instruction.buyCurrency &&
    // guard: quoted-beneficiary
    quote.beneficiaryId === beneficiaryId;
  // guard: quote-as-approved
  if (!isAsApproved)
    return { code: 'quote_differs', message: 'the quote is for another payment than the one that was approved' };
  // guard: documents-where-wanted
  const documentsMissing = quote.supportingDocumentsRequired === true && instruction.supportingFiles.length === 0;
  return documentsMissing
    ? { code: 'documents_required', message: 'the provider wants supporting documents: name them in supporting_files' }
    : null;
}
