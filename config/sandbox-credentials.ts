import type { Credentials } from '../provider/calls/authentication.ts';

/** The credentials of the sandbox's first account. A provider account with this access key is a sandbox's. */
export const SANDBOX_CREDENTIALS: Credentials = {
  apiKey: 'sandbox-api-key',
  accessKeyId: 'sandbox-access-key-id',
  secretAccessKey: 'sandbox-secret-access-key',
};
