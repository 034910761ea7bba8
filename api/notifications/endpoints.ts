import { json, nothing } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { deliveryListQuery, deliveryListSchema, deliveryParams } from './delivery.ts';
import {
  addedEndpointSchema,
  endpointListSchema,
  endpointParams,
  endpointRequestSchema,
  endpointSummarySchema,
  notificationTypeListSchema,
  rotatedSecretSchema,
  testedEndpointSchema,
} from './endpoint.ts';

/** Where notifications go. */
export const targetEndpoints = endpoints({
  listNotificationTypes: {
    method: 'GET',
    path: '/notifications/types',
    access: 'signed_in',
    tag: 'notifications',
    summary: 'List the types of notifications',
    answers: { 200: json('The types.', notificationTypeListSchema) },
  },
  listEndpoints: {
    method: 'GET',
    path: '/notifications/endpoints',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Where notifications go',
    answers: { 200: json('The endpoints, by name.', endpointListSchema) },
  },
  getEndpoint: {
    method: 'GET',
    path: '/notifications/endpoints/:endpointId',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'One of them',
    params: endpointParams,
    answers: { 200: json('The endpoint.', endpointSummarySchema) },
    errors: [400, 404],
  },
  addEndpoint: {
    method: 'POST',
    path: '/notifications/endpoints',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Add an endpoint',
    description:
      'Nothing is sent to it until a second administrator confirms it. The secret is shown only in this answer.',
    body: endpointRequestSchema,
    answers: { 201: json('The endpoint.', addedEndpointSchema) },
    errors: [400, 409, 415],
  },
  disableEndpoint: {
    method: 'POST',
    path: '/notifications/endpoints/:endpointId/disable',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Send nothing to an endpoint until it is enabled again',
    params: endpointParams,
    answers: { 200: json('The endpoint afterwards.', endpointSummarySchema) },
    errors: [400, 404, 409],
  },
  enableEndpoint: {
    method: 'POST',
    path: '/notifications/endpoints/:endpointId/enable',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Enable a disabled endpoint: it also gets what it missed in the last seven days',
    params: endpointParams,
    answers: { 200: json('The endpoint afterwards.', endpointSummarySchema) },
    errors: [400, 404, 409],
  },
  removeEndpoint: {
    method: 'DELETE',
    path: '/notifications/endpoints/:endpointId',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Remove an endpoint; undelivered notifications are dropped',
    params: endpointParams,
    answers: { 204: nothing('It is removed.') },
    errors: [400, 404],
  },
  rotateEndpointSecret: {
    method: 'POST',
    path: '/notifications/endpoints/:endpointId/rotate-secret',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Give a webhook a new secret',
    description: 'For a day, webhooks are signed with both. The new one is shown only in this answer.',
    params: endpointParams,
    answers: { 200: json('The new secret.', rotatedSecretSchema) },
    errors: [400, 404, 409],
  },
  testEndpoint: {
    method: 'POST',
    path: '/notifications/endpoints/:endpointId/test',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Send a test to an endpoint',
    params: endpointParams,
    answers: { 200: json('What is sent.', testedEndpointSchema) },
    errors: [400, 404, 409],
  },
});

/** What became of notifications. */
export const deliveryEndpoints = endpoints({
  listDeliveries: {
    method: 'GET',
    path: '/notifications/deliveries',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Notifications on their way, and delivered ones, the newest first',
    query: deliveryListQuery,
    answers: { 200: json('The deliveries.', deliveryListSchema) },
    errors: [400],
  },
  retryDelivery: {
    method: 'POST',
    path: '/notifications/deliveries/:deliveryId/retry',
    access: 'manage_users',
    tag: 'notifications',
    summary: 'Send a notification again, with the same id; also one that was delivered',
    params: deliveryParams,
    answers: { 204: nothing('It is queued.') },
    errors: [400, 404, 409],
  },
});

export const notificationEndpoints = { ...targetEndpoints, ...deliveryEndpoints };
