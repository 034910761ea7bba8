import { dayOf } from '../../domain/payments/pay-day.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { readUploads, saveUploadUrl } from '../../store/payments/file-uploads.ts';
import { callProvider, refusalWords, retryLater, unlessStopped, wasStopped } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { asForbiddenRow } from '../approvals/forbidden-row.ts';
import { approvedFileOf } from './payment-file.ts';
import { transitionIfCurrent } from '../payments/record-if-current.ts';

/** Addresses live for about five minutes; one that is nearly over is replaced. */
const URL_IS_FRESH_MS = 120_000;

export interface UploadUrlOutcome {
  ended: PaymentState | null;
  /** A stop holds, and nothing was sent. */
  isStopped?: boolean;
}

/** Asks where a payment's n-th file may be uploaded. The address is a secret of its own: it stays in the record. */
export function requestUploadUrlActivity({ database, provider, now }: ActivityDependencies) {
  return async function requestUploadUrl(input: { paymentId: string; file: number }): Promise<UploadUrlOutcome> {
    const found = await approvedFileOf(database, input, dayOf(now()));
    if (found.kind === 'not_approved') return { ended: found.state };
    const { payment, facts, isStopped } = found;
    const { paymentId } = payment;
    const known = (await readUploads(database, paymentId)).find((upload) => upload.name === facts.name);
    if (known !== undefined && (known.isUploaded || known.ageMs < URL_IS_FRESH_MS)) return { ended: null };
    if (isStopped) return { ended: null, isStopped };
    const answered = await callProvider(
      (options) =>
        provider(payment.account).simplePayments.uploadUrl(
          { fileName: facts.name, contentType: facts.contentType, contentLength: facts.sizeBytes },
          options,
        ),
      unlessStopped(database, payment),
    );
    const sent = await asForbiddenRow(database, payment, answered);
    if (!(sent instanceof ProviderFailure)) {
      const { fileId, uploadUrl } = sent.value;
      await saveUploadUrl(database, { paymentId, name: facts.name, fileId, uploadUrl });
      return { ended: null };
    }
    if (wasStopped(sent)) return { ended: null, isStopped: true };
    if (sent.kind !== 'refused') throw retryLater(sent);
    await transitionIfCurrent(database, { paymentId, to: 'held', kind: 'file_refused', facts: refusalWords(sent) });
    return { ended: 'held' };
  };
}
