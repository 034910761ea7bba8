import type {
  Headers,
  WorkflowInboundCallsInterceptor,
  WorkflowInterceptors,
  WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';

/** Where Temporal's OpenTelemetry interceptors of clients and activities keep the trace. */
export const TRACE_HEADER = '_tracer-data';

/**
 * Passes the trace of whoever started the workflow, or told it something last, on to what it starts. It makes no spans of its
 * own (docs/decisions/0028): those would draw random numbers inside the workflow. A header is no command, so no replay
 * compares it, and where there is no trace, there is none.
 */
export function interceptors(): WorkflowInterceptors {
  let trace: Headers = {};
  const remember = (headers: Headers): void => {
    const given = headers[TRACE_HEADER];
    if (given !== undefined) trace = { [TRACE_HEADER]: given };
  };
  const withTrace = <Input extends { headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...trace, ...input.headers },
  });
  const inbound: WorkflowInboundCallsInterceptor = {
    execute: (input, next) => {
      remember(input.headers);
      return next(input);
    },
    handleSignal: (input, next) => {
      remember(input.headers);
      return next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => next(withTrace(input)),
    scheduleLocalActivity: (input, next) => next(withTrace(input)),
    startChildWorkflowExecution: (input, next) => next(withTrace(input)),
    signalWorkflow: (input, next) => next(withTrace(input)),
    continueAsNew: (input, next) => next(withTrace(input)),
  };
  return { inbound: [inbound], outbound: [outbound] };
}
