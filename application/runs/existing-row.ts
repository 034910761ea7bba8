import { mayAny } from '../../domain/users/role.ts';
import type { RowKey } from '../../api/runs/row.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { orNotFound } from '../application-error.ts';
import { findRow } from './find-row.ts';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** The row as this user may see it, or `not_found`. */
export async function existingRow(
  dependencies: ReviewingDependencies,
  { roles }: Pick<SignedIn, 'roles'>,
  key: RowKey,
): Promise<RowDetail> {
  const row = await findRow(dependencies, key, { withInstructions: mayAny(roles, 'read_instructions') });
  return orNotFound(row, 'there is no such row in this run');
}
