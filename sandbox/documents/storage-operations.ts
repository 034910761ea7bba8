/** The storage is not part of the API: files are uploaded to the URL that was issued for them. */
export const uploadOperation = 'simple-payment-upload-file';

export const documentUploadOperation = 'document-upload-file';
export const documentDownloadOperation = 'document-download-file';

/** Their answers have no body. */
export const uploadOperations: readonly string[] = [uploadOperation, documentUploadOperation];

/** Requests to the storage carry no token. */
export const storageOperations: readonly string[] = [...uploadOperations, documentDownloadOperation];
