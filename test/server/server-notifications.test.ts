import { describe, expect, it } from 'vitest';
import { SELECTABLE_TYPES } from '../../domain/notifications/notification-types.ts';
import { aDelivery, anEndpointSummary, DELIVERY, ENDPOINT } from './fake-notifications.ts';
import { anApp } from './server-harness.ts';

const ENDPOINTS = '/api/v1/notifications/endpoints';
const WEBHOOK = { kind: 'webhook', name: 'ops', url: 'https://hooks.example.com/x' } as const;

describe('endpoints', () => {
  it('are added with all types unless some are named', async () => {
    const { as, application } = anApp();
    const response = await as('administrator', { method: 'POST', url: ENDPOINTS, payload: WEBHOOK });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toMatchObject({
      endpointId: ENDPOINT,
      secret: 'whsec_c2VjcmV0',
      change: { state: 'pending' },
    });
    expect(application.calls).toMatchObject([{ method: 'addEndpoint', asked: { ...WEBHOOK, types: null } }]);
  });

  it.each([
    ['url', { ...WEBHOOK, url: 'javascript:alert(1)' }],
    ['types', { ...WEBHOOK, types: ['endpoint.test'] }],
    ['types', { ...WEBHOOK, types: [] }],
    ['name', { ...WEBHOOK, name: '-' }],
    ['addresses', { kind: 'mail', name: 'desk', addresses: [] }],
    ['addresses', { kind: 'mail', name: 'desk', addresses: ['a@example.com\r\nBcc: b@example.com'] }],
    ['addresses', { kind: 'mail', name: 'desk', addresses: [`${'a'.repeat(65)}@example.com`] }],
    ['url', { kind: 'mail', name: 'desk', addresses: ['a@example.com'], url: 'https://a.example.com' }],
    ['kind', { kind: 'pager', name: 'desk' }],
  ])('with a wrong %s are refused by its name', async (field, payload) => {
    const { as, application } = anApp();
    const response = await as('administrator', { method: 'POST', url: ENDPOINTS, payload });
    expect([response.statusCode, response.body.includes(field)]).toEqual([400, true]);
    expect(application.calls).toEqual([]);
  });

  it('are shown one by one, and not found when there is none', async () => {
    const { as, application } = anApp();
    expect((await as('administrator', { url: `${ENDPOINTS}/${ENDPOINT}` })).statusCode).toBe(404);
    application.endpoints = [anEndpointSummary()];
    expect((await as('administrator', { url: `${ENDPOINTS}/${ENDPOINT}` })).json()).toEqual(anEndpointSummary());
  });

  it('have the types that the list of types names', async () => {
    const { as } = anApp();
    const { types } = (await as('viewer', { url: '/api/v1/notifications/types' })).json<{
      types: { type: string }[];
    }>();
    expect(types.map(({ type }) => type)).toEqual(expect.arrayContaining([...SELECTABLE_TYPES]));
  });
});

describe('deliveries', () => {
  it('are listed by endpoint and state', async () => {
    const { as, application } = anApp();
    application.deliveries = [aDelivery({ state: 'failing', error: 'timeout', httpStatus: null })];
    const url = `/api/v1/notifications/deliveries?endpointId=${ENDPOINT}&state=failing&limit=5`;
    expect((await as('administrator', { url })).json()).toEqual({ deliveries: application.deliveries });
    expect(application.calls).toMatchObject([{ asked: { endpointId: ENDPOINT, state: 'failing', limit: 5 } }]);
  });

  it('are sent again', async () => {
    const { as, application } = anApp();
    application.deliveries = [aDelivery()];
    const url = `/api/v1/notifications/deliveries/${DELIVERY}/retry`;
    expect((await as('administrator', { method: 'POST', url })).statusCode).toBe(204);
  });
});
