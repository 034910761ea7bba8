import type { Guard } from './guard.ts';

const REQUEST_LEASES = 'test/store/request-leases.services.ts';
const RATE_LIMITER_PROPERTIES = 'test/provider/rate-limiter.property.ts';
const RATE_LIMITER = 'test/provider/rate-limiter.test.ts';
const SESSION = 'test/provider/session.test.ts';
const LEASE_HOLDER = 'test/store/lease-holder.services.ts';
const FAILURE = 'test/provider/failure.test.ts';
const PROVIDER_TOKENS = 'test/store/provider-tokens.services.ts';

/** Checks that all processes together keep the provider's limit, and that requests are admitted fairly. */
export const LIMIT_GUARDS: readonly Guard[] = [
  {
    id: 'lease-of-one',
    against: 'a lease is given to two requests at once',
    without: '',
    test: { file: REQUEST_LEASES, name: 'trap 33: however many processes ask at the same time' },
  },
  {
    id: 'lease-still-as-seen',
    against: 'two processes that ask at the same time get the same lease',
    without: '',
    test: { file: REQUEST_LEASES, name: 'trap 33: however many processes ask at the same time' },
  },
  {
    id: 'leases-of-the-limit',
    against: 'more requests are sent than a lowered limit allows',
    without: 'where leases.account = $1 and $3::integer > 0 and not (select is_spent from day)',
    test: { file: REQUEST_LEASES, name: 'a lowered limit applies at once' },
  },
  {
    id: 'lease-cooldown-over',
    against: 'a lease is used again less than a second after its last request',
    without: 'if (holder.isOwn(freedBy)) return Math.min(answeredMs - nowMs, LEASE_COOLDOWN_MS);',
    test: { file: REQUEST_LEASES, name: 'a freed lease has a cooldown of more than a second from the answer' },
  },
  {
    id: 'rests-by-the-steady-clock',
    against: 'a lease is used too soon when the database’s clock is set',
    without: 'return Math.min(taken.cooldownLeftMs, LEASE_COOLDOWN_MS);',
    test: { file: RATE_LIMITER_PROPERTIES, name: 'when the database’s clock is set many times' },
  },
  {
    id: 'rests-by-the-database',
    against: 'a lease is used too soon when the machine that freed it slept',
    without: 'return Math.min(byPeerMs, LEASE_COOLDOWN_MS);',
    test: { file: RATE_LIMITER_PROPERTIES, name: 'when machines sleep and their monotonic clocks stop' },
  },
  {
    id: 'lease-of-a-dead-process-waits',
    against: 'a lease is reused while a request of a process that died may still be in flight',
    without: 'if (taken.isOrphan) return 0;',
    test: {
      file: REQUEST_LEASES,
      name: 'the leases of an expired holder are free after a grace period, and its late release is ignored',
    },
  },
  {
    id: 'broken-off-may-arrive',
    against: 'a lease is used while an aborted request may still arrive',
    without: 'if (answer.atMs === null) this.#release(lease, 0);',
    test: { file: RATE_LIMITER, name: 'a broken-off request may still arrive' },
  },
  {
    id: 'waits-to-its-instant',
    against: 'a request is sent early because a timer fires early',
    without: 'await clock.sleep(Math.max(leftMs, 1), signal);\nreturn;',
    test: { file: RATE_LIMITER, name: 'a wait never ends too early' },
  },
  {
    id: 'token-is-counted',
    against: 'requests for tokens are not counted against the limit',
    without:
      '(token === null\n  ? { run: (send: any) => send(new AbortController().signal, { answered() {}, pause() {}, recheck() {} }) }\n  : rateLimiter\n).run(',
    test: { file: SESSION, name: 'the request for a token passes the rate limiter like every other one' },
  },
  {
    id: 'freed-by-its-id',
    against: 'a late message of an expired process frees a lease that another process uses',
    without: 'where account = $1 and $2::uuid is not null`;',
    test: {
      file: REQUEST_LEASES,
      name: 'the leases of an expired holder are free after a grace period, and its late release is ignored',
    },
  },
  {
    id: 'asked-before-sending',
    against: 'a process that was frozen continues to send with leases that others use',
    without: 'if (admission.lease !== null) return await this.#sendOn(admission.lease, send, signal);',
    test: { file: RATE_LIMITER, name: 'a process whose registration has expired' },
  },
  {
    id: 'asked-once-more',
    against: 'a request is sent although its lease or the pause changed while stops were checked',
    without: 'if (!signal.aborted) return;',
    test: { file: RATE_LIMITER, name: 'a request whose beforeSend took long is not sent if' },
  },
  {
    id: 'registered-by-the-steady-clock',
    against: 'a process sends after its registration has ended, when others use its leases',
    without: 'return holder === this.#current &&  wallMs() < this.#wallEndsAtMs;',
    test: { file: LEASE_HOLDER, name: 'stops sending before its registration ends' },
  },
  {
    id: 'registered-by-the-wall-clock',
    against: 'a process sends after its machine slept, when others use its leases',
    without: 'return holder === this.#current && steadyMs() < this.#endsAtMs;',
    test: { file: LEASE_HOLDER, name: 'stops sending before its registration ends' },
  },
  {
    id: 'removed-goes-on-as-another',
    against: 'a process that was deregistered continues to send',
    without: "if (holder === '') {",
    test: { file: LEASE_HOLDER, name: 'without heartbeats is removed by the others' },
  },
  {
    id: 'dead-without-heartbeats',
    against: 'the leases of a live process are given to others',
    without: 'return [...this.#seen.values()].filter(({ firstSeenMs }) => nowMs >= firstSeenMs);',
    test: { file: LEASE_HOLDER, name: 'without heartbeats is removed by the others' },
  },
  {
    id: 'dead-by-that-heartbeat',
    against: 'a process is deregistered although it has sent a heartbeat since',
    without: 'where holders.holder = dead.holder',
    test: {
      file: 'test/store/lease-table-model.services.ts',
      name: 'the model of the lease table answers every history as Postgres does',
    },
  },
  {
    id: 'lost-leases-come-back',
    against: 'leases are never used again after a lost statement',
    without: '',
    test: { file: RATE_LIMITER_PROPERTIES, name: 'when many statements are lost, each for a moment' },
  },
  {
    id: 'pause-of-everyone',
    against: 'other processes send during a pause that the provider requested',
    without: 'const waitMs = Math.max(0, cooldownLeftMs(answer.taken, holder, nowMs()));',
    test: { file: REQUEST_LEASES, name: 'a pause applies to everyone, and a later shorter one does not end it' },
  },
  {
    id: 'longer-pause-stays',
    against: 'a shorter pause ends a longer one',
    without: '`;',
    test: { file: REQUEST_LEASES, name: 'a pause applies to everyone, and a later shorter one does not end it' },
  },
  {
    id: 'pause-of-those-that-wait',
    against: 'requests that already have a lease are sent during a pause',
    without: 'const readyAtMs = (): number => admission.readyAtMs;',
    test: { file: RATE_LIMITER, name: 'a pause also holds back requests that already have a lease' },
  },
  {
    id: 'pause-before-the-lease',
    against: 'another process takes a lease and sends before it knows of the pause',
    without: 'void this.#writeToStore(release()).then(() => this.#retryNow());',
    test: { file: RATE_LIMITER, name: 'a pause is stored before the lease' },
  },
  {
    id: 'pause-when-asked',
    against: 'all processes continue to send after a 429',
    without: 'if (pause === undefined) lease.pause(null);',
    test: { file: FAILURE, name: 'a 429 without Retry-After requests a pause without a duration' },
  },
  {
    id: 'limited-is-not-refused',
    against: 'a row is rejected because of too many requests',
    without: '',
    test: { file: FAILURE, name: '429' },
  },
  {
    id: 'day-has-its-budget',
    against: 'more requests are sent than the daily limit allows',
    without: '$4::integer < 0 as is_spent',
    test: { file: REQUEST_LEASES, name: 'the last requests of a day are reserved for finishing' },
  },
  {
    id: 'day-counted-in-turn',
    against: 'processes that ask at the same time exceed the daily limit',
    without: 'where account = $1 and day = (select utc::date + $6::integer from clock)',
    test: { file: REQUEST_LEASES, name: 'processes that ask at the same time do not exceed the daily limit' },
  },
  {
    id: 'reserve-of-a-day',
    against: 'quotes and creations use up the daily limit, so that created payments are neither funded nor confirmed',
    without: 'const dayBudget = limits.perDay;',
    test: { file: REQUEST_LEASES, name: 'the last requests of a day are reserved for finishing' },
  },
  {
    id: 'reserve-for-finishing',
    against: 'every request uses the daily reserve for finishing payments',
    without: 'return Object.hasOwn(OPERATION_TABLE, operation);',
    test: { file: SESSION, name: 'the request for a token passes the rate limiter like every other one' },
  },
  {
    id: 'reads-leave-room',
    against: 'reads of payments in flight use the limit that new payments need',
    without: 'const gapMs = Math.max(wholeMs / Math.max(1, round.reads), 1);',
    test: {
      file: 'test/domain/poll-schedule.test.ts',
      name: 'leaves most of the limit to payments when one read is not enough',
    },
  },
  {
    id: 'token-renewed-by-one',
    against: 'every process requests its own token when one expires',
    without: '`,',
    test: { file: PROVIDER_TOKENS, name: 'is requested by nobody else during a renewal' },
  },
  {
    id: 'token-of-the-turn-before',
    against: 'a process that waited for a token requests another one',
    without: 'if (stored === undefined) return stored;\nconst renewed = await renew();',
    test: { file: PROVIDER_TOKENS, name: 'is requested once when two have read the old one before a renewal' },
  },
];
