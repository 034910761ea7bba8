/** What the states of things mean: one table each, and what is asked of it. Everything may ask. */
const stateTables = [
  'domain/state-table',
  'domain/payments/payment-state',
  'domain/runs/run-state',
  'domain/treasury/conversion-state',
  'domain/onboarding/case-state',
  'domain/accounts/virtual-account-state',
  'domain/beneficiaries/beneficiary-account-state',
  'domain/reconciliation/break-state',
];

/**
 * The import arrows between the layers, type imports included: one entry a layer, listing what it may import. A layer that
 * is missing here may import nothing of ours.
 */
const mayImport = {
  domain: [],
  // The schema of the provider's addresses and of its extra statuses is the provider's own.
  config: ['domain', 'provider'],
  provider: ['domain'],
  // Its own version tells whether another one has made the functions of the database newer.
  store: ['domain', 'config/version'],
  // Workflows name activities by their types alone.
  workflows: ['domain', 'activities'],
  activities: ['domain', 'provider', 'store'],
  api: ['domain'],
  // The types of what it answers.
  application: ['api', 'domain', 'store', 'workflows/messages'],
  server: ['api', 'application', 'domain', 'store', 'provider/webhooks'],
  'client/sdk': ['api'],
  'client/cli': ['client/sdk', 'api', 'config', 'domain'],
  // A browser loads it: what the server sends, and nothing of how. Of the domain, what people read: sentences alone.
  console: [
    'api',
    'client/sdk',
    ...stateTables,
    'domain/capitalized',
    'domain/approvals/cost-bound',
    'domain/approvals/going-live',
    'domain/approvals/policy-differences',
    'domain/approvals/policy-sentences',
    'domain/approvals/run-under-policy',
    // Which headers are the same, as the server compares them.
    'domain/import-profiles/headers',
    'domain/import-profiles/profile-in-words',
    'domain/payment-file/account-columns',
    // The columns of a row's beneficiary, as the book has them.
    'domain/payment-file/fill-from-book',
    'domain/payment-file/problem-causes',
    ...[
      'approval-comment',
      'approval-sentences',
      'finding-words',
      'run-difference',
      'run-proposal',
      'run-sentences',
    ].map((file) => `domain/runs/${file}`),
  ],
  sandbox: [],
  // What is measured of the provider's client and the store, through their observers.
  telemetry: ['domain', 'provider', 'store'],
  workers: ['activities', 'config', 'domain', 'provider', 'store', 'telemetry', 'workflows'],
  local: ['client', 'config', 'domain', 'sandbox', 'store', 'workers'],
  operations: [
    ...['activities', 'application', 'client', 'config', 'domain', 'local', 'provider', 'sandbox', 'server', 'store'],
    ...['telemetry', 'workers', 'workflows'],
  ],
  // Writes pages of docs/ from the code.
  references: ['api', 'client/cli', 'config', 'domain', 'operations', 'store', 'telemetry'],
  // For bench and test alone.
  fixtures: ['domain'],
  // Nothing may import bench.
  bench: [
    ...[
      'activities',
      'api',
      'application',
      'client',
      'config',
      'domain',
      'fixtures',
      'local',
      'operations',
      'provider',
    ],
    ...['sandbox', 'server', 'store', 'telemetry', 'workers', 'workflows'],
  ],
};

const folders = [...new Set(Object.keys(mayImport).map((layer) => layer.split('/')[0]))];

const layerRules = Object.entries(mayImport).map(([layer, others]) => ({
  name: `${layer}-imports`,
  comment: `${layer}/ may import: ${[layer, ...others].join(', ')}`,
  severity: 'error',
  from: { path: `^${layer}/` },
  to: {
    path: `^(${[...folders, 'test'].join('|')})/`,
    pathNot: [layer, ...others].map((other) => `^${other}(/|\\.ts$)`),
  },
}));

/** Features: each may import `accounts` and tables of states, and none may import another. */
const features = ['onboarding', 'treasury', 'accounts', 'reconciliation', 'notifications'];

const featureRules = features.map((feature) => ({
  name: `${feature}-apart`,
  comment: `${feature} imports no other feature`,
  severity: 'error',
  from: { path: `/${feature}/`, pathNot: '^(sandbox|test|bench)/' },
  to: {
    path: `/(${features.filter((other) => other !== feature && other !== 'accounts').join('|')})/`,
    pathNot: stateTables.map((table) => `^${table}\\.ts$`),
  },
}));

module.exports = {
  forbidden: [
    ...layerRules,
    ...featureRules,
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-is-pure',
      comment:
        'domain/ uses zod, the decimal, identifier, regular expression and IBAN libraries, and no service of Node but the hash of a content',
      severity: 'error',
      from: { path: '^domain/', pathNot: '^domain/sha256' },
      to: { pathNot: ['^domain/', 'node_modules/(zod|big\\.js|@types/big\\.js|uuid|re2js|ibantools)/'] },
    },
    {
      name: 'workflows-are-deterministic',
      severity: 'error',
      from: { path: '^workflows/' },
      to: {
        pathNot: ['^workflows/', '^domain/', 'node_modules/@temporalio/(workflow|common)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'sdk-is-installable-alone',
      comment: 'the client that engineers install needs nothing of the server: Node, zod and types',
      severity: 'error',
      from: { path: '^client/sdk/' },
      to: { path: 'node_modules/', pathNot: ['node_modules/(zod|@types/node)/'] },
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
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
