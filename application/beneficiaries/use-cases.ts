import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import { addBeneficiaries, confirmBeneficiaries, endBeneficiaries } from './edit-book.ts';
import { exportBeneficiaries, listBeneficiaries } from './read-book.ts';

export type BeneficiariesApplication = ReturnType<typeof beneficiaryUseCases>;

export function beneficiaryUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    listBeneficiaries,
    exportBeneficiaries,
    addBeneficiaries,
    confirmBeneficiaries,
    endBeneficiaries,
  });
}
