import type { CallOptions } from '../calls/api-call.ts';
import type { FileToUpload } from '../payment-file/file-upload.ts';
import { checked } from '../calls/invalid-request.ts';
import { failureOfAnswer, isSuccess } from '../calls/http-answer.ts';
import {
  exchangeWithStorage,
  type StorageAccess,
  storageSecrets,
  storageTarget,
} from '../payment-file/storage-exchange.ts';
import { fileSizeBytes, mediaType, type OnWarning, warnAboutSize } from '../payment-file/upload-url.ts';

/** How a document's file is uploaded, which the contract does not show. By default: PUT with its media type. */
export interface DocumentUploadStyle {
  method?: 'PUT' | 'POST';
  /** Headers in addition to the media type. */
  headers?: Readonly<Record<string, string>>;
}

export interface DocumentStorage extends StorageAccess {
  style: DocumentUploadStyle;
  onWarning?: OnWarning | undefined;
}

export interface DownloadedFile {
  bytes: Uint8Array;
  contentType: string | null;
}

/** Contract: account 2.6, 4.4. Both throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface DocumentFileCalls {
  /** Sends the raw bytes. Can be repeated while the address is valid; an update of the document invalidates it. */
  uploadFile(file: FileToUpload, options?: CallOptions): Promise<void>;
  /** The file at a `downloadUrl`, or null if none has been uploaded. If refused, read the document again. */
  downloadFile(downloadUrl: string, options?: CallOptions): Promise<DownloadedFile | null>;
}

/** @throws RangeError when the style would send a credential */
export function createDocumentFileCalls(storage: DocumentStorage): DocumentFileCalls {
  const { style, hosts, secrets, now, onWarning } = storage;
  for (const name of Object.keys(style.headers ?? {})) {
    if (!/^(authorization|x-api-key|cookie)$/i.test(name)) continue;
    throw new RangeError(`documentUpload.headers.${name}: leave it out; no credential is sent to a storage`);
  }
  return {
    uploadFile: async (file, options = {}) => {
      const operation = 'document-upload-file';
      const target = await storageTarget(operation, 'uploadUrl', file.uploadUrl, hosts);
      const contentType = checked(operation, mediaType, file.contentType);
      warnAboutSize(checked(operation, fileSizeBytes, file.bytes.length), onWarning);
      const headers = { 'Content-Type': contentType, ...style.headers };
      const request = { operation, method: style.method ?? 'PUT', target, headers, body: file.bytes } as const;
      const answer = await exchangeWithStorage(storage, request, options);
      if (!isSuccess(answer))
        throw failureOfAnswer(operation, answer, { nowMs: now(), secrets: storageSecrets(secrets, target.url) });
    },
    downloadFile: async (downloadUrl, options = {}) => {
      const operation = 'document-download-file';
      const target = await storageTarget(operation, 'downloadUrl', downloadUrl, hosts);
      const answer = await exchangeWithStorage(storage, { operation, method: 'GET', target, headers: {} }, options);
      if (answer.status === 404) return null;
      if (!isSuccess(answer))
        throw failureOfAnswer(operation, answer, { nowMs: now(), secrets: storageSecrets(secrets, target.url) });
      return { bytes: answer.bytes, contentType: answer.headers['content-type'] ?? null };
    },
  };
}
