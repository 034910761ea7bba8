import type { Guard } from './guard.ts';

/** What keeps an answer, or none, from being taken for what it does not say of the money. */

const MEANINGS = 'provider/calls/answer-meanings.ts';

const answers = (name: string) => ({ file: 'test/provider/failure.test.ts', name });
const session = (name: string) => ({ file: 'test/provider/session.test.ts', name });
const payments = (name: string) => ({ file: 'test/provider/simple-payments.test.ts', name });

export const ANSWER_GUARDS: readonly Guard[] = [
  {
    id: 'failures-are-unknown',
    against: 'a request is taken for refused after a fault of the provider, and sent again',
    file: MEANINGS,
    text: "const FAILED = { kind: 'unknown_outcome', reason: 'failed' } as const;",
    without: "const FAILED = { kind: 'refused', reason: 'failed' } as const;",
    test: answers('503 without Retry-After'),
  },
  {
    id: 'gateways-say-nothing',
    against: 'what something in front of the provider says is taken for its refusal',
    file: MEANINGS,
    text: "  { when: isOfAGateway, kind: 'unknown_outcome', reason: 'answered by something that is not the provider' },\n",
    without: '',
    test: answers('400 that is a page'),
  },
  {
    id: 'given-up-in-between',
    against: 'a request that something in between stopped waiting for is taken for refused',
    file: MEANINGS,
    text: "  { statuses: [408, 499], kind: 'unknown_outcome', reason: 'failed' },\n",
    without: '',
    test: answers('408'),
  },
  {
    id: 'taken-reference-is-looked-up',
    against: 'a creation whose reference is taken is called rejected, although the payment exists',
    file: MEANINGS,
    text: "  { when: isReferenceTaken, kind: 'duplicate_reference', reason: 'the reference may be taken; look it up' },\n",
    without: '',
    test: answers('409 to a creation'),
  },
  {
    id: 'unreadable-is-unknown',
    against: 'a creation is taken for refused as its answer cannot be read',
    file: 'provider/calls/api-call.ts',
    text: "kind: 'unknown_outcome',",
    without: "kind: 'refused',",
    test: answers('2xx without an id'),
  },
  {
    id: 'no-list-is-not-empty',
    against: 'an answer that is no list is taken for an empty one, and the payment made again',
    file: 'provider/calls/envelope.ts',
    text: '? inner.value : inner;',
    without: '? inner.value : Array.isArray(inner) ? inner : [];',
    test: answers('a list that is none'),
  },
  {
    id: 'every-entry-is-read',
    against: 'a payment is taken for absent since its entry cannot be read, and made again',
    file: 'provider/payments/simple-payments.ts',
    text: 'find: async (request = {}, options) => api.call(findCall(request, listOf(simplePaymentAnswer)), options),',
    without: `find: async (request = {}, options) => (await api.call(findCall(request, listOf(z.unknown())), options)).flatMap(
      (entry) => { const read = simplePaymentAnswer.safeParse(entry); return read.success ? [read.data] : []; }),`,
    test: payments('one unreadable entry spoils the list, lest a payment look absent'),
  },
  {
    id: 'left-once-connected',
    against: 'a request that was sent is taken for one that never left, and sent again',
    file: 'provider/calls/transport.ts',
    text: 'progress.sent = true;',
    without: '',
    test: answers('a connection that breaks after sending leaves the outcome unknown'),
  },
  {
    id: 'sent-again-after-401-alone',
    against: 'the client sends a request again whose outcome is not known',
    file: 'provider/calls/authorised-caller.ts',
    text: 'if (!(error instanceof ProviderFailure) || error.httpStatus !== 401) throw error;',
    without: 'if (!(error instanceof ProviderFailure)) throw error;',
    test: session('a request is not sent once more after 500'),
  },
  {
    id: 'answer-outlives-its-listener',
    against: 'an answer about money is lost by a fault of whoever listens',
    file: 'provider/calls/api-caller.ts',
    text: `  try {
    callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });
  } catch {
    // A listener's fault must not turn an answer about money into an unknown outcome.
  }`,
    without: '  callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });',
    test: answers('a listener that fails does not lose the answer'),
  },
];
