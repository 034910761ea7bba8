import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import {
  addEndpoint,
  disableEndpoint,
  enableEndpoint,
  findEndpoint,
  listDeliveries,
  listEndpoints,
  removeEndpoint,
  retryDelivery,
  rotateEndpointSecret,
  testEndpoint,
} from './manage-endpoints.ts';

export type NotificationsApplication = ReturnType<typeof notificationUseCases>;

export function notificationUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    addEndpoint,
    listEndpoints,
    findEndpoint,
    disableEndpoint,
    enableEndpoint,
    rotateEndpointSecret,
    removeEndpoint,
    testEndpoint,
    listDeliveries,
    retryDelivery,
  });
}
