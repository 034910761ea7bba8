import { BREAK_MEANINGS, BREAK_TYPES } from '../../domain/reconciliation/break.ts';
import type { ReconciliationReport } from './reconciliation-report.ts';

/** A piece of HTML. Only `html` makes one, so that every text in it was escaped. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Texts and numbers are escaped, pieces of HTML are not. */
function html(parts: TemplateStringsArray, ...values: readonly (string | number | Html | readonly Html[])[]): Html {
  return new Html(parts.reduce((text, part, index) => `${text}${written(values[index - 1] ?? '')}${part}`));
}

function written(value: string | number | Html | readonly Html[]): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * The report as one page that needs nothing else: no scripts, no fonts, no images. It can be printed. Entries are not listed one by
 * one, as entries.csv has them.
 */
export function writeReportHtml(report: ReconciliationReport): string {
  const { account, fromDay, toDay, madeAt } = report;
  const title = `Reconciliation of ${account}, ${fromDay === toDay ? fromDay : `${fromDay} to ${toDay}`}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${title}</h1>
<p>Made at ${madeAt.toISOString()}. Days are UTC.</p>
${summary(report)}${breaks(report)}${days(report)}${open(report)}
</body>
</html>
`.text;
}

const STYLE = html`
body { font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0 1.5rem; }
caption { text-align: left; padding-bottom: 0.25rem; }
th, td { border-bottom: 1px solid #ccc; padding: 0.25rem 0.5rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.id { font-family: ui-monospace, monospace; font-size: 12px; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } thead { display: table-header-group; } }
`;

function summary({ books, breaks: found, matched }: ReconciliationReport): Html {
  const rows = books.map(
    ({
      day,
      currency,
      state,
      opening,
      closing,
      entryCount,
      isComplete,
    }) => html`<tr><td>${day}</td><td>${currency}</td><td>${state}</td><td class="number">${opening}</td><td class="number">${closing}</td><td class="number">${entryCount}</td><td>${isComplete ? 'leads to the balance that the provider showed' : 'not compared with a balance, or not complete'}</td></tr>
`,
  );
  return html`<h2>Balances</h2>
<table><thead><tr><th>Day</th><th>Currency</th><th>State</th><th class="number">Opening</th><th class="number">Closing</th><th class="number">Entries</th><th>History</th></tr></thead>
<tbody>${rows}</tbody></table>
<p>${matched} expected movements were found. ${found.length === 0 ? 'There are no breaks.' : `There are ${found.length} breaks.`}</p>
`;
}

function breaks(report: ReconciliationReport): Html {
  const tables = BREAK_TYPES.flatMap((type) => {
    const found = report.breaks.filter((one) => one.type === type);
    if (found.length === 0) return [];
    const rows = found.map(
      ({
        currency,
        expected,
        found: amount,
        reason,
        isAmbiguous,
        factIds,
        entryIds,
      }) => html`<tr><td>${currency}</td><td class="number">${expected ?? ''}</td><td class="number">${amount ?? ''}</td><td>${reason}${isAmbiguous ? ' Others have the same amount: it may be any of them.' : ''}</td><td class="id">${[...factIds, ...entryIds].join(' ')}</td></tr>
`,
    );
    return [
      html`<table><caption><strong>${type}</strong> (${found.length}): ${BREAK_MEANINGS[type]}</caption>
<thead><tr><th>Currency</th><th class="number">Expected</th><th class="number">Found</th><th>Reason</th><th>Facts and entries</th></tr></thead>
<tbody>${rows}</tbody></table>
`,
    ];
  });
  return tables.length === 0
    ? html``
    : html`<h2>Breaks</h2>
${tables}`;
}

function days(report: ReconciliationReport): Html {
  if (report.books.length === 0) return html``;
  const rows = report.books.flatMap(({ day, currency, opening, closing, totals, late, contentHash }) => [
    html`<tr><th>${day}</th><th>${currency}</th><th>opening</th><th></th><th class="number">${opening}</th></tr>
`,
    ...totals.map(
      ({
        entryClass,
        count,
        amount,
      }) => html`<tr><td></td><td></td><td>${entryClass}</td><td class="number">${count}</td><td class="number">${amount}</td></tr>
`,
    ),
    ...late.map(
      ({
        ofDay,
        amount,
      }) => html`<tr><td></td><td></td><td>of which of ${ofDay}, posted late</td><td class="number">1</td><td class="number">${amount}</td></tr>
`,
    ),
    html`<tr><td></td><td></td><td>closing</td><td></td><td class="number">${closing}</td></tr>
<tr><td></td><td></td><td>SHA-256</td><td class="id" colspan="2">${contentHash}</td></tr>
`,
  ]);
  return html`<h2>Books</h2>
<table><thead><tr><th>Day</th><th>Currency</th><th>Line</th><th class="number">Entries</th><th class="number">Amount</th></tr></thead>
<tbody>${rows}</tbody></table>
`;
}

function open({ openFacts, openEntries }: ReconciliationReport): Html {
  if (openFacts.length + openEntries.length === 0) return html``;
  const facts = openFacts.flatMap(({ factId, kind, legs }) =>
    legs.map(
      ({
        currency,
        amount,
        untilMs,
      }) => html`<tr><td>${kind}</td><td>${currency}</td><td class="number">${amount}</td><td>expected until ${new Date(untilMs).toISOString()}</td><td class="id">${factId}</td></tr>
`,
    ),
  );
  const entries = openEntries.map(
    ({
      currency,
      entryId,
      amountBefore,
      amountAfter,
      date,
    }) => html`<tr><td>entry</td><td>${currency}</td><td class="number">${amountBefore} to ${amountAfter}</td><td>dated ${String(date)}</td><td class="id">${entryId}</td></tr>
`,
  );
  return html`<h2>Open</h2>
<p>The other side of these may still appear.</p>
<table><thead><tr><th>What</th><th>Currency</th><th class="number">Amount</th><th>When</th><th>Id</th></tr></thead>
<tbody>${facts}${entries}</tbody></table>
`;
}
