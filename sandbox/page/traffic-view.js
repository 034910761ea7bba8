import { byId, fillRows, setText, timeOfDay } from './elements.js';

const lookOfStatus = (status) => (status === 0 || status >= 500 ? 'bad' : status >= 400 ? 'warn' : '');
const outcomeLooks = { delivered: 'good', given_up: 'bad', dropped: 'bad', waiting: 'warn' };

export function showRequests(requests) {
  fillRows(
    byId('requests'),
    requests.map(({ at, operation, status, tookMs }) => [
      timeOfDay(at),
      operation,
      {
        text: status === 0 ? 'reset' : status,
        className: `number ${lookOfStatus(status)}`.trim(),
        title: status === 0 ? 'the connection was reset before an answer' : '',
      },
      { text: `${tookMs < 10 ? tookMs.toFixed(1) : Math.round(tookMs)} ms`, className: 'number' },
    ]),
    'No request was authorized yet.',
  );
}

export function showWebhooks({ url, deliveries }) {
  setText(byId('webhook-address'), url ?? 'no address is set');
  fillRows(
    byId('deliveries'),
    deliveries.map(({ at, about, status, attempts, lastStatus, outcome }) => [
      timeOfDay(at),
      `${about} ${status ?? ''}`.replaceAll('_', ' ').trim(),
      { text: outcome.replaceAll('_', ' '), className: outcomeLooks[outcome] ?? '' },
      { text: attempts, className: 'number' },
      { text: lastStatus ?? (attempts > 0 ? 'none' : ''), className: 'number' },
    ]),
    'No notification was sent yet.',
  );
}
