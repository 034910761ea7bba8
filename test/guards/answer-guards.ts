import type { Guard } from './guard.ts';

const FAILURE = 'test/provider/failure.test.ts';
const GATEWAY_ANSWERS = 'test/provider/gateway-answers.test.ts';

/** Checks that no answer, and no missing answer, is misinterpreted. */
export const ANSWER_GUARDS: readonly Guard[] = [
  {
    id: 'failures-are-unknown',
    against: 'a request counts as refused after an error of the provider, and is sent again',
    without: "const DEFAULT_OUTCOME = { kind: 'refused', reason: 'failed' } as const;",
    test: { file: FAILURE, name: '503 without Retry-After' },
  },
  {
    id: 'gateways-say-nothing',
    against: 'the answer of a gateway in front of the provider counts as the provider’s refusal',
    without: '',
    test: { file: FAILURE, name: '400 that is a page' },
  },
  {
    id: 'given-up-in-between',
    against: 'a request that timed out at a gateway counts as refused',
    without: '',
    test: { file: FAILURE, name: '408' },
  },
  {
    id: 'taken-reference-is-looked-up',
    against: 'a payment is called rejected because its reference is taken, although it exists',
    without: '',
    test: { file: FAILURE, name: '409 to a creation' },
  },
  {
    id: 'unreadable-is-unknown',
    against: 'a creation counts as refused because its answer cannot be parsed',
    without: "kind: 'refused',",
    test: { file: FAILURE, name: '2xx without an id' },
  },
  {
    id: 'no-list-is-not-empty',
    against: 'an answer that is not a list counts as an empty one, and the payment is created again',
    without: 'return isObject(inner) && Array.isArray(inner.value) ? inner.value : Array.isArray(inner) ? inner : [];',
    test: { file: FAILURE, name: 'a list that is not a list' },
  },
  {
    id: 'every-entry-is-read',
    against: 'a payment counts as absent because its entry cannot be parsed, and is created again',
    without:
      'find: async (request = {}, options) => (await api.call(findCall(request, listOf(z.unknown())), options)).flatMap(\n  (entry) => { const read = simplePaymentAnswer.safeParse(entry); return read.success ? [read.data] : []; }),',
    test: {
      file: 'test/provider/simple-payments.test.ts',
      name: 'one unreadable entry makes the list unreadable, so that no payment looks absent',
    },
  },
  {
    id: 'left-once-connected',
    against: 'a request that was sent counts as not sent, and is sent again',
    without: '',
    test: { file: FAILURE, name: 'a connection that breaks after sending leaves the outcome unknown' },
  },
  {
    id: 'sent-again-after-401-alone',
    against: 'the client repeats a request whose outcome is unknown',
    without: 'return error instanceof ProviderFailure;',
    test: { file: 'test/provider/session.test.ts', name: 'a request is not sent again after 500' },
  },
  {
    id: 'sent-again-after-own-401',
    against: 'the client repeats a request that was carried out, as a gateway answered it with a 401 of its own',
    without: 'return error instanceof ProviderFailure && error.httpStatus === 401;',
    test: { file: GATEWAY_ANSWERS, name: 'says nothing about what must not be done twice, and has nothing sent again' },
  },
  {
    id: 'let-in-unless-said-otherwise',
    against: 'a payment, a conversion or a sign-up is repeated, as a page of a gateway was taken for a refusal',
    without: 'return isNonIdempotent(operation) && body.trim() === NOT_AUTHENTICATED;',
    test: { file: GATEWAY_ANSWERS, name: 'says nothing about what must not be done twice, and has nothing sent again' },
  },
  {
    id: 'answer-outlives-its-listener',
    against: 'an error of a listener loses an answer about money',
    without: 'callOptions.onAnswer?.({ httpStatus: answer.status, roundTripMs: answer.roundTripMs });',
    test: { file: FAILURE, name: 'an error in onAnswer does not lose the answer' },
  },
];
