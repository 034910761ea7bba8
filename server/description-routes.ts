import { descriptionEndpoints } from '../api/server-endpoints.ts';
import type { Api } from './api.ts';
import { serve } from './serve.ts';

export function addDescriptionRoute(app: Api): void {
  serve(app, descriptionEndpoints, { getDescription: () => ({ openapi: '3.1.0', ...app.swagger() }) });
}
