import type { BeneficiaryBook } from '../../domain/beneficiaries/beneficiary-book.ts';
import { corridorsOfBook } from '../../domain/payment-file/corridors.ts';
import type { Corridor, ReferenceData } from '../../domain/payment-file/reference-data.ts';
import { readBook } from '../../store/beneficiaries/beneficiary-accounts.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';
import { knownReferenceData } from './known-reference-data.ts';

/** What the rows of a file name that they are checked against. */
export interface FileNeeds {
  /** Each once. */
  corridors: Corridor[];
  /** Of beneficiaries of the book. */
  beneficiaryKeys: string[];
}

/** The book of the account and what the provider supports, as far as a file needs them. */
export async function bookAndReference(
  dependencies: ApplicationDependencies,
  account: string,
  { corridors, beneficiaryKeys }: FileNeeds,
): Promise<{ book: BeneficiaryBook; reference: ReferenceData }> {
  const book = await readBook(dependencies.database, await payeesOf(dependencies), account, beneficiaryKeys);
  const reference = await knownReferenceData(dependencies, account, [...corridors, ...corridorsOfBook(book)]);
  return { book, reference };
}
