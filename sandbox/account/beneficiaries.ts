import type { SeededRandom } from '../core/seeded-random.ts';
import type { BankField } from '../corridors/corridor.ts';
import type { RootField } from '../corridors/beneficiary-fields.ts';
import type { EntityType } from '../corridors/requirements.ts';
import type { Json } from '../core/json.ts';

type Text = string | null | undefined;

/** The fields that a caller sends for a beneficiary. Contract: payments 2.1. */
export interface BeneficiaryFields extends Readonly<Partial<Record<RootField, Text>>> {
  readonly nickname?: Text;
  readonly email?: Text;
  readonly country: string;
  readonly entityType: EntityType;
  readonly type?: Text;
  readonly bankAccount: Readonly<Partial<Record<BankField, Text>>> & {
    readonly country: string;
    readonly currency: string;
    readonly bankName: string;
    readonly bankAccountHolderName: string;
  };
  readonly intermediaryBank?: IntermediaryBank | null | undefined;
}

type IntermediaryBank = Readonly<Partial<Record<'bankName' | 'accountNumber' | 'address' | 'bicSwift', Text>>>;

export interface Beneficiary extends BeneficiaryFields {
  readonly id: string;
  readonly nickname: string;
  readonly type: string;
}

/** The names that are searched for magic values. */
export const namesOf = (beneficiary: BeneficiaryFields): string[] =>
  [
    beneficiary.firstName,
    beneficiary.lastName,
    beneficiary.companyName,
    beneficiary.bankAccount.bankAccountHolderName,
  ].filter((name) => typeof name === 'string');

/** The beneficiaries of one API key. The same bank account may be entered twice. */
export class Beneficiaries {
  readonly #byId = new Map<string, Beneficiary>();
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  add(fields: BeneficiaryFields): Beneficiary {
    const id = this.#random.uuid();
    const nickname = fields.nickname ?? `Beneficiary ${id.slice(0, 8)}`;
    const beneficiary = { ...fields, id, nickname, type: fields.type ?? 'bank' };
    this.#byId.set(id, beneficiary);
    return beneficiary;
  }

  get(beneficiaryId: string): Beneficiary | undefined {
    return this.#byId.get(beneficiaryId);
  }

  delete(beneficiaryId: string): Beneficiary | undefined {
    const beneficiary = this.#byId.get(beneficiaryId);
    this.#byId.delete(beneficiaryId);
    return beneficiary;
  }

  /** Oldest first. */
  list(): Beneficiary[] {
    return [...this.#byId.values()];
  }
}

/** A beneficiary in answers: every field, null when unused. */
export const beneficiaryAnswer = (beneficiary: Beneficiary): Json => ({
  beneficiaryId: beneficiary.id,
  nickname: beneficiary.nickname,
  email: beneficiary.email ?? null,
  country: beneficiary.country,
  entityType: beneficiary.entityType,
  type: beneficiary.type,
  city: beneficiary.city ?? null,
  address: beneficiary.address ?? null,
  postcode: beneficiary.postcode ?? null,
  stateOrProvince: beneficiary.stateOrProvince ?? null,
  firstName: beneficiary.firstName ?? null,
  lastName: beneficiary.lastName ?? null,
  companyName: beneficiary.companyName ?? null,
  businessRegistration: beneficiary.businessRegistration ?? null,
  nationalIdentificationNumber: beneficiary.nationalIdentificationNumber ?? null,
  region: beneficiary.region ?? null,
  relationship: beneficiary.relationship ?? null,
  bankAccount: {
    country: beneficiary.bankAccount.country,
    currency: beneficiary.bankAccount.currency,
    bankName: beneficiary.bankAccount.bankName,
    bankAccountHolderName: beneficiary.bankAccount.bankAccountHolderName,
    address: beneficiary.bankAccount.address ?? null,
    accountNumber: beneficiary.bankAccount.accountNumber ?? null,
    bicSwift: beneficiary.bankAccount.bicSwift ?? null,
    ifscCode: beneficiary.bankAccount.ifscCode ?? null,
    iban: beneficiary.bankAccount.iban ?? null,
    aba: beneficiary.bankAccount.aba ?? null,
    bsbCode: beneficiary.bankAccount.bsbCode ?? null,
    sortCode: beneficiary.bankAccount.sortCode ?? null,
    institutionNo: beneficiary.bankAccount.institutionNo ?? null,
    bankCode: beneficiary.bankAccount.bankCode ?? null,
    branchCode: beneficiary.bankAccount.branchCode ?? null,
    cnaps: beneficiary.bankAccount.cnaps ?? null,
    clabe: beneficiary.bankAccount.clabe ?? null,
  },
  intermediaryBank: beneficiary.intermediaryBank
    ? {
        bankName: beneficiary.intermediaryBank.bankName ?? null,
        accountNumber: beneficiary.intermediaryBank.accountNumber ?? null,
        address: beneficiary.intermediaryBank.address ?? null,
        bicSwift: beneficiary.intermediaryBank.bicSwift ?? null,
      }
    : null,
});
