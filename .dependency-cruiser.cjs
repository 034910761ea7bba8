/**
 * The import arrows between the top-level folders: one entry a folder, listing what it may import.
 * A folder that is missing here may import nothing of ours.
 */
const mayImport = {
  domain: [],
  config: ['domain'],
  provider: ['domain'],
  store: ['domain'],
  workflows: ['domain'],
  activities: ['domain', 'provider', 'store'],
  client: ['config', 'domain', 'store'],
  server: ['client/engine', 'domain', 'store', 'provider'],
  sandbox: [],
  // Nothing may import bench.
  bench: ['activities', 'client', 'config', 'domain', 'provider', 'sandbox', 'server', 'store', 'workers', 'workflows'],
  workers: ['activities', 'client', 'config', 'domain', 'provider', 'sandbox', 'server', 'store', 'workflows'],
};

const folderRules = Object.entries(mayImport).map(([folder, others]) => ({
  name: `${folder}-imports`,
  comment: `${folder}/ may import: ${[folder, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^${folder}/` },
  to: {
    path: '^(activities|bench|client|config|console|domain|provider|sandbox|server|store|test|workers|workflows)/',
    pathNot: [folder, ...others].map((other) => `^${other}/`),
    // Workflows name activities, and the client names workflows' messages, by their types alone.
    dependencyTypesNot: ['type-only'],
  },
}));

module.exports = {
  forbidden: [
    ...folderRules,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'domain-is-pure',
      comment: 'domain/ uses zod, the decimal, identifier and regular expression libraries, and no service of Node',
      severity: 'error',
      from: { path: '^domain/' },
      to: { pathNot: ['^domain/', 'node_modules/(zod|big\\.js|@types/big\\.js|uuid|re2js)/'] },
    },
    {
      name: 'workflows-are-deterministic',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { pathNot: ['^workflows/', '^domain/', '^activities/', 'node_modules/@temporalio/(workflow|common)/'] },
    },
    {
      name: 'not-to-unresolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^node_modules/.*/node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
