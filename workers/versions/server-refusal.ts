import { isGrpcServiceError } from '@temporalio/client';

/** gRPC status codes. */
const INVALID_ARGUMENT = 3;
const NOT_FOUND = 5;
const FAILED_PRECONDITION = 9;

/** It does not exist in Temporal, or not yet. */
export function isMissing(error: unknown): boolean {
  return isGrpcServiceError(error) && (error.code as number) === NOT_FOUND;
}

/** Temporal refused the change: the deployment has changed meanwhile, or the version is not ready for it. */
export function isRefused(error: unknown): boolean {
  return isMissing(error) || (isGrpcServiceError(error) && (error.code as number) === FAILED_PRECONDITION);
}

/** Why Temporal refused a request, in its words; null for any other error. */
export function refusalReason(error: unknown): string | null {
  if (!isGrpcServiceError(error)) return null;
  const isRefusal = isRefused(error) || (error.code as number) === INVALID_ARGUMENT;
  return isRefusal ? error.details : null;
}
