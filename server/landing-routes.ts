import type { Api } from './api.ts';

/** The page that a browser shows at the server's address: links to the rest. */
export function addLandingRoute(app: Api, version: string, temporalUiUrl: string | null): void {
  const links = [
    { href: '/api/v1/openapi.json', name: 'Description of the API' },
    { href: '/health', name: 'Health' },
    ...(temporalUiUrl === null ? [] : [{ href: temporalUiUrl, name: "Workflows, in Temporal's own interface" }]),
  ];
  const items = links.map(({ href, name }) => `<li><a href="${escaped(href)}">${escaped(name)}</a></li>`).join('');
  const page =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>payrun</title></head>' +
    `<body><h1>payrun ${escaped(version)}</h1><ul>${items}</ul>` +
    '<p>Payments are submitted and approved with the command <code>payrun</code> or through the API.</p></body></html>';
  app.get('/', { schema: { hide: true } }, (_request, reply) => reply.type('text/html').send(page));
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
