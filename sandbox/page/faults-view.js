import { act, call } from './calls.js';
import { byId, element, fillRows, setChoices, setText } from './elements.js';
import { presets } from './fault-presets.js';

const operationSelect = byId('fault-operation');
const kindSelect = byId('fault-kind');
let kinds = [];

/** Fills the choices once, and adds the event listeners; `refresh` is called after each change. */
export function prepareFaults(choices, refresh) {
  kinds = choices.kinds;
  setChoices(operationSelect, [
    { value: '*', text: 'every operation (*)' },
    ...choices.operations.map((operation) => ({ value: operation, text: operation })),
    { value: 'webhook', text: 'webhook (notifications)' },
  ]);
  operationSelect.addEventListener('change', offerKinds);
  kindSelect.addEventListener('change', describeKind);
  offerKinds();
  const add = (spec) =>
    void act(
      byId('faults-outcome'),
      () => call('POST', 'faults', [spec]),
      () => `Added: ${sentence(spec)}`,
    ).then(refresh);
  byId('fault-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const entries = [...new FormData(event.target)].filter(([, value]) => value.trim() !== '');
    // Other texts are sent unchanged: the sandbox answers what is wrong with them.
    add(
      Object.fromEntries(entries.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)])),
    );
  });
  byId('remove-faults').addEventListener('click', () => {
    const remove = () => call('DELETE', 'faults');
    void act(byId('faults-outcome'), remove, () => 'All faults are removed').then(refresh);
  });
  const offered = presets.filter(
    ({ spec: { operation, kind } }) =>
      kinds.some((known) => known.kind === kind) && ['*', 'webhook', ...choices.operations].includes(operation),
  );
  byId('presets').replaceChildren(
    ...offered.map(({ label, spec }) => {
      const button = element('button', { type: 'button', textContent: label, title: sentence(spec) });
      button.addEventListener('click', () => add(spec));
      return button;
    }),
  );
}

const appliesTo = ({ target, only, except = [] }, operation) =>
  (target === 'webhook') === (operation === 'webhook') &&
  (only === undefined || only.includes(operation)) &&
  !except.includes(operation);

function offerKinds() {
  const offered = kinds.filter((kind) => appliesTo(kind, operationSelect.value));
  setChoices(
    kindSelect,
    offered.map(({ kind }) => ({ value: kind, text: kind })),
  );
  describeKind();
}

/** Describes the kind, and shows a field for each of its settings. */
function describeKind() {
  const chosen = kinds.find(({ kind }) => kind === kindSelect.value);
  setText(byId('kind-description'), chosen?.description ?? '');
  byId('fault-settings').replaceChildren(
    ...Object.entries(chosen?.settings ?? {}).map(([name, defaultValue]) =>
      element(
        'label',
        {},
        `${name} `,
        element('input', { name, placeholder: defaultValue ?? 'none', size: 6, inputMode: 'numeric' }),
      ),
    ),
  );
}

const sentence = ({ operation, kind, ...more }) =>
  [`${kind} on ${operation}`, ...Object.entries(more).map(([name, value]) => `${name} ${value}`)].join(', ');

export function showFaults(faults) {
  fillRows(
    byId('faults'),
    faults.map(({ operation, kind, nth, every, probability, struck, left }) => [
      operation,
      { text: kind, title: kinds.find((known) => known.kind === kind)?.description ?? '' },
      whenOf(nth, every, probability),
      { text: struck, className: struck > 0 ? 'number warn' : 'number' },
      { text: left ?? 'unlimited', className: left === 0 ? 'number empty' : 'number' },
    ]),
    'None.',
  );
  byId('remove-faults').disabled = faults.length === 0;
}

const whenOf = (nth, every, probability) =>
  [
    nth > 1 ? `from number ${nth} on` : '',
    every > 1 ? `every ${every}th` : '',
    probability < 1 ? `${Math.round(probability * 1000) / 10} %` : '',
  ]
    .filter((part) => part !== '')
    .join(', ') || 'every request';
