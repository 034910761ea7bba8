import { ApplicationFailure } from '@temporalio/common';
import { referenceIdOf } from '../domain/payment-identity.ts';
import type { PaymentInstruction } from '../domain/payment-instruction.ts';
import type { Queryable } from '../store/database.ts';
import { readUploads } from '../store/file-uploads.ts';
import type { PaymentRecord } from '../store/payments.ts';

/**
 * The body of the create request. The reference is unique by our own wish, so that the provider refuses a second
 * payment under it whatever else goes wrong. Contract: payments 2.6.
 */
export async function createRequestOf(
  database: Queryable,
  payment: PaymentRecord,
  quoteId: string,
  instruction: PaymentInstruction,
) {
  const files = await uploadedFiles(database, payment, instruction);
  return {
    quoteId,
    referenceId: referenceIdOf(payment.paymentId, payment.attempt),
    uniqueReferenceId: true,
    paymentReference: instruction.paymentReference,
    purposeOfTransfer: instruction.purposeOfTransfer,
    fundingSource: instruction.fundingSource,
    fundingMethod: instruction.fundingMethod,
    ...optional('purposeOfTransferDescription', instruction.purposeDescription),
    ...optional('fundingBankAccountNumber', instruction.fundingBankAccountNumber),
    ...optional('fundingCountry', instruction.fundingCountry),
    ...optional('senderUserId', instruction.senderUserId),
    ...(files.length === 0 ? {} : { files }),
  };
}

function optional<Key extends string>(key: Key, value: string | null): Partial<Record<Key, string>> {
  return value === null ? {} : ({ [key]: value } as Record<Key, string>);
}

async function uploadedFiles(
  database: Queryable,
  payment: PaymentRecord,
  instruction: PaymentInstruction,
): Promise<string[]> {
  if (instruction.supportingFiles.length === 0) return [];
  const uploads = await readUploads(database, payment.paymentId);
  return instruction.supportingFiles.map((name) => {
    const upload = uploads.find((candidate) => candidate.name === name && candidate.isUploaded);
    if (upload === undefined)
      throw ApplicationFailure.nonRetryable(`payment ${payment.paymentId}: a file is not uploaded`, 'file_missing');
    return upload.fileId;
  });
}
