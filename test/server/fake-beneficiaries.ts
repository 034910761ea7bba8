import type { BeneficiariesApplication } from '../../application/beneficiaries/use-cases.ts';
import { FakeTreasury } from './fake-treasury.ts';

/** An empty book of beneficiaries. */
export class FakeBeneficiaries extends FakeTreasury implements BeneficiariesApplication {
  listBeneficiaries(): ReturnType<BeneficiariesApplication['listBeneficiaries']> {
    return Promise.resolve({ account: 'default', beneficiaries: [], heldRows: [], nextAfter: null });
  }

  async exportBeneficiaries(): ReturnType<BeneficiariesApplication['exportBeneficiaries']> {
    await Promise.resolve();
    return (async function* empty() {
      await Promise.resolve();
      yield 'beneficiary_key\r\n';
    })();
  }

  addBeneficiaries(): ReturnType<BeneficiariesApplication['addBeneficiaries']> {
    return Promise.resolve({ kind: 'added', added: 1, known: 0 });
  }

  confirmBeneficiaries(): ReturnType<BeneficiariesApplication['confirmBeneficiaries']> {
    return Promise.resolve({ confirmed: 1, released: 0 });
  }

  endBeneficiaries(): ReturnType<BeneficiariesApplication['endBeneficiaries']> {
    return Promise.resolve({ ended: 1 });
  }
}
