import { WEBHOOK_KINDS } from '../fault-choices.ts';
import { happens, MINUTE_MS, oneOf, randomClockOffset, randomOutage, randomServices } from '../random-choices.ts';
import {
  atRandomMoment,
  atRandomStep,
  interruptedWrite,
  lostAnswersOf,
  ONBOARDING_STEPS,
  type OnboardingClass,
  randomFaultsOn,
  stepTrigger,
  usualApplicants,
} from './onboarding-choices.ts';

const DOCUMENT_STEPS = ONBOARDING_STEPS.filter((step) => step.startsWith('document-'));

/** All classes of scenarios of onboarding, by title. */
export const ONBOARDING_CLASSES: Readonly<Record<string, OnboardingClass>> = {
  'lost, damaged or late answers': (random) => ({ faults: randomFaultsOn(random, 10, ONBOARDING_STEPS) }),
  'lost answers to sign-ups': (random) => ({
    applicants: usualApplicants(random),
    faults: [...lostAnswersOf(random, 'user-signup-v2'), ...lostAnswersOf(random, 'user-get')],
  }),
  'sign-ups whose answers have no user id': (random) => ({
    sandbox: { signupUserId: 'omitted' },
    webhooks: happens(random, 0.8),
    faults: WEBHOOK_KINDS.map((kind) => ({ operation: 'webhook', kind, probability: 0.2 })),
  }),
  'sign-ups that fail before or after they took effect': (random) => ({
    faults: randomFaultsOn(random, 6, ['user-signup-v2']),
  }),
  'a killed worker': (random, applicants) => ({
    disruptions: [atRandomStep(random, applicants, { kind: 'kill', services: ['worker'] })],
    faults: happens(random, 0.3) ? randomFaultsOn(random, 2, ONBOARDING_STEPS) : [],
  }),
  'killed services': (random, applicants) => ({
    disruptions: [atRandomMoment(random, applicants, { kind: 'kill', services: randomServices(random) })],
  }),
  'a connection to Postgres that ends between two writes': (random, applicants) => ({
    disruptions: [interruptedWrite(random, applicants.length), interruptedWrite(random, applicants.length)],
  }),
  'reset connections to the provider': (random, applicants) => ({
    disruptions: [atRandomStep(random, applicants, { kind: 'cut_provider', forMs: oneOf(random, [0, 0, 500, 3_000]) })],
  }),
  'a frozen worker while another one continues': (random, applicants) => ({
    workers: 2,
    disruptions: [atRandomStep(random, applicants, { kind: 'freeze_worker', forMs: random.between(11_500, 18_000) })],
    faults: happens(random, 0.3) ? randomFaultsOn(random, 2, ONBOARDING_STEPS) : [],
  }),
  'a worker that is frozen at a sign-up': (random) => {
    const applicants = usualApplicants(random);
    const signedUp = applicants.filter(({ way }) => way !== 'taken_over').length;
    const nth = random.between(1, Math.max(1, signedUp));
    return {
      applicants,
      workers: 2,
      disruptions: [
        {
          trigger: {
            on: 'request',
            operation: 'user-signup-v2',
            nth,
            phase: oneOf(random, ['sent', 'processed'] as const),
          },
          action: { kind: 'freeze_worker', forMs: random.between(13_000, 20_000) },
        },
      ],
    };
  },
  'Postgres unreachable': (random, applicants) => ({
    disruptions: [atRandomMoment(random, applicants, randomOutage(random, 'disconnect_postgres'))],
  }),
  'Temporal unreachable': (random, applicants) => ({
    disruptions: [atRandomMoment(random, applicants, randomOutage(random, 'disconnect_temporal'))],
  }),
  'failing and forged webhooks': (random, applicants) => ({
    webhooks: true,
    faults: WEBHOOK_KINDS.map((kind) => ({ operation: 'webhook', kind, probability: 0.3 })),
    disruptions: [atRandomStep(random, applicants, { kind: 'forge_user_webhooks' })],
  }),
  'no webhooks': (random) => ({ webhooks: false, faults: lostAnswersOf(random, 'user-signup-v2') }),
  'documents that arrive damaged, late or not at all': (random) => ({
    applicants: usualApplicants(random).map((plan) => ({ ...plan, documents: 3 })),
    faults: randomFaultsOn(random, 8, DOCUMENT_STEPS),
  }),
  'new documents that the provider asks for': (random) => ({
    applicants: usualApplicants(random).map((plan) => ({
      ...plan,
      firstName: 'RESUBMIT',
      newFiles: happens(random, 0.8),
    })),
    faults: randomFaultsOn(random, 4, ['document-patch', 'document-upload-file', 'user-screen', 'company-get']),
  }),
  'screenings whose answers prove nothing': (random) => ({
    sandbox: { screeningAnswer: 'old', userLagMs: oneOf(random, [0, 100, 250]) },
    faults: [...lostAnswersOf(random, 'user-screen'), ...randomFaultsOn(random, 2, ['user-screen', 'user-get'])],
  }),
  'refusals of what the onboarder gave': (random) => ({
    applicants: usualApplicants(random),
    faults: ['user-detail-patch', 'company-patch', 'document-create', 'user-screen', 'user-signup-v2'].map(
      (operation) => ({
        operation,
        kind: 'error_before' as const,
        status: oneOf(random, [400, 404, 410, 422]),
        nth: random.between(1, 5),
      }),
    ),
  }),
  'applicants who are withdrawn before anything is sent': (random) => ({
    applicants: usualApplicants(random).map((plan) => ({
      ...plan,
      withdrawn: happens(random, 0.6) ? 'at_once' : null,
    })),
    disruptions: happens(random, 0.7)
      ? [{ trigger: { on: 'submitted' }, action: { kind: 'kill', services: ['worker'] } }]
      : [],
  }),
  'users who are taken over': (random, applicants) => ({
    applicants: applicants.map((plan) => ({
      ...plan,
      withdrawn: null,
      way: oneOf(random, ['taken_over', 'taken_over', 'other_person', 'csv'] as const),
    })),
    faults: randomFaultsOn(random, 3, ['user-get', 'user-detail-patch', 'company-patch']),
  }),
  'reads that show changes late': (random) => ({
    sandbox: { userLagMs: oneOf(random, [250, 1_000]) },
    faults: happens(random, 0.5) ? randomFaultsOn(random, 2, ['user-get', 'user-detail-get', 'user-screen']) : [],
  }),
  'tokens and addresses that expire early': (random) => ({
    sandbox: { tokenTtlMs: oneOf(random, [2_000, 5_000]), documentTtlMs: oneOf(random, [1_500, 300_000]) },
    faults: randomFaultsOn(random, 2, ONBOARDING_STEPS),
  }),
  'clocks that differ or jump': (random, applicants) => ({
    workers: 2,
    clocksMs: [randomClockOffset(random), happens(random, 0.5) ? randomClockOffset(random) : 0],
    disruptions: happens(random, 0.6)
      ? [atRandomMoment(random, applicants, { kind: 'jump_clock', byMs: randomClockOffset(random) })]
      : [],
  }),
  'services that fail at the submission': (random) => ({
    disruptions: [
      {
        trigger: { on: 'submitted' },
        action: oneOf(random, [
          { kind: 'kill', services: ['server'] },
          { kind: 'kill', services: ['postgres'] },
          { kind: 'disconnect_temporal', how: 'refuse', forMs: 6_000 },
          { kind: 'disconnect_postgres', how: 'reset', forMs: 0 },
        ] as const),
      },
    ],
  }),
  'a full disk': (random, applicants) => ({
    disruptions: [atRandomMoment(random, applicants, { kind: 'fill_disk', forMs: random.between(1_000, 4_000) })],
  }),
  'everything at once': (random, applicants) => ({
    workers: 2,
    clocksMs: [oneOf(random, [-5, 1, 11]) * MINUTE_MS, 0],
    sandbox: { tokenTtlMs: oneOf(random, [4_000, 600_000]) },
    faults: [
      ...randomFaultsOn(random, 4, ONBOARDING_STEPS),
      ...WEBHOOK_KINDS.map((kind) => ({ operation: 'webhook', kind, probability: 0.1 })),
    ],
    disruptions: [
      interruptedWrite(random, applicants.length),
      atRandomMoment(random, applicants, { kind: 'kill', services: randomServices(random) }),
      atRandomMoment(
        random,
        applicants,
        oneOf(random, [randomOutage(random, 'disconnect_postgres'), randomOutage(random, 'disconnect_temporal')]),
      ),
      { trigger: stepTrigger(random, applicants), action: { kind: 'cut_provider', forMs: 0 } },
    ],
  }),
};
