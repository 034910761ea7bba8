import { z } from 'zod';
import type { Account } from '../account/account.ts';
import type { Beneficiary } from '../account/beneficiaries.ts';
import type { Quote } from '../account/quotes.ts';
import type { SimplePayment } from '../account/simple-payment.ts';
import type { SandboxOptions } from '../config/options.ts';
import { invalidField, Refusal } from '../core/refusal.ts';
import type { World } from '../world.ts';
import { shortText, textOf, withExample } from './field-types.ts';
import { currentPurposes, fundingSources, outdatedPurposes } from './purposes.ts';

const paymentFields = {
  fundingSource: z.enum(fundingSources),
  paymentReference: textOf(1, 140),
  quoteId: z.string().min(1),
  purposeOfTransferDescription: textOf(0, 500).nullish(),
  files: z.array(z.string()).max(100).nullish(),
  referenceId: shortText.nullish(),
  uniqueReferenceId: z.boolean().nullish(),
  senderUserId: z.string().nullish(),
  fundingMethod: z.enum(['BANK_TRANSFER', 'PAYNOW']),
  fundingBankAccountNumber: z
    .string()
    .regex(/^[0-9]{0,34}$/, 'must be digits only')
    .nullish(),
  fundingCountry: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter country code')
    .nullish(),
};

const bodyWith = (purposes: readonly string[]) =>
  withExample(
    z.object({
      ...paymentFields,
      purposeOfTransfer: z.enum(purposes as [string, ...string[]], {
        error: 'must be a code of the purpose list, e.g. SUPP',
      }),
    }),
    {
      fundingSource: 'COMPANY_BANK_ACCOUNT',
      paymentReference: 'Invoice 4711',
      quoteId: '00000000-0000-4000-8000-000000000000',
      purposeOfTransfer: 'SUPP',
      fundingMethod: 'PAYNOW',
    },
  );

const strictBody = bodyWith(currentPurposes);
const lenientBody = bodyWith([...currentPurposes, ...outdatedPurposes]);

/** The body that creates a payment, with the accepted purposes. Contract: payments 2.6. */
export const paymentBodyOf = ({ strictPurpose }: SandboxOptions): typeof strictBody =>
  strictPurpose ? strictBody : lenientBody;

type PaymentBody = z.output<typeof strictBody>;

/**
 * Creates a payment and marks its quote as used; a refusal changes nothing.
 * @throws Refusal of the checklist, for the fields first, then for the reference, the quote and the files
 */
export function createPayment(world: World, account: Account, body: PaymentBody): SimplePayment {
  checkFields(body, world.options);
  const existing = duplicateOf(account, body);
  if (existing && world.options.duplicateReference === 'return') return existing;
  if (existing && world.options.duplicateReference === 'refuse') {
    throw new Refusal(409, 'duplicate_reference', 'referenceId: a payment with this referenceId exists already');
  }
  const quote = usableQuote(account, body.quoteId, world.clock.now());
  const beneficiary = quotedBeneficiary(account, quote);
  if (beneficiary.country === 'ID' && !body.fundingCountry) {
    throw invalidField('fundingCountry', 'is required for a beneficiary in Indonesia');
  }
  checkFiles(account, body, world.options.paymentVariant === 'earlier' || quote.documentsRequired);
  quote.used = true;
  return account.payments.create(quote, beneficiary, body);
}

function checkFields(body: PaymentBody, options: SandboxOptions): void {
  const { purposeOfTransfer, fundingBankAccountNumber } = body;
  const isOther = purposeOfTransfer === 'OTH' || purposeOfTransfer === 'OTHR';
  if (options.paymentVariant === 'earlier' && isOther && !body.purposeOfTransferDescription) {
    throw invalidField('purposeOfTransferDescription', 'is required with OTH and OTHR');
  }
  if (body.fundingMethod === 'BANK_TRANSFER' && !fundingBankAccountNumber) {
    throw invalidField('fundingBankAccountNumber', 'is required with fundingMethod BANK_TRANSFER');
  }
  if (body.uniqueReferenceId && !body.referenceId) {
    throw invalidField('referenceId', 'is required with uniqueReferenceId');
  }
}

const duplicateOf = (account: Account, { uniqueReferenceId, referenceId }: PaymentBody): SimplePayment | undefined =>
  uniqueReferenceId && referenceId ? account.payments.withReferenceId(referenceId)[0] : undefined;

function usableQuote(account: Account, quoteId: string, nowMs: number): Quote {
  const quote = account.quotes.get(quoteId);
  if (!quote) throw new Refusal(404, 'quote_not_found', 'quoteId: no such quote was issued');
  if (quote.used) throw new Refusal(409, 'quote_used', 'quoteId: the quote was used already; ask for a new one');
  if (nowMs > quote.expiresAtMs)
    throw new Refusal(400, 'quote_expired', 'quoteId: the quote has expired; ask for a new one');
  return quote;
}

function quotedBeneficiary(account: Account, quote: Quote): Beneficiary {
  const beneficiary = quote.beneficiaryId === null ? undefined : account.beneficiaries.get(quote.beneficiaryId);
  if (beneficiary) return beneficiary;
  throw new Refusal(400, 'beneficiary_mismatch', 'quoteId: the quote names no beneficiary that exists');
}

function checkFiles(account: Account, { files }: PaymentBody, areRequired: boolean): void {
  if (areRequired && !files?.length) throw invalidField('files', 'supporting documents are required for this quote');
  if (files?.some((fileId) => !account.files.get(fileId)?.uploaded)) {
    throw new Refusal(400, 'file_not_uploaded', 'files: lists a file that was not uploaded');
  }
}
