import type { Guard } from './guard.ts';

/** Checks that no answer, and no missing answer, is misinterpreted. */

const OUTCOMES = 'provider/calls/answer-outcomes.ts';

const answers = (name: string) => ({ file: 'test/provider/failure.test.ts', name });
const gateway = (name: string) => ({ file: 'test/provider/gateway-answers.test.ts', name });
const session = (name: string) => ({ file: 'test/provider/session.test.ts', name });
const payments = (name: string) => ({ file: 'test/provider/simple-payments.test.ts', name });

export const ANSWER_GUARDS: readonly Guard[] = [
  {
    id: 'failures-are-unknown',
    against: 'a request counts as refused after an error of the provider, and is sent again',
    file: OUTCOMES,
    text: "const DEFAULT_OUTCOME = { kind: 'unknown_outcome', reason: 'failed' } as const;",
    without: "const DEFAULT_OUTCOME = { kind: 'refused', reason: 'failed' } as const;",
    test: answers('503 without Retry-After'),
  },
  {
    id: 'gateways-say-nothing',
    against: 'the answer of a gateway in front of the provider counts as the provider’s refusal',
    file: OUTCOMES,
    text: "  { when: isFromGateway, kind: 'unknown_outcome', reason: 'not answered by the provider itself' },\n",
    without: '',
    test: answers('400 that is a page'),
  },
  {
    id: 'given-up-in-between',
    against: 'a request that timed out at a gateway counts as refused',
    file: OUTCOMES,
    text: "  { statuses: [408, 499], kind: 'unknown_outcome', reason: 'failed' },\n",
    without: '',
    test: answers('408'),
  },
  {
    id: 'taken-reference-is-looked-up',
    against: 'a payment is called rejected because its reference is taken, although it exists',
    file: OUTCOMES,
    text: "  { when: isReferenceTaken, kind: 'duplicate_reference', reason: 'the reference may be taken; look it up' },\n",
    without: '',
    test: answers('409 to a creation'),
  },
  {
    id: 'unreadable-is-unknown',
    against: 'a creation counts as refused because its answer cannot be parsed',
    file: 'provider/calls/api-call.ts',
    text: "kind: 'unknown_outcome',",
    without: "kind: 'refused',",
    test: answers('2xx without an id'),
  },
  {
    id: 'no-list-is-not-empty',
    against: 'an answer that is not a list counts as an empty one, and the payment is created again',
    file: 'provider/calls/envelope.ts',
    text: '? inner.value : inner;',
    without: '? inner.value : Array.isArray(inner) ? inner : [];',
    test: answers('a list that is not a list'),
  },
  {
    id: 'every-entry-is-read',
    against: 'a payment counts as absent because its entry cannot be parsed, and is created again',
    file: 'provider/payments/simple-payments.ts',
    text: 'find: async (request = {}, options) => api.call(findCall(request, listOf(simplePaymentAnswer)), options),',
    without: `find: async (request = {}, options) => (await api.call(findCall(request, listOf(z.unknown())), options)).flatMap(
      (entry) => { const read = simplePaymentAnswer.safeParse(entry); return read.success ? [read.data] : []; }),`,
    test: payments('one unreadable entry makes the list unreadable, so that no payment looks absent'),
  },
  {
    id: 'left-once-connected',
    against: 'a request that was sent counts as not sent, and is sent again',
    file: 'provider/calls/transport.ts',
    text: 'progress.sent = true;',
    without: '',
    test: answers('a connection that breaks after sending leaves the outcome unknown'),
  },
  {
    id: 'sent-again-after-401-alone',
    against: 'the client repeats a request whose outcome is unknown',
    file: 'provider/calls/authorized-caller.ts',
    text: "error instanceof ProviderFailure && error.httpStatus === 401 && error.kind === 'unauthenticated';",
    without: 'error instanceof ProviderFailure;',
    test: session('a request is not sent again after 500'),
  },
  {
    id: 'sent-again-after-own-401',
    against: 'the client repeats a request that was carried out, as a gateway answered it with a 401 of its own',
    file: 'provider/calls/authorized-caller.ts',
    text: " && error.kind === 'unauthenticated'",
    without: '',
    test: gateway('says nothing about what must not be done twice, and has nothing sent again'),
  },
  {
    id: 'let-in-unless-said-otherwise',
    against: 'a payment, a conversion or a sign-up is repeated, as a page of a gateway was taken for a refusal',
    file: OUTCOMES,
    text: 'return isExclusive(operation) && !hasErrorDetails(body) && body.trim() !== NOT_AUTHENTICATED;',
    without: 'return isExclusive(operation) && body.trim() === NOT_AUTHENTICATED;',
    test: gateway('says nothing about what must not be done twice, and has nothing sent again'),
  },
  {
    id: 'answer-outlives-its-listener',
    against: 'an error of a listener loses an answer about money',
    file: 'provider/calls/api-caller.ts',
    text: `  try {
    callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });
  } catch {
    // An error in a listener must not turn an answer about money into an unknown outcome.
  }`,
    without: '  callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });',
    test: answers('an error in onAnswer does not lose the answer'),
  },
];
