import type { CallOptions } from './api-call.ts';
import { answerOf, type ExchangeLimits } from './api-caller.ts';
import { checked, InvalidRequest } from './invalid-request.ts';
import { failureOfAnswer, isSuccess } from './refusal.ts';
import type { Transport } from './transport.ts';
import { fileSizeBytes, mediaType, type OnWarning, warnOfSize } from './upload-url.ts';

export interface FileToUpload {
  /** As `uploadUrl` returned it. */
  uploadUrl: string;
  contentType: string;
  bytes: Uint8Array;
}

export interface FileUploader {
  transport: Transport;
  limits: ExchangeLimits;
  /** Whether an address without encryption is acceptable: only when the API's own has none. */
  plainHttpAllowed: boolean;
  /** The storage provider's word in `x-<word>-storage-class`; when absent it is read from the address. */
  storagePrefix?: string | undefined;
  secrets: readonly string[];
  now: () => number;
  onWarning?: OnWarning | undefined;
}

const OPERATION = 'simple-payment-upload-file';

/**
 * Sends a file to the storage that the address names. The address itself is the permission: no credential goes with
 * it, and no redirect is followed. May be repeated while the address is valid. Contract: payments 4.4.
 */
export function createFileUpload(uploader: FileUploader): (file: FileToUpload, options?: CallOptions) => Promise<void> {
  return async (file, options = {}) => {
    const url = addressOf(file.uploadUrl, uploader.plainHttpAllowed);
    const contentType = checked(OPERATION, mediaType, file.contentType);
    warnOfSize(checked(OPERATION, fileSizeBytes, file.bytes.length), uploader.onWarning);
    const prefix = uploader.storagePrefix ?? storagePrefixOf(url);
    if (prefix === null) {
      throw new InvalidRequest(OPERATION, 'uploadUrl', 'its storage provider cannot be told; configure storagePrefix');
    }
    const answer = await answerOf(OPERATION, options, (exchange) =>
      exchange(() =>
        uploader.transport.exchange({
          ...uploader.limits,
          method: 'PUT',
          url,
          headers: { 'Content-Type': contentType, [`x-${prefix}-storage-class`]: 'STANDARD' },
          body: file.bytes,
          timeoutMs: uploader.limits.uploadTimeoutMs,
          ...(options.signal === undefined ? {} : { signal: options.signal }),
        }),
      ),
    );
    if (isSuccess(answer)) return;
    throw failureOfAnswer(OPERATION, answer, { nowMs: uploader.now(), secrets: uploader.secrets });
  };
}

function addressOf(uploadUrl: string, plainHttpAllowed: boolean): URL {
  const url = URL.canParse(uploadUrl) ? new URL(uploadUrl) : null;
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && plainHttpAllowed)) return url;
  throw new InvalidRequest(OPERATION, 'uploadUrl', 'give the https address that uploadUrl returned');
}

/** From the names (or the list of signed headers) in the query of a signed address, as `X-Abc-Signature`. */
export function storagePrefixOf(url: URL): string | null {
  for (const [name, value] of url.searchParams) {
    const listed = /x-([a-z0-9]+)-storage-class/i.exec(value);
    if (/-SignedHeaders$/i.test(name) && listed?.[1] !== undefined) return listed[1].toLowerCase();
  }
  for (const name of url.searchParams.keys()) {
    const prefix = /^X-([a-z0-9]+)-(?:Signature|SignedHeaders)$/i.exec(name)?.[1];
    if (prefix !== undefined) return prefix.toLowerCase();
  }
  return null;
}
