/** The storage has no path of the API: files go to the address that was issued for them. */
export const uploadOperation = 'simple-payment-upload-file';

export const documentUploadOperation = 'document-upload-file';
export const documentDownloadOperation = 'document-download-file';

/** Uploads are answered without a body. */
export const uploadOperations: readonly string[] = [uploadOperation, documentUploadOperation];

/** No token comes to the storage. */
export const storageOperations: readonly string[] = [...uploadOperations, documentDownloadOperation];
