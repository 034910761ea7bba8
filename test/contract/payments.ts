import type { NewBeneficiary } from '../../provider/beneficiaries/beneficiary-fields.ts';
import type { NewSimplePayment, QuoteRequest, SimplePayment } from '../../provider/payments/simple-payment-fields.ts';
import type { ContractContext } from './contract-context.ts';

/** Beneficiaries and payments for cases to start with. */

/** Longer than a funded payment or conversion takes. */
export const LONG_ENOUGH_MS = 12_000;

export const aBeneficiary: NewBeneficiary = {
  country: 'DE',
  entityType: 'company',
  companyName: 'Schmidt Papier GmbH',
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Commerzbank',
    bankAccountHolderName: 'Schmidt Papier GmbH',
    iban: 'DE89370400440532013000',
  },
};

/** Amounts whose last two digits determine how a funded payment ends. All others complete. */
export const amountThatIs = {
  completed: '100.00',
  rejected: '100.13',
  failed: '100.14',
  documented: '100.15',
} as const;

export const storedBeneficiary = async (
  context: ContractContext,
  differences: Partial<NewBeneficiary> = {},
): Promise<string> => (await context.client.beneficiaries.create({ ...aBeneficiary, ...differences })).beneficiaryId;

/** Uploads a supporting file, and returns its id. */
export async function uploadedFile(context: ContractContext): Promise<string> {
  const { simplePayments } = context.client;
  const { uploadUrl, fileId } = await simplePayments.uploadUrl({ fileName: 'invoice.pdf' });
  const bytes = Buffer.from('an invoice');
  await simplePayments.uploadFile({ uploadUrl, contentType: 'application/pdf', bytes });
  return fileId;
}

/** 100 US dollars to a German company, with the differences given. */
export async function aQuoteRequest(
  context: ContractContext,
  differences: Partial<QuoteRequest> = {},
): Promise<QuoteRequest> {
  const beneficiaryId =
    differences.beneficiaryId === undefined ? await storedBeneficiary(context) : differences.beneficiaryId;
  const amount = amountThatIs.completed;
  return { sellCurrency: 'USD', buyCurrency: 'EUR', amount, fixedSide: 'sell', ...differences, beneficiaryId };
}

/** The request to create a payment from a new quote, with a file, since quotes may require one. */
export async function anInstruction(
  context: ContractContext,
  quote: Partial<QuoteRequest> = {},
): Promise<NewSimplePayment> {
  const { quoteId } = await context.client.simplePayments.quote(await aQuoteRequest(context, quote));
  return {
    quoteId,
    fundingSource: 'COMPANY_BANK_ACCOUNT',
    paymentReference: 'Invoice 4711',
    purposeOfTransfer: 'SUPP',
    fundingMethod: 'PAYNOW',
    files: [await uploadedFile(context)],
  };
}

export const aPayment = async (
  context: ContractContext,
  quote: Partial<QuoteRequest> = {},
  differences: Partial<NewSimplePayment> = {},
): Promise<SimplePayment> =>
  context.client.simplePayments.create({ ...(await anInstruction(context, quote)), ...differences });

/** A payment that was funded and has ended. */
export async function anEndedPayment(context: ContractContext, amount: string): Promise<SimplePayment> {
  const { simplePaymentId } = await aPayment(context, { amount });
  await context.client.simplePayments.fund({ simplePaymentId });
  await context.advance(LONG_ENOUGH_MS);
  return context.client.simplePayments.item(simplePaymentId);
}
