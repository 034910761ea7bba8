import type { Guard } from './guard.ts';

/** What keeps requests within the provider's limit, whoever sends, and lets everyone have their turn. */

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
    against: 'a slot that is in use is given to another request as well',
    file: TABLE,
    text: 'and (slots.holder is null or not exists (select from slot_holders where holder = slots.holder))',
    without: '',
    test: slots('trap 33: however many processes ask at once'),
  },
  {
    id: 'slot-still-as-seen',
    against: 'two processes that look at the same moment are given the same slot',
    file: TABLE,
    text: '\n      and slots.lease is not distinct from seen.lease and slots.free_at = seen.free_at',
    without: '',
    test: slots('trap 33: however many processes ask at once'),
  },
  {
    id: 'slots-of-the-limit',
    against: 'more is sent than a limit allows that was lowered',
    file: TABLE,
    text: 'and slots.slot < $3::integer and not',
    without: 'and $3::integer > 0 and not',
    test: slots('a limit that was lowered holds at once'),
  },
  {
    id: 'slot-rests',
    against: 'a slot is used again less than a second after its last request',
    file: REST,
    text: 'return Math.min(answeredMs + SLOT_COOLDOWN_MS - nowMs, SLOT_COOLDOWN_MS);',
    without: 'return Math.min(answeredMs - nowMs, SLOT_COOLDOWN_MS);',
    test: slots('a slot given back rests for more than a second from the answer'),
  },
  {
    id: 'rests-by-the-steady-clock',
    against: 'a slot is used too soon when the clock of the database is set',
    file: REST,
    text: 'Math.max(byPeerMs, taken.cooldownLeftMs)',
    without: 'taken.cooldownLeftMs',
    test: histories('however often the database’s clock is set'),
  },
  {
    id: 'rests-by-the-database',
    against: 'a slot is used too soon when the machine that freed it slept',
    file: REST,
    text: 'return Math.min(Math.max(byPeerMs, taken.cooldownLeftMs), SLOT_COOLDOWN_MS);',
    without: 'return Math.min(byPeerMs, SLOT_COOLDOWN_MS);',
    test: histories('whatever machines sleep, with their steady clocks standing still'),
  },
  {
    id: 'slot-of-a-dead-process-waits',
    against: 'a slot is reused while a request of a process that died may still be in flight',
    file: REST,
    text: 'return SLOT_COOLDOWN_MS + ORPHAN_GRACE_MS;',
    without: 'return 0;',
    test: slots('the slots of an expired holder are free after a grace period'),
  },
  {
    id: 'broken-off-may-arrive',
    against: 'a slot is used while a request that was broken off may arrive',
    file: GATE,
    text: 'if (answer.atMs === null) this.#giveBackWhenArrived(ticket);',
    without: 'if (answer.atMs === null) this.#giveBack(ticket, 0);',
    test: gate('a request that was broken off may yet arrive'),
  },
  {
    id: 'waits-to-its-instant',
    against: 'a request leaves early since a timer does',
    file: 'provider/gate/gate-clock.ts',
    text: 'await clock.sleep(Math.max(leftMs, 1), signal);',
    without: 'await clock.sleep(Math.max(leftMs, 1), signal);\n    return;',
    test: gate('a wait never ends before its instant'),
  },
  {
    id: 'token-is-counted',
    against: 'the requests for tokens come on top of the limit',
    file: 'provider/calls/api-caller.ts',
    text: '    gate.run(\n',
    without: `    (token === null
      ? { run: (send: any) => send(new AbortController().signal, { answered() {}, pause() {}, recheck() {} }) }
      : gate
    ).run(\n`,
    test: session('the request for a token passes the gate as every other one'),
  },
];

const HOLDERS: readonly Guard[] = [
  {
    id: 'freed-by-its-lease',
    against: 'the late word of a process that was taken for dead frees a slot that another one uses',
    file: TABLE,
    text: 'where account = $1 and lease = $2`;',
    without: 'where account = $1 and $2::uuid is not null`;',
    test: slots('the slots of an expired holder are free after a grace period'),
  },
  {
    id: 'asked-before-sending',
    against: 'a process that was frozen sends on with slots that are in other hands',
    file: GATE,
    text: 'if (this.#options.store.stillHolds(place.ticket)) return',
    without: 'if (place.ticket !== null) return',
    test: gate('a process that the store no longer counts among the living'),
  },
  {
    id: 'asked-once-more',
    against: 'a request leaves whose slot or pause has changed while it asked for stops',
    file: GATE,
    text: 'if (!signal.aborted && !isPaused && this.#options.store.stillHolds(ticket)) return;',
    without: 'if (!signal.aborted) return;',
    test: gate('a request that took its time before it leaves is kept back where'),
  },
  {
    id: 'lease-by-the-steady-clock',
    against: 'a process sends after its lease, when others have its slots',
    file: HOLDER,
    text: 'steadyMs() < this.#endsAtMs &&',
    without: '',
    test: holder('falls silent before its lease ends'),
  },
  {
    id: 'lease-by-the-wall-clock',
    against: 'a process sends after its machine slept, when others have its slots',
    file: HOLDER,
    text: ' && wallMs() < this.#wallEndsAtMs',
    without: '',
    test: holder('falls silent before its lease ends'),
  },
  {
    id: 'removed-goes-on-as-another',
    against: 'a process that the others have removed sends on',
    file: HOLDER,
    text: 'if (!renewed) {',
    without: "if (holder === '') {",
    test: holder('one that was not heard of for a lease is removed by the others'),
  },
  {
    id: 'dead-after-a-lease',
    against: 'the slots of a process that lives are given to others',
    file: HOLDER,
    text: 'nowMs - firstSeenMs >= LEASE_MS',
    without: 'nowMs >= firstSeenMs',
    test: holder('one that was not heard of for a lease is removed by the others'),
  },
  {
    id: 'dead-by-that-beat',
    against: 'a process is removed that was heard of since',
    file: TABLE,
    text: 'where holders.holder = dead.holder and holders.beat = dead.beat',
    without: 'where holders.holder = dead.holder',
    test: model('the model of the slot table answers every history as Postgres does'),
  },
  {
    id: 'lost-slots-come-back',
    against: 'slots whose statement was lost are never used again',
    file: SLOTS,
    text: 'await freeUnknown(account, lease);',
    without: '',
    test: histories('however many statements are lost, each for a moment'),
  },
];

const PAUSES_AND_DAYS: readonly Guard[] = [
  {
    id: 'pause-of-everyone',
    against: 'other processes send into a pause that the provider asked for',
    file: SLOTS,
    text: 'Math.max(0, pausedMs, cooldownLeftMs(',
    without: 'Math.max(0, cooldownLeftMs(',
    test: slots('a pause holds everyone, and a shorter one after it does not end it'),
  },
  {
    id: 'longer-pause-stays',
    against: 'a shorter pause ends a longer one',
    file: TABLE,
    text: `  where least(
    extract(epoch from request_gates.paused_until - clock_timestamp()) * 1000, request_gates.paused_for_ms
  ) <= excluded.paused_for_ms`,
    without: '',
    test: slots('a pause holds everyone, and a shorter one after it does not end it'),
  },
  {
    id: 'pause-of-those-that-wait',
    against: 'requests that have their slot leave into a pause',
    file: GATE,
    text: 'Math.max(place.readyAtMs, this.#pausedUntilMs);',
    without: 'place.readyAtMs;',
    test: gate('a pause holds back also those who have their slot already'),
  },
  {
    id: 'pause-before-the-slot',
    against: 'another process takes a slot and sends before it hears of the pause',
    file: GATE,
    text: 'this.#pausing.then(release, release)',
    without: 'release()',
    test: gate('a pause is stored before the slot goes back'),
  },
  {
    id: 'pause-when-asked',
    against: 'everybody sends on after a 429',
    file: 'provider/calls/api-caller.ts',
    text: 'if (pause !== null) slot.pause(pause.forMs);',
    without: 'if (pause === undefined) slot.pause(null);',
    test: answers('a 429 without it asks for a pause of no named length'),
  },
  {
    id: 'limited-is-not-refused',
    against: 'a row ends as rejected since there were too many requests',
    file: 'provider/calls/answer-meanings.ts',
    text: "  { statuses: [429], kind: 'rate_limited', reason: 'the provider asked for a pause' },\n",
    without: '',
    test: answers('429'),
  },
  {
    id: 'day-has-its-budget',
    against: 'more is sent than a day allows',
    file: TABLE,
    text: 'coalesce((select requests from used), 0) >= $4::integer and $4::integer > 0 as is_spent',
    without: '$4::integer < 0 as is_spent',
    test: slots('the last requests of a day are for finishing'),
  },
  {
    id: 'day-counted-in-turn',
    against: 'processes that ask at once use a day beyond its limit',
    file: TABLE,
    text: 'from clock) for update\n',
    without: 'from clock)\n',
    test: slots('processes that ask at once do not use a day beyond its limit'),
  },
  {
    id: 'reserve-of-a-day',
    against: 'quotes and creations use up a day, and what is created is neither funded nor confirmed',
    file: SLOTS,
    text: 'mayUseReserve ? limits.perDay : usablePerDay(limits);',
    without: 'limits.perDay;',
    test: slots('the last requests of a day are for finishing'),
  },
  {
    id: 'reserve-for-finishing',
    against: 'every request takes from what is kept for those that finish',
    file: 'provider/operations.ts',
    text: 'return FINISHING.has(operation);',
    without: 'return FINISHING.size > 0;',
    test: session('the request for a token passes the gate as every other one'),
  },
  {
    id: 'reads-leave-room',
    against: 'reading what is in flight takes the limit from payments',
    file: 'domain/payments/sweep-schedule.ts',
    text: 'Math.min(round.leastMs, settings.longestUnhintedMs), 1);',
    without: '1);',
    test: {
      file: 'test/domain/sweep-schedule.test.ts',
      name: 'leaves the limit to payments where one read is not enough',
    },
  },
  {
    id: 'token-renewed-by-one',
    against: 'every process asks for a token of its own when one is over',
    file: TOKENS,
    text: 'where provider_token_turns.held_until < clock_timestamp()`,',
    without: '`,',
    test: tokens('is asked for by nobody else while one is at it'),
  },
  {
    id: 'token-of-the-turn-before',
    against: 'whoever waited for a token asks for another one',
    file: TOKENS,
    text: 'if (isGood(stored)) return stored;\n        const renewed',
    without: 'if (stored === undefined) return stored;\n        const renewed',
    test: tokens('is asked for once by two who have read the old one before either was at it'),
  },
];

export const LIMIT_GUARDS: readonly Guard[] = [...IN_A_SECOND, ...HOLDERS, ...PAUSES_AND_DAYS];
