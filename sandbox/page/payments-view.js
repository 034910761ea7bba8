import { act, call } from './calls.js';
import { byId, element, fillRow, fillRows, timeOfDay } from './elements.js';
import { grouped } from './ledger-view.js';

const looks = { completed: 'good', rejected: 'bad', failed: 'bad', processing: 'warn' };
const rows = new Map();

/** The statuses with a button; the initial status needs none. */
const forcible = (statuses) => statuses.filter((status) => status !== 'awaiting_funds');

/** Keeps one row per payment, so that a button keeps its focus while new payments appear above it. */
export function showPayments(payments, statuses, refresh) {
  const body = byId('payments');
  if (payments.length === 0) {
    rows.clear();
    fillRows(body, [], 'No payment yet. docs/sandbox.md shows how to make one by hand.');
    return;
  }
  if (rows.size === 0) body.replaceChildren();
  const shown = new Set(payments.map(({ id }) => id));
  for (const [id, row] of rows) {
    if (shown.has(id)) continue;
    row.remove();
    rows.delete(id);
  }
  payments.forEach((payment, index) => {
    if (!rows.has(payment.id)) rows.set(payment.id, newRow(payment, statuses, refresh));
    const row = rows.get(payment.id);
    if (body.rows[index] !== row) body.insertBefore(row, body.rows[index] ?? null);
    showPayment(row, payment);
  });
}

function newRow({ id, referenceId }, statuses, refresh) {
  const row = element('tr');
  for (let cell = 0; cell < 6; cell++) row.insertCell();
  const buttons = forcible(statuses).map((status) => {
    const force = () => call('POST', 'force', { simplePaymentId: id, status, reason: 'Forced on the sandbox page' });
    const describe = () => `${referenceId ?? id} is ${status}`;
    const button = element('button', { type: 'button', textContent: status, value: status });
    button.setAttribute('aria-label', `Force ${referenceId ?? id} to ${status}`);
    button.addEventListener('click', () => void act(byId('payments-outcome'), force, describe).then(refresh));
    return button;
  });
  row.insertCell().append(element('div', { className: 'buttons' }, ...buttons));
  return row;
}

function showPayment(row, payment) {
  const { status, reason, timesFunded, timesRefunded } = payment;
  const cells = [
    timeOfDay(payment.createdAt),
    { text: payment.referenceId ?? '(none)', title: payment.id, className: 'long' },
    { text: `${payment.buyCurrency} ${grouped(payment.buyAmount)}`, className: 'number' },
    { text: `${payment.sellCurrency} ${grouped(payment.totalAmount)}`, className: 'number' },
    { text: reason === null ? status : `${status}: ${reason}`, className: `long ${looks[status] ?? ''}`.trim() },
    {
      text: timesRefunded > 0 ? `${timesFunded}, refunded ${timesRefunded}` : timesFunded,
      className: fundedLook(payment),
    },
  ];
  fillRow(row, cells, 'keep');
  for (const button of row.querySelectorAll('button')) {
    // A disabled button would lose the focus. It stays enabled, and the sandbox refuses the call.
    button.disabled = button.value === status && button !== document.activeElement;
  }
}

const fundedLook = ({ timesFunded }) => (timesFunded > 1 ? 'number bad' : 'number');
