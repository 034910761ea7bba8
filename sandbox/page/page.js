import { act, call } from './calls.js';
import { byId, fillRows, setChoices, setText } from './elements.js';
import { prepareFaults, showFaults } from './faults-view.js';
import { showLedger } from './ledger-view.js';
import { showPayments } from './payments-view.js';
import { showRequests, showWebhooks } from './traffic-view.js';

const REFRESH_MS = 1000;
/** A sandbox that holds very much needs longer to add it up: the page takes at most this part of its time. */
const PART_OF_ITS_TIME = 10;

let statuses = [];
let timer;
let asked = 0;

/** Shows everything anew; of two looks under way only the later counts. */
async function refresh() {
  clearTimeout(timer);
  asked += 1;
  const mine = asked;
  const beganMs = performance.now();
  try {
    const seen = await call('GET', 'overview');
    if (mine !== asked) return;
    show(seen);
    found();
  } catch (error) {
    if (mine !== asked) return;
    lost(error);
  }
  const tookMs = performance.now() - beganMs;
  clearTimeout(timer);
  timer = setTimeout(refreshIfSeen, Math.max(REFRESH_MS, tookMs * PART_OF_ITS_TIME));
}

/** A page in the background asks nothing. */
function refreshIfSeen() {
  if (!document.hidden) void refresh();
}

function show(seen) {
  setText(byId('now'), `${seen.now.slice(0, 10)} ${seen.now.slice(11, 19)} UTC`);
  showLedger(seen);
  showPayments(seen.payments, statuses, refresh);
  showRequests(seen.requests);
  showWebhooks(seen.webhooks);
  showFaults(seen.faults);
}

function found() {
  byId('lost').hidden = true;
  document.querySelector('main').classList.remove('stale');
}

function lost(error) {
  const since = byId('lost').hidden ? new Date().toTimeString().slice(0, 8) : byId('lost').dataset.since;
  byId('lost').dataset.since = since;
  setText(byId('lost'), `No answer from the sandbox since ${since}; what is shown is older. (${error.message})`);
  byId('lost').hidden = false;
  document.querySelector('main').classList.add('stale');
}

function prepareClock() {
  for (const button of document.querySelectorAll('[data-advance-ms]')) {
    const advance = () => call('POST', 'clock', { advanceMs: Number(button.dataset.advanceMs) });
    const told = ({ now }) => `The clock was moved by ${button.textContent.slice(1)}, to ${now}`;
    button.addEventListener('click', () => void act(byId('clock-outcome'), advance, told).then(refresh));
  }
}

async function start() {
  try {
    const [choices, meanings] = await Promise.all([call('GET', 'choices'), call('GET', 'meanings')]);
    statuses = choices.paymentStatuses;
    setChoices(
      byId('account'),
      choices.accounts.map(({ key, name }) => ({ value: key, text: name })),
    );
    fillRows(
      byId('meanings'),
      meanings.map(({ when, then }) => [when, then]),
      'None.',
    );
    prepareFaults(choices, refresh);
  } catch (error) {
    lost(error);
    setTimeout(start, REFRESH_MS);
    return;
  }
  prepareClock();
  byId('account').addEventListener('change', () => void refresh());
  document.addEventListener('visibilitychange', refreshIfSeen);
  await refresh();
}

void start();
