import type { Client } from '@temporalio/client';
import type { DocumentRequirements } from '../domain/onboarding/document-requirements.ts';
import type { DeliveryError } from '../domain/notifications/delivery-errors.ts';
import type { CodeMail } from '../domain/users/code-mail.ts';
import type { CalendarOverrides } from '../domain/treasury/calendar-overrides.ts';
import type { HolidaysOf } from '../domain/treasury/currency-calendar.ts';
import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import type { Database } from '../store/database/database.ts';
import type { DailyLimit } from '../store/users/daily-uses.ts';
import type { Reviews } from './runs/reviews.ts';

/** What the application is built from. */
export interface ApplicationDependencies {
  database: Database;
  temporal: Client;
  /** The keys that encrypt personal data of onboarding; null: none is configured. */
  dataKeys: DataKeys | null;
  /** The configured provider accounts; the first is the default. */
  accounts: readonly {
    name: string;
    requestsPerSecond: number;
    requestsPerDay: number;
    requestsReservedPerDay: number;
  }[];
  /** When banks do business. */
  calendars: { overrides: CalendarOverrides; holidaysOf: HolidaysOf };
  /** The sign-in of the company (OpenID Connect); null or absent: none is configured. */
  companySignIn?: CompanySignIn | null;
  /** Sends a code to sign in to its user. Null or absent: the server has no mail server, and who makes a code sees it. */
  mailCode?: ((mail: CodeMail) => Promise<DeliveryError | null>) | null;
  /** Milliseconds since the epoch. */
  now: () => number;
  settings: ApplicationSettings;
}

/** The sign-in of the company (OpenID Connect). */
export interface CompanySignIn {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Of the button. */
  name: string;
}

/** For use cases that show rows with their marks. */
export interface ReviewingDependencies extends ApplicationDependencies {
  reviews: Reviews;
}

/** What one user may ask for in a day, and how large the database may become. */
export interface Quotas {
  uploads: DailyLimit;
  reports: DailyLimit;
  /** Null: how large its disk is, is not known. */
  databaseLimitBytes: number | null;
  /** What stays free of it for what is there already. */
  databaseReserveBytes: number;
}

export interface ApplicationSettings {
  /** A run that nobody decides on expires after this. */
  decisionWithinMs: number;
  /** The maximum of a run's payments that are begun and not yet funded. */
  concurrencyLimitOf: (account: string) => number;
  /** How old the provider's lists (currencies, requirements) may be. */
  referenceMaxAgeMs: number;
  /** Which documents applicants must give. */
  documentRequirements: DocumentRequirements;
  /** For how long a sign-up without an answer holds the others of its account; as workers have it. */
  unansweredSignUpMs: number;
  /** Hosts of webhooks that may be in a private network, and be reached by http; absent: none. */
  privateHosts?: readonly string[];
  /** By up to how much Temporal delays starts of schedules, so that many do not start at once; absent: a minute. */
  scheduleJitterMs?: number;
  /** What one user may ask for in a day, and how large the database may become; absent: no limits. */
  quotas?: Quotas;
  /** What the webhooks of an account may take in the database in a day; null or absent: any number of bytes. */
  webhookBytesPerDay?: number | null;
  /** How long a draft is kept that nobody changes; absent: 7 days. */
  draftMaxAgeMs?: number;
  /** Temporal's own interface, for links to workflows; null or absent: none is configured. */
  temporalUiUrl?: string | null;
  /** The server's address as its users reach it, for links in mails; null or absent: no links. */
  publicUrl?: string | null;
  /** How long a submission waits for the provider's lists. */
  referenceTimeoutMs: number;
}
