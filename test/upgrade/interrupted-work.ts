import type { ExampleClients } from '../../local/demo/example-users.ts';
import { demoApplicants } from '../../local/demo/onboarding-files.ts';
import { aRow, csvOf, type PaymentRow } from '../../fixtures/payment-rows.ts';
import { approveOverHttp } from '../helpers/decide-over-http.ts';
import { decideOrder, placedOrder } from '../helpers/orders-over-http.ts';
import { until } from '../helpers/until.ts';
import type { Installation } from './installation.ts';

export const ROWS = 60;
/** Of a run that waits for its approval. */
export const WAITING_ROWS = 5;
/** The provider confirms these only when it is told to: their workflows are open for as long. */
export const STUCK_ROWS = 2;
/** Sent before the upgrade. */
const SENT_BEFORE = 15;

/** Runs, conversions and onboarding cases in the middle of their work. */
export interface InterruptedWork {
  /** The first waits for its approval, the second is being paid. */
  runIds: [waiting: string, paying: string];
  /** The first waits for its approval, the second was just approved. */
  orderIds: [waiting: string, approved: string];
  /** The provider decides on the first, the second is being prepared. */
  caseIds: [screened: string, preparing: string];
}

export async function beginWork(
  clients: ExampleClients,
  { control }: Pick<Installation, 'control'>,
): Promise<InterruptedWork> {
  const { maker, checker, treasurer, onboarder } = clients;
  for (const amount of ['1.00', '9000000.00']) await control('balance', { currency: 'USD', amount });
  await until(async () => {
    const [account] = (await maker.listBalances()).accounts;
    return account?.balances.some(({ currency, free }) => currency === 'USD' && Number(free) === 9_000_000) === true;
  });
  const { person, company } = await demoApplicants();
  // Without the name on which the sandbox decides by itself.
  const undecided = { ...person, content: person.content.toString().replace(/ RESUBMIT$/m, '') };
  const screened = (await onboarder.submitApplicants(company)).cases[0]?.caseId ?? '';
  await untilCaseIs(clients, screened, 'screening');
  const waiting = await placedOrder(treasurer, 'EUR');
  const approved = await placedOrder(treasurer, 'GBP');
  const waitingRows = Array.from({ length: WAITING_ROWS }, (_, index) => aRow(ROWS + index + 1));
  const waitingRun = await proposedRun(clients, waitingRows);
  const rows = Array.from({ length: ROWS }, (_, index) =>
    aRow(index + 1, index < STUCK_ROWS ? { beneficiary_company_name: `STUCK Supplier ${index} Ltd` } : {}),
  );
  const runId = await proposedRun(clients, rows);
  await approveOverHttp(checker, runId);
  await until(async () => {
    const { funded = 0, processing = 0, paid = 0 } = (await maker.getRun({ runId })).rows;
    return funded + processing + paid >= SENT_BEFORE;
  });
  await decideOrder(checker, approved, 'approveOrder');
  const preparing = (await onboarder.submitApplicants(undecided)).cases[0]?.caseId ?? '';
  await until(async () => (await stateOf(clients, preparing)) !== 'draft');
  return { runIds: [waitingRun, runId], orderIds: [waiting, approved], caseIds: [screened, preparing] };
}

async function proposedRun({ maker }: ExampleClients, rows: PaymentRow[]): Promise<string> {
  const { runId } = await maker.submitRun({ fileName: `${rows.length}-rows.csv`, file: csvOf(rows) });
  await until(async () => (await maker.getRun({ runId })).state === 'in_approval');
  return runId;
}

/** Waits until all rows of the run that is being paid are paid but those that are stuck. */
export async function untilOthersArePaid({ maker }: ExampleClients, { runIds }: InterruptedWork): Promise<void> {
  await until(async () => (await maker.getRun({ runId: runIds[1] })).rows.paid === ROWS - STUCK_ROWS);
}

/** Does what people and the provider still have to do, and waits for the end of everything. */
export async function finishWork(
  clients: ExampleClients,
  { control }: Pick<Installation, 'control'>,
  work: InterruptedWork,
): Promise<void> {
  const { maker, checker, onboarder } = clients;
  const [waitingRun, payingRun] = work.runIds;
  await approveOverHttp(checker, waitingRun);
  await decideOrder(checker, work.orderIds[0], 'approveOrder');
  for (const orderId of work.orderIds)
    await until(async () => (await checker.getOrder({ orderId })).state === 'settled');
  for (const caseId of work.caseIds) {
    await untilCaseIs(clients, caseId, 'screening');
    const { userId } = await onboarder.getCase({ caseId, values: false });
    await control('force', { userId, status: 'approved' });
    await untilCaseIs(clients, caseId, 'approved');
  }
  for await (const { rowRef, state } of maker.eachRow({ runId: payingRun })) {
    if (state === 'paid') continue;
    const { providerPaymentId } = await maker.getRow({ runId: payingRun, rowRef });
    await control('force', { simplePaymentId: providerPaymentId, status: 'completed' });
  }
  for (const runId of work.runIds) await until(async () => (await maker.getRun({ runId })).state === 'completed');
}

function untilCaseIs(clients: ExampleClients, caseId: string, state: string): Promise<true> {
  return until(async () => (await stateOf(clients, caseId)) === state);
}

async function stateOf({ onboarder }: ExampleClients, caseId: string): Promise<string> {
  return (await onboarder.getCase({ caseId, values: false })).state;
}
