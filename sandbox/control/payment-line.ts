import type { SimplePayment } from '../account/simple-payment.ts';

/** The summary of a payment: amounts, status, and how often it was funded and refunded. */
export const paymentLine = (payment: SimplePayment): Record<string, unknown> => {
  const { quote } = payment;
  return {
    id: payment.id,
    referenceId: payment.instruction.referenceId ?? null,
    status: payment.status,
    reason: payment.reason,
    sellCurrency: quote.sell.code,
    sellAmount: quote.sellAmount.toFixed(quote.sell.decimalPlaces),
    buyCurrency: quote.buy.code,
    buyAmount: quote.buyAmount.toFixed(quote.buy.decimalPlaces),
    totalAmount: quote.totalAmount.toFixed(quote.sell.decimalPlaces),
    timesFunded: payment.timesFunded,
    timesRefunded: payment.timesRefunded,
  };
};

/** The summary with beneficiary, reference and files, for comparing it with what was approved. */
export const detailedPaymentLine = (payment: SimplePayment): Record<string, unknown> => {
  const { bankAccount, address } = payment.beneficiary;
  return {
    ...paymentLine(payment),
    paymentReference: payment.instruction.paymentReference,
    beneficiaryAccount: bankAccount.iban ?? bankAccount.accountNumber ?? null,
    beneficiaryAddress: address ?? null,
    files: payment.instruction.files ?? [],
  };
};
