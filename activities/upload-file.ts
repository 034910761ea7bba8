import { ProviderFailure } from '../provider/failure.ts';
import { forgetUploadUrl, markUploaded, readFileContent, readUploads } from '../store/file-uploads.ts';
import { callProvider, retryLater } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { fileOfPayment } from './payment-file.ts';

/**
 * Puts a payment's n-th file to the address given for it, which is not the provider's API: no credentials go there,
 * and it does not count against the limit. Uploading again replaces the same file. `address_over`: ask for another.
 */
export function uploadFileActivity({ database, provider }: ActivityDependencies) {
  return async function uploadFile(input: { paymentId: string; file: number }): Promise<'uploaded' | 'address_over'> {
    const { payment, facts } = await fileOfPayment(database, input);
    const { paymentId, account, runId } = payment;
    const upload = (await readUploads(database, paymentId)).find((candidate) => candidate.name === facts.name);
    if (upload === undefined) return 'address_over';
    if (upload.isUploaded) return 'uploaded';
    const bytes = await readFileContent(database, runId, facts.name);
    if (bytes === null) throw new Error(`payment ${paymentId}: its file number ${input.file} has no content`);
    const sent = await callProvider((options) =>
      provider(account).simplePayments.uploadFile(
        { uploadUrl: upload.uploadUrl, contentType: facts.contentType, bytes },
        options,
      ),
    );
    if (!(sent instanceof ProviderFailure)) {
      return (await markUploaded(database, paymentId, upload.fileId)) ? 'uploaded' : 'address_over';
    }
    // Storage says in its own ways that an address is over.
    if (sent.kind !== 'refused' && sent.kind !== 'unauthenticated') throw retryLater(sent);
    await forgetUploadUrl(database, paymentId, upload.fileId);
    return 'address_over';
  };
}
