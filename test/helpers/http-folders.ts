/** Folders below `test` whose tests start HTTP servers in their own process: the project `http`. */
export const HTTP_FOLDERS = ['client', 'operations', 'provider', 'server', 'telemetry'];
