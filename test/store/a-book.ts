import { randomUUID } from 'node:crypto';
import type { AccountConfirmation } from '../../domain/beneficiaries/beneficiary-book.ts';
import type { BookLine } from '../../domain/payment-file/check-book-row.ts';
import type { BeneficiaryDetails } from '../../domain/payments/payment-instruction.ts';
import {
  addBeneficiaryLinesAs,
  type BeneficiaryLine,
  confirmBeneficiaryLinesAs,
  endBeneficiaryLinesAs,
  readBeneficiaryLines,
} from '../../store/beneficiaries/beneficiary-accounts.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import type { TestDatabase } from '../helpers/test-database.ts';
import { payeesIn } from '../helpers/test-payees.ts';
import { aUser, type TestUser } from '../helpers/users.ts';
import { ACCOUNT, beneficiaryAt } from './a-stored-run.ts';
import { RunsInApproval } from './runs-in-approval.ts';

export const CALLED: AccountConfirmation = {
  called: { person: 'Ada Ledger', number: '+49 40 1234', numberFrom: 'the contract of 2024' },
  note: 'she read the IBAN back',
};
export const NOT_CALLED: AccountConfirmation = { called: null, note: 'as in the contract' };

/** A name of its own, so that tests do not meet. */
export function aName(): string {
  return `Supplier ${randomUUID()} Ltd`;
}

export function aKey(): string {
  return `S-${randomUUID().slice(0, 8).toUpperCase()}`;
}

export function paidTo(name: string, accountNumber: string): { kind: 'details'; details: BeneficiaryDetails } {
  const { beneficiary } = beneficiaryAt(accountNumber, { bankAccountHolderName: name });
  if (beneficiary.kind !== 'details') throw new Error('it has no details');
  return { kind: 'details', details: { ...beneficiary.details, companyName: name } };
}

/** To an account as the book has it. */
export function paidToLine({ details }: BeneficiaryLine): { kind: 'details'; details: BeneficiaryDetails } {
  if (details === null) throw new Error('it cannot be read');
  return { kind: 'details', details };
}

export function lineOf(key: string, name: string, accountNumber: string): BookLine {
  return { key, currency: 'GBP', details: paidTo(name, accountNumber).details };
}

/** The book of the account in a separate database, with a maker and two checkers. */
export class ABook {
  readonly runs: RunsInApproval;
  readonly payees: PayeeData;
  readonly maker: TestUser;

  private constructor(runs: RunsInApproval, payees: PayeeData, maker: TestUser) {
    this.runs = runs;
    this.payees = payees;
    this.maker = maker;
  }

  static async in(testDatabase: TestDatabase): Promise<ABook> {
    const runs = await RunsInApproval.of(testDatabase);
    return new ABook(runs, await payeesIn(testDatabase.database), await aUser(testDatabase, 'Mia', 'maker'));
  }

  get #server() {
    return this.runs.testDatabase.asServer;
  }

  linesOf(key: string): Promise<BeneficiaryLine[]> {
    return readBeneficiaryLines(this.#server, this.payees, ACCOUNT, [key]);
  }

  /** All lines of the key afterwards, the newest first. */
  async addAll(by: TestUser, line: BookLine): Promise<BeneficiaryLine[]> {
    const lines = { account: ACCOUNT, source: 'by_hand', lines: [line] } as const;
    await addBeneficiaryLinesAs(this.#server, this.payees, by.tokenHash, lines);
    return this.linesOf(line.key);
  }

  async add(by: TestUser, line: BookLine): Promise<BeneficiaryLine> {
    const [added] = await this.addAll(by, line);
    if (added === undefined) throw new Error('it was not added');
    return added;
  }

  confirm(by: TestUser, lines: readonly { id: string; hash: string }[], how = NOT_CALLED, account = ACCOUNT) {
    return confirmBeneficiaryLinesAs(this.#server, this.payees, by.tokenHash, { account, lines }, how);
  }

  end(by: TestUser, ids: readonly string[]) {
    return endBeneficiaryLinesAs(this.#server, by.tokenHash, { account: ACCOUNT, ids, reason: null });
  }

  async aConfirmed(name = aName(), accountNumber: string = randomUUID()): Promise<BeneficiaryLine> {
    const line = await this.add(this.maker, lineOf(aKey(), name, accountNumber));
    await this.confirm(this.runs.chris, [line], CALLED);
    return (await this.linesOf(line.key))[0] ?? line;
  }
}
