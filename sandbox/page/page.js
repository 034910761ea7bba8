import { act, call } from './calls.js';
import { byId, fillRows, setChoices, setText } from './elements.js';
import { prepareFaults, showFaults } from './faults-view.js';
import { showLedger } from './ledger-view.js';
import { showPayments } from './payments-view.js';
import { showRequests, showWebhooks } from './traffic-view.js';

const REFRESH_MS = 1000;
/** A large sandbox answers more slowly: the page waits at least this many times as long as the answer took. */
const MIN_WAIT_FACTOR = 10;

let statuses = [];
let timer;
let refreshNumber = 0;

/** Updates everything; the result of an earlier refresh that is still running is ignored. */
async function refresh() {
  clearTimeout(timer);
  refreshNumber += 1;
  const ownNumber = refreshNumber;
  const beganMs = performance.now();
  try {
    const overview = await call('GET', 'overview');
    if (ownNumber !== refreshNumber) return;
    show(overview);
    showConnected();
  } catch (error) {
    if (ownNumber !== refreshNumber) return;
    showDisconnected(error);
  }
  const tookMs = performance.now() - beganMs;
  clearTimeout(timer);
  timer = setTimeout(refreshIfVisible, Math.max(REFRESH_MS, tookMs * MIN_WAIT_FACTOR));
}

/** A page in the background sends no requests. */
function refreshIfVisible() {
  if (!document.hidden) void refresh();
}

function show(overview) {
  setText(byId('now'), `${overview.now.slice(0, 10)} ${overview.now.slice(11, 19)} UTC`);
  showLedger(overview);
  showPayments(overview.payments, statuses, refresh);
  showRequests(overview.requests);
  showWebhooks(overview.webhooks);
  showFaults(overview.faults);
}

function showConnected() {
  byId('lost').hidden = true;
  document.querySelector('main').classList.remove('stale');
}

function showDisconnected(error) {
  const since = byId('lost').hidden ? new Date().toTimeString().slice(0, 8) : byId('lost').dataset.since;
  byId('lost').dataset.since = since;
  setText(byId('lost'), `No answer from the sandbox since ${since}; the page shows older data. (${error.message})`);
  byId('lost').hidden = false;
  document.querySelector('main').classList.add('stale');
}

function prepareClock() {
  for (const button of document.querySelectorAll('[data-advance-ms]')) {
    const advance = () => call('POST', 'clock', { advanceMs: Number(button.dataset.advanceMs) });
    const describe = ({ now }) => `The clock was moved by ${button.textContent.slice(1)}, to ${now}`;
    button.addEventListener('click', () => void act(byId('clock-outcome'), advance, describe).then(refresh));
  }
}

async function start() {
  try {
    const [choices, magicValues] = await Promise.all([call('GET', 'choices'), call('GET', 'magic-values')]);
    statuses = choices.paymentStatuses;
    setChoices(
      byId('account'),
      choices.accounts.map(({ key, name }) => ({ value: key, text: name })),
    );
    fillRows(
      byId('magic-values'),
      magicValues.map(({ when, then }) => [when, then]),
      'None.',
    );
    prepareFaults(choices, refresh);
  } catch (error) {
    showDisconnected(error);
    setTimeout(start, REFRESH_MS);
    return;
  }
  prepareClock();
  byId('account').addEventListener('change', () => void refresh());
  document.addEventListener('visibilitychange', refreshIfVisible);
  await refresh();
}

void start();
