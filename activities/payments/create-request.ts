import { referenceIdOf } from '../../domain/payments/payment-identity.ts';
import type { PaymentInstruction } from '../../domain/payments/payment-instruction.ts';
import type { Mac } from '../../provider/mac.ts';
import type { Queryable } from '../../store/database/database.ts';
import { type FileUpload, forgetUpload, readUploads } from '../../store/payments/file-uploads.ts';
import type { ApprovedContent } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';

/**
 * The body of the create request. With `uniqueReferenceId` the provider refuses a second payment under the same reference,
 * whatever else goes wrong. Null when a supporting file is not uploaded as it was approved. Contract: payments 2.6.
 */
export async function createRequestOf(
  database: Queryable,
  mac: Mac,
  of: { payment: PaymentRecord; quoteId: string; instruction: PaymentInstruction; approved: ApprovedContent },
) {
  const { payment, quoteId, instruction, approved } = of;
  const files = await uploadedFiles(database, mac, payment, instruction, approved);
  if (files === null) return null;
  return {
    quoteId,
    referenceId: referenceIdOf(payment.paymentId, payment.attempt),
    // guard: reference-is-unique
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
  mac: Mac,
  { paymentId }: PaymentRecord,
  { supportingFiles }: PaymentInstruction,
  approved: ApprovedContent,
): Promise<string[] | null> {
  if (supportingFiles.length === 0) return [];
  const uploads = await readUploads(database, paymentId);
  const ids = supportingFiles.map((name) => {
    const upload = uploads.find((candidate) => candidate.name === name);
    // guard: file-mac
    return upload?.isUploaded === true && hasValidUploadMac(mac, paymentId, upload, approved) ? upload.fileId : null;
  });
  return ids.includes(null) ? null : (ids as string[]);
}

/** The MAC of an uploaded file covers the hash of the bytes that a worker sent. */
function hasValidUploadMac(mac: Mac, paymentId: string, upload: FileUpload, approved: ApprovedContent): boolean {
  const sha256 = approved.files[upload.name];
  return sha256 !== undefined && mac.matches(upload.mac, 'file', paymentId, upload.name, sha256, upload.fileId);
}

/** Forgets the uploads without a valid MAC, so that those files are uploaded again. */
export async function forgetFilesWithoutMac(
  database: Queryable,
  mac: Mac,
  { payment, approved }: { payment: PaymentRecord; approved: ApprovedContent },
): Promise<void> {
  for (const upload of await readUploads(database, payment.paymentId)) {
    if (hasValidUploadMac(mac, payment.paymentId, upload, approved)) continue;
    await forgetUpload(database, payment.paymentId, upload.fileId);
  }
}
