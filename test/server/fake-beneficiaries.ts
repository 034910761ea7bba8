import type { Beneficiary, BeneficiaryAccount } from '../../api/beneficiaries/endpoints.ts';
import { type AccountsToAdd } from '../../application/beneficiaries/edit-book.ts';
import { readBookFile } from '../../application/beneficiaries/book-file.ts';
import type { BeneficiariesApplication } from '../../application/beneficiaries/use-cases.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import type { BookLine } from '../../domain/payment-file/check-book-row.ts';
import { FakeTreasury } from './fake-treasury.ts';

export function aBookAccount(parts: Partial<BeneficiaryAccount> = {}): BeneficiaryAccount {
  return {
    ...{ id: '018f2a00-0000-7000-8000-0000000000b1', hash: 'b'.repeat(64), currency: 'EUR', state: 'proposed' },
    ...{ source: 'import', isChange: false, objection: null },
    columns: { bank_iban: 'DE89370400440532013000', bank_account_holder_name: 'Nordlicht GmbH' },
    ...{ addedBy: { userId: 'u', name: 'Mia' }, addedAt: '2026-04-01T08:00:00.000Z', confirmedBy: null },
    ...{ confirmedAt: null, confirmation: null, endedBy: null, endedAt: null, paid: [] },
    ...parts,
  };
}

function problemsOf({ fileProblem }: UnreadableFile) {
  return { problems: [fileProblem], problemCount: 1 };
}

/** A book of beneficiaries that the test fills. */
export class FakeBeneficiaries extends FakeTreasury implements BeneficiariesApplication {
  book: Beneficiary[] = [];
  addedLines: BookLine[] = [];
  readonly bookCalls: unknown[] = [];

  listBeneficiaries(
    ...[, { key }]: Parameters<BeneficiariesApplication['listBeneficiaries']>
  ): ReturnType<BeneficiariesApplication['listBeneficiaries']> {
    const beneficiaries = this.book.filter((each) => key === null || each.key === key);
    return Promise.resolve({ account: 'default', beneficiaries, heldRows: [], nextAfter: null });
  }

  async exportBeneficiaries(): ReturnType<BeneficiariesApplication['exportBeneficiaries']> {
    await Promise.resolve();
    return (async function* empty() {
      await Promise.resolve();
      yield 'beneficiary_key\r\n';
    })();
  }

  async addBeneficiaries(
    ...[, given]: [unknown, AccountsToAdd]
  ): ReturnType<BeneficiariesApplication['addBeneficiaries']> {
    const read = await readBookFile(given, SHEET_LIMITS).catch((error: unknown) => {
      if (error instanceof UnreadableFile) return { kind: 'refused' as const, ...problemsOf(error) };
      throw error;
    });
    if (read.kind === 'refused') return read;
    this.bookCalls.push({ account: given.account, source: given.source });
    this.addedLines.push(...read.lines);
    return { kind: 'added', added: read.lines.length, known: 0 };
  }

  confirmBeneficiaries(
    ...[, given]: Parameters<BeneficiariesApplication['confirmBeneficiaries']>
  ): ReturnType<BeneficiariesApplication['confirmBeneficiaries']> {
    this.bookCalls.push(given);
    return Promise.resolve({ confirmed: given.accounts.length, released: 0 });
  }

  endBeneficiaries(
    ...[, given]: Parameters<BeneficiariesApplication['endBeneficiaries']>
  ): ReturnType<BeneficiariesApplication['endBeneficiaries']> {
    this.bookCalls.push(given);
    return Promise.resolve({ ended: given.ids.length });
  }
}
