import { InterceptingCall, type Interceptor, Metadata, status } from '@grpc/grpc-js';
import { defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/**
 * How calls to Temporal are made: tried again as its client does by default, and ended with `CANCELLED` if the connection was
 * closed before the next try. The client's own retry would throw then, outside of any promise, which ends the process.
 */
export function callInterceptors(): Interceptor[] {
  return [makeGrpcRetryInterceptor(defaultGrpcRetryOptions()), endCallsAfterClose];
}

const endCallsAfterClose: Interceptor = (options, nextCall) => {
  try {
    return new InterceptingCall(nextCall(options));
  } catch (error) {
    return new InterceptingCall(endedCall(error instanceof Error ? error.message : 'The call could not be made'));
  }
};

/** A call that was never made, for the reason in `details`. */
function endedCall(details: string): ConstructorParameters<typeof InterceptingCall>[0] {
  const nothing = () => undefined;
  return {
    start: (_metadata, listener) => {
      queueMicrotask(() => {
        // A unary call is read as a message and a status, also where there is no message.
        listener?.onReceiveMessage?.(null);
        listener?.onReceiveStatus?.({ code: status.CANCELLED, details, metadata: new Metadata() });
      });
    },
    cancelWithStatus: nothing,
    getPeer: () => 'unknown',
    sendMessageWithContext: nothing,
    sendMessage: nothing,
    startRead: nothing,
    halfClose: nothing,
    getAuthContext: () => null,
  };
}
