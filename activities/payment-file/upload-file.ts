import { activityInfo } from '@temporalio/activity';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { forgetUploadUrl, markUploaded, readUploads } from '../../store/payments/file-uploads.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import { readFile } from '../../store/runs/supporting-files.ts';
import { payeesOf } from '../payments/payee-data.ts';
import { refuseUnapproved } from '../approvals/approved-row.ts';
import { callProvider } from '../calls/call-provider.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { isDenied } from '../calls/failure-meaning.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { approvedFileOf } from './approved-file.ts';

/** Attempts at one URL whose host does not answer. */
const MAX_ATTEMPTS_PER_URL = 2;

/**
 * `url_expired`: the URL has expired, request another one. `no_answer`: the same after a pause, since its host did not
 * answer. `not_approved`: the file is not the approved one, and the payment is held. `stopped`: a stop is active, or the data
 * key is missing, and nothing was sent.
 */
export type UploadOutcome = 'uploaded' | 'url_expired' | 'no_answer' | 'not_approved' | 'stopped';

/**
 * Uploads a payment's n-th file to its URL. The storage host is not the provider's API: it gets no credentials, and the
 * request does not count against the rate limit. A repeated upload replaces the same file. The bytes are hashed before they
 * are sent, and only approved bytes are sent.
 */
export function uploadFileActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf } = dependencies;
  return async function uploadFile(input: { paymentId: string; file: number }): Promise<UploadOutcome> {
    const approved = await approvedFileOf(dependencies, input);
    if (approved.kind === 'not_approved') return 'not_approved';
    if (approved.kind === 'stopped') return 'stopped';
    const { payment, details, sha256 } = approved;
    const { paymentId, account, runId } = payment;
    const upload = (await readUploads(database, paymentId)).find(({ name }) => name === details.name);
    if (upload === undefined) return 'url_expired';
    if (upload.isUploaded) return 'uploaded';
    const stored = await readFile(database, await payeesOf(dependencies), runId, details.name);
    if (stored === null) throw new Error(`payment ${paymentId}: its file number ${input.file} has no content`);
    const { bytes } = stored;
    // guard: bytes-as-approved
    if (contentSha256(bytes) !== sha256) {
      await refuseUnapproved(database, payment, 'upload');
      return 'not_approved';
    }
    const reply = await callProvider(
      (options) =>
        provider(account).simplePayments.uploadFile(
          { uploadUrl: upload.uploadUrl, contentType: details.contentType, bytes },
          options,
        ),
      // guard: upload-file-unless-stopped
      unlessStopped(database, payment),
    );
    const { fileId } = upload;
    if (!(reply instanceof ProviderFailure)) {
      const fileMac = macOf(account).of('file', paymentId, details.name, sha256, fileId);
      return (await markUploaded(database, paymentId, { fileId, mac: fileMac })) ? 'uploaded' : 'url_expired';
    }
    if (wasStopped(reply)) return 'stopped';
    // Storage hosts report an expired URL by different status codes.
    const isExpired = isDenied(reply);
    if (!isExpired && activityInfo().attempt < MAX_ATTEMPTS_PER_URL) throw retryLater(reply);
    await forgetUploadUrl(database, paymentId, fileId);
    return isExpired ? 'url_expired' : 'no_answer';
  };
}
