import { mayAny } from '../../domain/users/role.ts';
import type { RowPlace } from '../application-api.ts';
import type { ReviewingDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { findRow } from './find-row.ts';
import type { RowDetail } from './row-detail.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** The row as this user may see it, or `not_found`. */
export async function existingRow(
  dependencies: ReviewingDependencies,
  { roles }: Pick<SignedIn, 'roles'>,
  at: RowPlace,
): Promise<RowDetail> {
  const row = await findRow(dependencies, at, { withInstructions: mayAny(roles, 'read_instructions') });
  if (row === null) throw new ApplicationError('not_found', 'there is no such row in this run');
  return row;
}
