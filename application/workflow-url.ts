import type { ApplicationDependencies } from './application-dependencies.ts';

/**
 * The address of a workflow in Temporal's own interface; null: where that is was not configured. A name or a password in the
 * configured address is left out.
 */
export function workflowUrl(
  { temporal, settings }: Pick<ApplicationDependencies, 'temporal' | 'settings'>,
  workflowId: string,
): string | null {
  const { temporalUiUrl } = settings;
  if (temporalUiUrl === undefined || temporalUiUrl === null) return null;
  const url = new URL(temporalUiUrl);
  url.username = '';
  url.password = '';
  const { namespace } = temporal.options;
  const folder = url.pathname.replace(/\/+$/, '');
  url.pathname = `${folder}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
  return url.href;
}
