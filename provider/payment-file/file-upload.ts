import type { CallOptions } from '../calls/api-call.ts';
import { checked, InvalidRequest } from '../calls/invalid-request.ts';
import { failureOfAnswer, isSuccess } from '../calls/http-answer.ts';
import { exchangeWithStorage, type StorageAccess, storageSecrets, storageTarget } from './storage-exchange.ts';
import { fileSizeBytes, mediaType, type OnWarning, warnAboutSize } from './upload-url.ts';

export interface FileToUpload {
  /** As `uploadUrl` returned it. */
  uploadUrl: string;
  contentType: string;
  bytes: Uint8Array;
}

export interface FileUploader extends StorageAccess {
  /** The storage provider's name in `x-<name>-storage-class`; if absent, it is read from the address. */
  storagePrefix?: string | undefined;
  onWarning?: OnWarning | undefined;
}

const OPERATION = 'simple-payment-upload-file';

/**
 * Uploads a file to its address. Can be repeated while the address is valid. Contract: payments 4.4.
 * @throws ProviderFailure, and InvalidRequest before anything is sent
 */
export function createFileUpload(uploader: FileUploader): (file: FileToUpload, options?: CallOptions) => Promise<void> {
  return async (file, options = {}) => {
    const target = await storageTarget(OPERATION, 'uploadUrl', file.uploadUrl, uploader.hosts);
    const contentType = checked(OPERATION, mediaType, file.contentType);
    warnAboutSize(checked(OPERATION, fileSizeBytes, file.bytes.length), uploader.onWarning);
    const prefix = uploader.storagePrefix ?? storagePrefixOf(target.url);
    if (prefix === null) {
      throw new InvalidRequest(
        OPERATION,
        'uploadUrl',
        'it does not show its storage provider; configure storagePrefix',
      );
    }
    const headers = { 'Content-Type': contentType, [`x-${prefix}-storage-class`]: 'STANDARD' };
    const request = { operation: OPERATION, method: 'PUT', target, headers, body: file.bytes } as const;
    const answer = await exchangeWithStorage(uploader, request, options);
    if (isSuccess(answer)) return;
    const secrets = storageSecrets(uploader.secrets, target.url);
    throw failureOfAnswer(OPERATION, answer, { nowMs: uploader.now(), secrets });
  };
}

/** The name in the query of a signed address: in its signed headers, or in a parameter such as `X-Abc-Signature`. */
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
