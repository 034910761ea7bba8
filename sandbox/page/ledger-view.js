import { byId, element, fillRows, setClass, setText, timeOfDay } from './elements.js';

const list = (texts) => (texts.length > 3 ? `${texts.slice(0, 3).join(', ')} …` : texts.join(', '));

function agreement(invariantHolds) {
  if (invariantHolds === null) return { value: '? too many entries; GET ledger checks them', look: '' };
  return { value: invariantHolds ? '✓ yes' : '✗ no', look: invariantHolds ? 'good' : 'bad' };
}

/** The main results. Each has a text with the same meaning as its colour. */
function verdictsOf(ledger) {
  const { createdMoreThanOnce, fundedMoreThanOnce, invariantHolds, requests, credentialLeaks } = ledger;
  const signedUpMoreThanOnce = ledger.signedUpMoreThanOnce.map((userIds) => userIds.join(' and '));
  const never = (name, references) => ({
    name,
    value: references.length === 0 ? '✓ none' : `✗ ${references.length}: ${list(references)}`,
    look: references.length === 0 ? 'good' : 'bad',
  });
  return [
    { name: 'Books balance', ...agreement(invariantHolds) },
    never('Created more than once', createdMoreThanOnce),
    never('Funded more than once', fundedMoreThanOnce),
    never('Signed up more than once', signedUpMoreThanOnce),
    {
      name: 'Credential leaks',
      value: credentialLeaks === 0 ? '✓ none' : `✗ ${credentialLeaks}`,
      look: credentialLeaks === 0 ? 'good' : 'bad',
    },
    {
      name: 'Rejected by the limit',
      value: ledger.rejectedByLimit === 0 ? '✓ none' : `! ${ledger.rejectedByLimit}`,
      look: ledger.rejectedByLimit === 0 ? 'good' : 'warn',
    },
    { name: 'Requests', value: String(requests.total), look: '' },
    { name: 'Maximum in any second', value: String(ledger.mostInAnySecond), look: '' },
  ];
}

export function showLedger({ ledger, changes }) {
  const verdicts = byId('verdicts');
  verdictsOf(ledger).forEach(({ name, value, look }, index) => {
    const item = verdicts.children[index] ?? verdicts.appendChild(element('li', {}, element('span'), element('b')));
    setText(item.firstElementChild, name);
    setText(item.lastElementChild, value);
    setClass(item, look);
  });
  fillRows(
    byId('balances'),
    Object.entries(ledger.balances).map(([currency, amount]) => [
      currency,
      { text: grouped(amount), className: 'number' },
    ]),
    'No balance yet.',
  );
  fillRows(
    byId('changes'),
    changes.map(({ at, type, change, amountAfter, currency }) => [
      timeOfDay(at),
      type.replaceAll('_', ' '),
      { text: `${change.startsWith('-') ? '−' : '+'}${grouped(change.replace('-', ''))}`, className: 'number' },
      { text: `${currency} ${grouped(amountAfter)}`, className: 'number' },
    ]),
    'No money has moved yet.',
  );
  const counts = Object.entries(ledger.payments).map(([status, count]) => `${count} ${status.replaceAll('_', ' ')}`);
  setText(byId('payment-counts'), counts.length > 0 ? `Total: ${counts.join(', ')}` : '');
}

/** A decimal string with thousands separators. It never becomes a float. */
export function grouped(amount) {
  const [whole, fraction] = amount.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}
