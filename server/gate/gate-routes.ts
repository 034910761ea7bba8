import { gateEndpoints } from '../../api/gate/endpoints.ts';
import type { OperationsApplication } from '../../application/operation-use-cases.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

export function addGateRoutes(app: Api, application: Pick<OperationsApplication, 'readGates' | 'readWorkers'>): void {
  serve(app, gateEndpoints, {
    listGates: ({ user }) => application.readGates(user),
    listWorkers: () => application.readWorkers(),
  });
}
