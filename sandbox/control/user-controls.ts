import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Account } from '../account/account.ts';
import { type CompanyDetails, companyFields, detailFields, type User, type UserStatus } from '../account/user.ts';
import type { Document } from '../documents/document-book.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';

/** A user in the control call `users`. What a person or a company gave is there as SHA-256 in hex, by field. */
export interface UserLine {
  readonly userId: string;
  readonly accountId: string;
  /** Of the e-mail in lower case. */
  readonly emailSha256: string;
  readonly accountType: 'individual' | 'company';
  readonly status: UserStatus;
  /** Only fields with a value. */
  readonly details: Readonly<Record<string, string>>;
  /** Null for an individual. Only fields with a value, among them companyName. */
  readonly company: Readonly<Record<string, string>> | null;
  /** Oldest first. */
  readonly documents: readonly DocumentLine[];
}

/** `sha256`, `sizeBytes` and `contentType` of the last upload; null before the first. */
export interface DocumentLine {
  readonly documentId: string;
  readonly documentType: string;
  readonly documentName: string;
  readonly sha256: string | null;
  readonly sizeBytes: number | null;
  readonly contentType: string | null;
}

/** The control call that reports users, for tests that compare them with what was sent. */
export function addUserControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'users',
    summary: 'Every user with their documents, oldest first; what they gave as SHA-256 only',
    perform: ({ account }) => account.users.all().map((user) => userLine(account, user)),
  });
}

/** As it is now, also where reading shows it later. */
function userLine(account: Account, user: User): UserLine {
  const { id, accountId, email, status, details, company } = user;
  return {
    userId: id,
    accountId,
    emailSha256: sha256Of(email.toLowerCase()),
    accountType: company === null ? 'individual' : 'company',
    status,
    details: hashesOf(detailFields.map((field) => [field, details[field]])),
    company: company === null ? null : hashesOf([['companyName', company.name], ...companyEntries(company.details)]),
    documents: account.documents.of(user).map(documentLine),
  };
}

const companyEntries = (details: CompanyDetails | null): [string, string | undefined][] =>
  companyFields.map((field) => [field, details?.[field]]);

const documentLine = ({ id, documentType, documentName, stored }: Document): DocumentLine => ({
  documentId: id,
  documentType,
  documentName,
  sha256: stored === null ? null : sha256Of(stored.bytes),
  sizeBytes: stored === null ? null : stored.bytes.length,
  contentType: stored?.contentType ?? null,
});

function hashesOf(entries: readonly (readonly [string, string | null | undefined])[]): Record<string, string> {
  const given = entries.flatMap(([field, value]) =>
    value === null || value === undefined || value === '' ? [] : [[field, sha256Of(value)]],
  );
  return Object.fromEntries(given) as Record<string, string>;
}

const sha256Of = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
