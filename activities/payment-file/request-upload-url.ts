import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { readUploads, saveUploadUrl } from '../../store/payments/file-uploads.ts';
import { callProvider } from '../calls/call-provider.ts';
import { refusalReason } from '../calls/failure-meaning.ts';
import { refusalIfRowForbidden } from '../calls/forbidden-row.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { transitionIfCurrent } from '../payments/record-if-current.ts';
import { approvedFileOf } from './approved-file.ts';

/** Upload URLs are valid for about five minutes; one that is about to expire is replaced. */
const URL_MAX_AGE_MS = 120_000;

export type UploadUrlOutcome =
  /** There is one, or the file is uploaded already. */
  | { kind: 'ready' }
  /** A stop is active, or the data key is missing: nothing was sent. */
  | { kind: 'stopped' }
  | { kind: 'ended'; state: PaymentState };

/** Requests the URL to which a payment's n-th file is uploaded. The URL is a secret: it stays in the database. */
export function requestUploadUrlActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function requestUploadUrl(input: { paymentId: string; file: number }): Promise<UploadUrlOutcome> {
    const approved = await approvedFileOf(dependencies, input);
    if (approved.kind === 'not_approved') return { kind: 'ended', state: approved.state };
    if (approved.kind === 'stopped') return { kind: 'stopped' };
    const { payment, details } = approved;
    const { paymentId } = payment;
    const earlier = (await readUploads(database, paymentId)).find(({ name }) => name === details.name);
    if (earlier !== undefined && (earlier.isUploaded || earlier.ageMs < URL_MAX_AGE_MS)) return { kind: 'ready' };
    const answer = await callProvider(
      (options) =>
        provider(payment.account).simplePayments.uploadUrl(
          { fileName: details.name, contentType: details.contentType, contentLength: details.sizeBytes },
          options,
        ),
      // guard: request-upload-url-unless-stopped
      unlessStopped(database, payment),
    );
    const reply = await refusalIfRowForbidden(database, payment, answer);
    if (!(reply instanceof ProviderFailure)) {
      const { fileId, uploadUrl } = reply.value;
      await saveUploadUrl(database, { paymentId, name: details.name, fileId, uploadUrl });
      return { kind: 'ready' };
    }
    if (wasStopped(reply)) return { kind: 'stopped' };
    if (reply.kind !== 'refused') throw retryLater(reply);
    const held = { to: 'held', update: refusalReason(reply) } as const;
    return { kind: 'ended', state: await transitionIfCurrent(database, { paymentId, kind: 'file_refused', ...held }) };
  };
}
