import { isGrpcServiceError } from '@temporalio/client';

/** gRPC's codes for what was asked wrongly, for what is not there, and for what the server's state does not allow. */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

/** Temporal does not know it, or not yet. */
export function isMissing(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === NOT_FOUND;
}

/** Temporal does not take the change: it was decided on an older state, or the version is not ready for it. */
export function isRefused(error: unknown): boolean {
  return isMissing(error) || (isGrpcServiceError(error) && (error.code as number) === FAILED_PRECONDITION);
}

/** Why Temporal does not take what was asked, in its words; null for an error that is no refusal. */
export function refusalReason(error: unknown): string | null {
  if (!isGrpcServiceError(error)) return null;
  const isMistake = isRefused(error) || (error.code as number) === INVALID_ARGUMENT;
  return isMistake ? error.details : null;
}
