import type { AccountEntry } from './accounts-file.ts';
import { VARIABLE_DESCRIPTIONS } from './variable-descriptions.ts';

/** What each key of an account in payrun.yaml sets, as docs/configuration.md lists them. */

export interface AccountKeyDescription {
  /** Null: there is none. */
  default: string | null;
  sets: string;
}

const CREDENTIAL_FILE = 'path of the file that holds it; for workers alone';
const CREDENTIAL_ENV = 'name of the environment variable that holds it, in place of the file; for workers alone';

const {
  PAYRUN_API_CA_FILE,
  PAYRUN_REQUESTS_PER_SECOND,
  PAYRUN_REQUESTS_PER_DAY,
  PAYRUN_REQUESTS_RESERVED_PER_DAY,
  PAYRUN_WEBHOOK_TOKEN,
  PAYRUN_PROVIDER_UPLOAD_HOSTS,
  PAYRUN_PROVIDER_UPLOAD_METHOD,
  PAYRUN_PROVIDER_UPLOAD_HEADERS,
  PAYRUN_PROVIDER_DATE_FORMAT,
  PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX,
  PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH,
} = VARIABLE_DESCRIPTIONS;

export const ACCOUNT_DESCRIPTIONS: Readonly<Record<keyof AccountEntry, AccountKeyDescription>> = {
  api_url: { default: null, sets: "address of the provider's API; required" },
  api_key_file: { default: null, sets: `the API key: ${CREDENTIAL_FILE}` },
  api_key_env: { default: null, sets: `the API key: ${CREDENTIAL_ENV}` },
  access_key_id_file: { default: null, sets: `the access key id: ${CREDENTIAL_FILE}` },
  access_key_id_env: { default: null, sets: `the access key id: ${CREDENTIAL_ENV}` },
  secret_access_key_file: { default: null, sets: `the secret access key: ${CREDENTIAL_FILE}` },
  secret_access_key_env: { default: null, sets: `the secret access key: ${CREDENTIAL_ENV}` },
  webhook_token_file: {
    default: PAYRUN_WEBHOOK_TOKEN.default,
    sets: 'path of the file that holds the secret part of the webhook address, another one for each account',
  },
  webhook_token_env: { default: null, sets: 'name of the environment variable that holds it, in place of the file' },
  webhook_headers_file: {
    default: 'none',
    sets: 'path of the file that holds the headers that every webhook must carry, as a JSON object of names and values',
  },
  webhook_headers_env: {
    default: null,
    sets: 'name of the environment variable that holds them, in place of the file',
  },
  ca_file: PAYRUN_API_CA_FILE,
  requests_per_second: PAYRUN_REQUESTS_PER_SECOND,
  requests_per_day: PAYRUN_REQUESTS_PER_DAY,
  requests_reserved_per_day: PAYRUN_REQUESTS_RESERVED_PER_DAY,
  upload_hosts: {
    default: PAYRUN_PROVIDER_UPLOAD_HOSTS.default,
    sets: 'the only hosts that files are sent to: a list of names; `*.example.com` means all names below it',
  },
  upload_method: PAYRUN_PROVIDER_UPLOAD_METHOD,
  upload_headers: {
    default: PAYRUN_PROVIDER_UPLOAD_HEADERS.default,
    sets: 'headers that are sent with files of identity documents, as names and values; no credentials',
  },
  date_format: PAYRUN_PROVIDER_DATE_FORMAT,
  storage_class_prefix: PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX,
  virtual_account_path: PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH,
};

/** Two accounts, with every secret given by reference. */
export const ACCOUNTS_FILE_EXAMPLE = `accounts:
  europe:
    api_url: https://api.europe.example
    api_key_file: /run/secrets/europe-api-key
    access_key_id_file: /run/secrets/europe-access-key-id
    secret_access_key_file: /run/secrets/europe-secret-access-key
    webhook_token_file: /run/secrets/europe-webhook-token
    requests_per_second: 10
    requests_per_day: 200000
    upload_hosts: [files.europe.example, '*.storage.example']
  asia:
    api_url: https://api.asia.example
    api_key_env: ASIA_API_KEY
    access_key_id_env: ASIA_ACCESS_KEY_ID
    secret_access_key_env: ASIA_SECRET_ACCESS_KEY
    webhook_token_env: ASIA_WEBHOOK_TOKEN
    date_format: YYYY-MM-DD
`;
