import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { actingRequest } from '../store/audit/acting-request.ts';

/** The header of a workflow or a signal that has the id of the HTTP request behind it, and the name in a workflow's memo. */
export const REQUEST_ID_HEADER = 'payrun-request';

/**
 * Gives workflows and signals the id of the HTTP request that caused them: in the memo of what it started, which Temporal's
 * interface shows, and in a header of each event. It permits nothing, and workflows do not read it.
 */
export const requestIdInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next(withMemo(withHeader(input))),
  signalWithStart: (input, next) => next(withMemo(withHeader(input))),
  signal: (input, next) => next(withHeader(input)),
};

function withHeader<
  Input extends { headers: Parameters<NonNullable<WorkflowClientInterceptor['signal']>>[0]['headers'] },
>(input: Input): Input {
  const requestId = actingRequest();
  if (requestId === null) return input;
  const payload = defaultPayloadConverter.toPayload(requestId);
  return { ...input, headers: { ...input.headers, [REQUEST_ID_HEADER]: payload } };
}

function withMemo<Input extends { options: { memo?: Record<string, unknown> } }>(input: Input): Input {
  const requestId = actingRequest();
  if (requestId === null) return input;
  return { ...input, options: { ...input.options, memo: { ...input.options.memo, [REQUEST_ID_HEADER]: requestId } } };
}
