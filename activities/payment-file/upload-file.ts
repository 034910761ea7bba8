import { activityInfo } from '@temporalio/activity';
import { dayOf } from '../../domain/payments/pay-day.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { forgetUploadUrl, markUploaded, readFileContent, readUploads } from '../../store/payments/file-uploads.ts';
import { contentSha256 } from '../../store/runs/row-identity.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import { callProvider, retryLater, unlessStopped, wasStopped } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { approvedFileOf } from './payment-file.ts';

/** At one address, of which no answer comes. */
const TRIES_AT_ONE_ADDRESS = 2;

/**
 * `address_over`: ask for another address. `no_answer`: the same, after a while, as this one's host did not answer.
 * `not_approved`: the file is not the one that was approved, and the payment is set aside. `stopped`: a stop holds, and
 * nothing was sent.
 */
export type UploadOutcome = 'uploaded' | 'address_over' | 'no_answer' | 'not_approved' | 'stopped';

/**
 * Puts a payment's n-th file to the address given for it, which is not the provider's API: no credentials go there,
 * and it does not count against the limit. Uploading again replaces the same file. The bytes are hashed as they are
 * sent, and nothing but what was approved leaves.
 */
export function uploadFileActivity({ database, provider, seal, now }: ActivityDependencies) {
  return async function uploadFile(input: { paymentId: string; file: number }): Promise<UploadOutcome> {
    const found = await approvedFileOf(database, input, dayOf(now()));
    if (found.kind === 'not_approved') return 'not_approved';
    const { payment, facts, sha256 } = found;
    const { paymentId, account, runId } = payment;
    const upload = (await readUploads(database, paymentId)).find((candidate) => candidate.name === facts.name);
    if (upload === undefined) return 'address_over';
    if (upload.isUploaded) return 'uploaded';
    if (found.isStopped) return 'stopped';
    const bytes = await readFileContent(database, runId, facts.name);
    if (bytes === null) throw new Error(`payment ${paymentId}: its file number ${input.file} has no content`);
    if (contentSha256(bytes) !== sha256) {
      await refuseUnapproved(database, payment, 'upload');
      return 'not_approved';
    }
    const sent = await callProvider(
      (options) =>
        provider(account).simplePayments.uploadFile(
          { uploadUrl: upload.uploadUrl, contentType: facts.contentType, bytes },
          options,
        ),
      unlessStopped(database, payment),
    );
    const { fileId } = upload;
    if (!(sent instanceof ProviderFailure)) {
      const fileSeal = seal(account).of('file', paymentId, facts.name, sha256, fileId);
      return (await markUploaded(database, paymentId, { fileId, seal: fileSeal })) ? 'uploaded' : 'address_over';
    }
    if (wasStopped(sent)) return 'stopped';
    // Storage says in its own ways that an address is over.
    const isOver = sent.kind === 'refused' || sent.kind === 'unauthenticated';
    if (!isOver && activityInfo().attempt < TRIES_AT_ONE_ADDRESS) throw retryLater(sent);
    await forgetUploadUrl(database, paymentId, fileId);
    return isOver ? 'address_over' : 'no_answer';
  };
}
