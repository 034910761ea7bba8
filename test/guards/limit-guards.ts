import type { Guard } from './guard.ts';

/** Checks that all processes together keep the provider's limit, and that requests are admitted fairly. */

const TABLE = 'store/gate/slot-table.ts';
const HOLDER = 'store/gate/slot-holder.ts';
const REST = 'store/gate/slot-cooldown.ts';
const SLOTS = 'store/gate/request-slots.ts';
const GATE = 'provider/gate/shared-gate.ts';
const TOKENS = 'store/gate/provider-tokens.ts';

const slots = (name: string) => ({ file: 'test/store/request-slots.services.ts', name });
const holder = (name: string) => ({ file: 'test/store/slot-holder.services.ts', name });
const model = (name: string) => ({ file: 'test/store/slot-table-model.services.ts', name });
const gate = (name: string) => ({ file: 'test/provider/request-gate.test.ts', name });
const histories = (name: string) => ({ file: 'test/provider/request-gate.property.ts', name });
const answers = (name: string) => ({ file: 'test/provider/failure.test.ts', name });
const session = (name: string) => ({ file: 'test/provider/session.test.ts', name });
const tokens = (name: string) => ({ file: 'test/store/provider-tokens.services.ts', name });

const IN_A_SECOND: readonly Guard[] = [
  {
    id: 'slot-of-one',
    against: 'a slot is given to two requests at once',
    file: TABLE,
    text: 'and (slots.holder is null or not exists (select from slot_holders where holder = slots.holder))',
    without: '',
    test: slots('trap 33: however many processes ask at the same time'),
  },
  {
    id: 'slot-still-as-seen',
    against: 'two processes that ask at the same time get the same slot',
    file: TABLE,
    text: '\n      and slots.lease is not distinct from seen.lease and slots.free_at = seen.free_at',
    without: '',
    test: slots('trap 33: however many processes ask at the same time'),
  },
  {
    id: 'slots-of-the-limit',
    against: 'more requests are sent than a lowered limit allows',
    file: TABLE,
    text: 'and slots.slot < $3::integer and not',
    without: 'and $3::integer > 0 and not',
    test: slots('a lowered limit applies at once'),
  },
  {
    id: 'slot-rests',
    against: 'a slot is used again less than a second after its last request',
    file: REST,
    text: 'return Math.min(answeredMs + SLOT_COOLDOWN_MS - nowMs, SLOT_COOLDOWN_MS);',
    without: 'return Math.min(answeredMs - nowMs, SLOT_COOLDOWN_MS);',
    test: slots('a freed slot has a cooldown of more than a second from the answer'),
  },
  {
    id: 'rests-by-the-steady-clock',
    against: 'a slot is used too soon when the database’s clock is set',
    file: REST,
    text: 'Math.max(byPeerMs, taken.cooldownLeftMs)',
    without: 'taken.cooldownLeftMs',
    test: histories('when the database’s clock is set many times'),
  },
  {
    id: 'rests-by-the-database',
    against: 'a slot is used too soon when the machine that freed it slept',
    file: REST,
    text: 'return Math.min(Math.max(byPeerMs, taken.cooldownLeftMs), SLOT_COOLDOWN_MS);',
    without: 'return Math.min(byPeerMs, SLOT_COOLDOWN_MS);',
    test: histories('when machines sleep and their monotonic clocks stop'),
  },
  {
    id: 'slot-of-a-dead-process-waits',
    against: 'a slot is reused while a request of a process that died may still be in flight',
    file: REST,
    text: 'return SLOT_COOLDOWN_MS + ORPHAN_GRACE_MS;',
    without: 'return 0;',
    test: slots('the slots of an expired holder are free after a grace period, and its late release is ignored'),
  },
  {
    id: 'broken-off-may-arrive',
    against: 'a slot is used while an aborted request may still arrive',
    file: GATE,
    text: 'if (answer.atMs === null) this.#releaseAfterArrival(ticket);',
    without: 'if (answer.atMs === null) this.#release(ticket, 0);',
    test: gate('a broken-off request may still arrive'),
  },
  {
    id: 'waits-to-its-instant',
    against: 'a request is sent early because a timer fires early',
    file: 'provider/gate/gate-clock.ts',
    text: 'await clock.sleep(Math.max(leftMs, 1), signal);',
    without: 'await clock.sleep(Math.max(leftMs, 1), signal);\n    return;',
    test: gate('a wait never ends too early'),
  },
  {
    id: 'token-is-counted',
    against: 'requests for tokens are not counted against the limit',
    file: 'provider/calls/api-caller.ts',
    text: '    gate.run(\n',
    without: `    (token === null
      ? { run: (send: any) => send(new AbortController().signal, { answered() {}, pause() {}, recheck() {} }) }
      : gate
    ).run(\n`,
    test: session('the request for a token passes the gate like every other one'),
  },
];

const HOLDERS: readonly Guard[] = [
  {
    id: 'freed-by-its-lease',
    against: 'a late message of an expired process frees a slot that another process uses',
    file: TABLE,
    text: 'where account = $1 and lease = $2`;',
    without: 'where account = $1 and $2::uuid is not null`;',
    test: slots('the slots of an expired holder are free after a grace period, and its late release is ignored'),
  },
  {
    id: 'asked-before-sending',
    against: 'a process that was frozen continues to send with slots that others use',
    file: GATE,
    text: 'if (this.#options.store.stillHolds(admission.ticket)) return',
    without: 'if (admission.ticket !== null) return',
    test: gate('a process whose registration has expired'),
  },
  {
    id: 'asked-once-more',
    against: 'a request is sent although its slot or the pause changed while stops were checked',
    file: GATE,
    text: 'if (!signal.aborted && !isPaused && this.#options.store.stillHolds(ticket)) return;',
    without: 'if (!signal.aborted) return;',
    test: gate('a request whose beforeSend took long is not sent if'),
  },
  {
    id: 'lease-by-the-steady-clock',
    against: 'a process sends after its lease has ended, when others use its slots',
    file: HOLDER,
    text: 'steadyMs() < this.#endsAtMs &&',
    without: '',
    test: holder('stops sending before its lease ends'),
  },
  {
    id: 'lease-by-the-wall-clock',
    against: 'a process sends after its machine slept, when others use its slots',
    file: HOLDER,
    text: ' && wallMs() < this.#wallEndsAtMs',
    without: '',
    test: holder('stops sending before its lease ends'),
  },
  {
    id: 'removed-goes-on-as-another',
    against: 'a process that was deregistered continues to send',
    file: HOLDER,
    text: 'if (!renewed) {',
    without: "if (holder === '') {",
    test: holder('without a heartbeat for a lease is removed by the others'),
  },
  {
    id: 'dead-after-a-lease',
    against: 'the slots of a live process are given to others',
    file: HOLDER,
    text: 'nowMs - firstSeenMs >= LEASE_MS',
    without: 'nowMs >= firstSeenMs',
    test: holder('without a heartbeat for a lease is removed by the others'),
  },
  {
    id: 'dead-by-that-beat',
    against: 'a process is deregistered although it has sent a heartbeat since',
    file: TABLE,
    text: 'where holders.holder = dead.holder and holders.beat = dead.beat',
    without: 'where holders.holder = dead.holder',
    test: model('the model of the slot table answers every history as Postgres does'),
  },
  {
    id: 'lost-slots-come-back',
    against: 'slots are never used again after a lost statement',
    file: SLOTS,
    text: 'await freeUnknown(table, account, lease);',
    without: '',
    test: histories('when many statements are lost, each for a moment'),
  },
];

const PAUSES_AND_DAYS: readonly Guard[] = [
  {
    id: 'pause-of-everyone',
    against: 'other processes send during a pause that the provider requested',
    file: SLOTS,
    text: 'Math.max(0, pausedMs, cooldownLeftMs(',
    without: 'Math.max(0, cooldownLeftMs(',
    test: slots('a pause applies to everyone, and a later shorter one does not end it'),
  },
  {
    id: 'longer-pause-stays',
    against: 'a shorter pause ends a longer one',
    file: TABLE,
    text: `  where least(
    extract(epoch from request_gates.paused_until - clock_timestamp()) * 1000, request_gates.paused_for_ms
  ) <= excluded.paused_for_ms`,
    without: '',
    test: slots('a pause applies to everyone, and a later shorter one does not end it'),
  },
  {
    id: 'pause-of-those-that-wait',
    against: 'requests that already have a slot are sent during a pause',
    file: GATE,
    text: 'Math.max(admission.readyAtMs, this.#pausedUntilMs);',
    without: 'admission.readyAtMs;',
    test: gate('a pause also holds back requests that already have a slot'),
  },
  {
    id: 'pause-before-the-slot',
    against: 'another process takes a slot and sends before it knows of the pause',
    file: GATE,
    text: 'this.#pausing.then(release, release)',
    without: 'release()',
    test: gate('a pause is stored before the slot'),
  },
  {
    id: 'pause-when-asked',
    against: 'all processes continue to send after a 429',
    file: 'provider/calls/api-caller.ts',
    text: 'if (pause !== null) slot.pause(pause.forMs);',
    without: 'if (pause === undefined) slot.pause(null);',
    test: answers('a 429 without Retry-After requests a pause without a duration'),
  },
  {
    id: 'limited-is-not-refused',
    against: 'a row is rejected because of too many requests',
    file: 'provider/calls/answer-outcomes.ts',
    text: "  { statuses: [429], kind: 'rate_limited', reason: 'the provider asked for a pause' },\n",
    without: '',
    test: answers('429'),
  },
  {
    id: 'day-has-its-budget',
    against: 'more requests are sent than the daily limit allows',
    file: TABLE,
    text: 'coalesce((select requests from used), 0) >= $4::integer and $4::integer > 0 as is_spent',
    without: '$4::integer < 0 as is_spent',
    test: slots('the last requests of a day are reserved for finishing'),
  },
  {
    id: 'day-counted-in-turn',
    against: 'processes that ask at the same time exceed the daily limit',
    file: TABLE,
    text: 'from clock) for update\n',
    without: 'from clock)\n',
    test: slots('processes that ask at the same time do not exceed the daily limit'),
  },
  {
    id: 'reserve-of-a-day',
    against: 'quotes and creations use up the daily limit, so that created payments are neither funded nor confirmed',
    file: SLOTS,
    text: 'mayUseReserve ? limits.perDay : usablePerDay(limits);',
    without: 'limits.perDay;',
    test: slots('the last requests of a day are reserved for finishing'),
  },
  {
    id: 'reserve-for-finishing',
    against: 'every request uses the daily reserve for finishing payments',
    file: 'provider/operations.ts',
    text: 'return RESERVE_OPERATIONS.has(operation);',
    without: 'return RESERVE_OPERATIONS.size > 0;',
    test: session('the request for a token passes the gate like every other one'),
  },
  {
    id: 'reads-leave-room',
    against: 'reads of payments in flight use the limit that new payments need',
    file: 'domain/payments/poll-schedule.ts',
    text: 'Math.min(round.minGapMs, settings.maxUnhintedGapMs), 1);',
    without: '1);',
    test: {
      file: 'test/domain/poll-schedule.test.ts',
      name: 'leaves most of the limit to payments when one read is not enough',
    },
  },
  {
    id: 'token-renewed-by-one',
    against: 'every process requests its own token when one expires',
    file: TOKENS,
    text: 'where provider_token_turns.held_until < clock_timestamp()`,',
    without: '`,',
    test: tokens('is requested by nobody else during a renewal'),
  },
  {
    id: 'token-of-the-turn-before',
    against: 'a process that waited for a token requests another one',
    file: TOKENS,
    text: 'if (isGood(stored)) return stored;\n        const renewed',
    without: 'if (stored === undefined) return stored;\n        const renewed',
    test: tokens('is requested once when two have read the old one before a renewal'),
  },
];

export const LIMIT_GUARDS: readonly Guard[] = [...IN_A_SECOND, ...HOLDERS, ...PAUSES_AND_DAYS];
