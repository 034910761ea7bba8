import type { VariableDescription } from './variable-description.ts';

/** What the variables set that say how the provider does what its contract leaves open. */
export const PROVIDER_VARIANTS = {
  PAYRUN_PROVIDER_DATE_FORMAT: {
    group: 'Variants of the provider',
    default: '`DD-MM-YYYY`',
    sets: "how days in a user's details are written: `DD-MM-YYYY` or `YYYY-MM-DD`; both are read",
  },
  PAYRUN_PROVIDER_UPLOAD_METHOD: {
    group: 'Variants of the provider',
    default: '`PUT`',
    sets: 'how files of identity documents are sent: `PUT` or `POST`',
  },
  PAYRUN_PROVIDER_UPLOAD_HEADERS: {
    group: 'Variants of the provider',
    default: 'none',
    sets: 'headers that are sent with files of identity documents, as a JSON object; no credentials',
  },
  PAYRUN_PROVIDER_UPLOAD_HOSTS: {
    group: 'Variants of the provider',
    default: 'every public host',
    sets: 'the only hosts that files are sent to: a comma list of names; `*.example.com` means all names below it',
  },
  PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: {
    group: 'Variants of the provider',
    default: 'read from the upload address',
    sets: 'the word in the header `x-<word>-storage-class` that supporting files are sent with',
  },
  PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: {
    group: 'Variants of the provider',
    default: 'none: such a request cannot be read',
    sets: 'path at which the request for a virtual account is read, with `:requestId` in it',
  },
} satisfies Readonly<Record<string, VariableDescription>>;
