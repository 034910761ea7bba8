import type { VariableDescription } from './variable-description.ts';

/** What may be stored and asked for in a day, and how large the database may become. */
export const QUOTA_DESCRIPTIONS = {
  PAYRUN_WEBHOOK_MB_PER_DAY: {
    group: 'Webhooks',
    default: '512',
    sets: 'how many MiB the webhooks of an account may take in the database in a day (UTC); further ones are refused. 0: any number',
  },
  PAYRUN_UPLOADS_PER_DAY: {
    group: 'Limits and times',
    default: '2000',
    sets: 'how many requests with files one user may send in a day (UTC): payment files, drafts and their changes, applicants; 0: any number',
  },
  PAYRUN_UPLOAD_MB_PER_DAY: {
    group: 'Limits and times',
    default: '4096',
    sets: 'how many MiB these requests of one user may have in a day together; 0: any number',
  },
  PAYRUN_REPORTS_PER_DAY: {
    group: 'Limits and times',
    default: '1000',
    sets: 'how many dry runs of conversions, files of reconciliation, files of results and templates for a country one user may ask for in a day (UTC); 0: any number',
  },
  PAYRUN_DATABASE_LIMIT_MB: {
    group: 'Limits and times',
    default: 'none: how large the disk of the database is, is not known',
    sets: 'how many MiB the database may take: [no files are received](running.md#http) while less than the reserve is left of it',
  },
  PAYRUN_DATABASE_RESERVE_MB: {
    group: 'Limits and times',
    default: '2048',
    sets: 'the part of PAYRUN_DATABASE_LIMIT_MB that stays for paying, stopping and deciding what is there',
  },
} as const satisfies Readonly<Record<string, VariableDescription>>;
