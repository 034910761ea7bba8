import type { CommandIo } from '../client/cli/command-io.ts';
import { EXIT } from '../client/cli/exit-code.ts';
import { createApplication } from '../application/create-application.ts';
import { unchainedTooLong } from '../store/audit/audit-chaining.ts';
import { listBalances } from '../store/accounts/balance-views.ts';
import { readRoleProtection } from '../store/database/role-protection.ts';
import { type RuntimeRole, SERVER_ROLE, WORKER_ROLE } from '../store/database/runtime-role.ts';
import { type Database, openDatabase } from '../store/database/database.ts';
import { listEndpointHealth } from '../store/notifications/endpoints.ts';
import { countByKey } from '../store/personal-data/key-rotation.ts';
import { readDayUse } from '../store/payments/request-days.ts';
import type { AccountLimits, ProviderConnection, ProviderVariant } from '../config/account-settings.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { temporalClientWithoutRetries } from '../config/temporal/connect-temporal.ts';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { type KnownInstallation, readKnownInstallation } from '../config/installation.ts';
import { DEFAULT_DOCUMENT_REQUIREMENTS } from '../domain/onboarding/document-requirements.ts';
import type { DataKeys } from '../domain/personal-data/data-keys.ts';
import { NO_OVERRIDES } from '../domain/treasury/calendar-overrides.ts';
import { dataKeyFinding } from './data-key-finding.ts';
import { type Finding, lineOf } from './finding.ts';
import { moneyFinding } from './money-finding.ts';
import { notificationFinding } from './notification-finding.ts';
import { roleFinding } from './role-finding.ts';
import { type ConnectivityCheck, checkAccounts } from './check-accounts.ts';
import { variablesSet } from '../config/variables-set.ts';

/** For request leases, the transaction that renews a token, and the doctor's own queries. */
const MAX_CONNECTIONS = 5;

/** `payrun doctor`: what is configured, whether it can be reached, and whether the credentials work. Shows no secret. */
export async function runDoctor(io: CommandIo, options: { json: boolean }): Promise<number> {
  const findings: Finding[] = [nodeVersion()];
  let badEnvironment = false;
  try {
    const environment = readEnvironment(io.env);
    findings.push(...variablesSet(environment).map((variables) => ({ ...variables, problem: null })));
    const known = readKnownInstallation(environment, io.cwd);
    findings.push({ subject: 'environment', problem: null, detail: `data folder ${known.installation.home}` });
    findings.push({ subject: 'webhooks', problem: null, detail: headersChecked(environment) });
    findings.push({ subject: 'encryption', problem: null, detail: plaintextAllowed(environment) });
    findings.push(...(await servicesOf(environment, known)));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    badEnvironment = true;
    findings.push({ subject: 'environment', problem: error.message, detail: '' });
  }
  if (options.json) io.stdout.write(`${JSON.stringify({ findings })}\n`);
  else for (const finding of findings) io.stdout.write(`${lineOf(finding)}\n`);
  if (badEnvironment) return EXIT.wrongInput;
  return findings.some(({ problem }) => problem !== null) ? EXIT.unreachable : EXIT.done;
}

/** Names, never values. The headers between the sandbox and server of `payrun up` are generated, not configured. */
function headersChecked({ PAYRUN_WEBHOOK_HEADERS: headers }: Environment): string {
  return headers === undefined ? 'no header is configured' : `must carry ${Object.keys(headers).sort().join(', ')}`;
}

/** The configured options that the provider's contract leaves open. */
function variantIn({
  storagePrefix,
  userDayFormat,
  documentUpload,
  virtualAccountRequestPath,
}: ProviderVariant): string {
  const { method, headers } = documentUpload ?? {};
  const parts = [
    userDayFormat === undefined ? [] : [`days as ${userDayFormat}`],
    method === undefined ? [] : [`documents by ${method}`],
    headers === undefined ? [] : [`documents with ${Object.keys(headers).sort().join(', ')}`],
    storagePrefix === undefined ? [] : [`files with x-${storagePrefix}-storage-class`],
    virtualAccountRequestPath === undefined ? [] : [`virtual account requests at ${virtualAccountRequestPath}`],
  ];
  return parts
    .flat()
    .map((text) => `, ${text}`)
    .join('');
}

function uploadHostsIn({ uploadHosts }: ProviderConnection): string {
  return uploadHosts === undefined ? '' : `, files only to ${uploadHosts.join(', ')}`;
}

/** The services that the operator allows without encryption beyond this machine. */
function plaintextAllowed({ PAYRUN_ALLOW_PLAINTEXT: allowed }: Environment): string {
  return allowed.length === 0 ? 'required beyond this machine' : `not required of ${allowed.join(', ')}`;
}

function nodeVersion(): Finding {
  return { subject: 'Node', problem: null, detail: process.version };
}

async function servicesOf(environment: Environment, known: KnownInstallation): Promise<Finding[]> {
  const { databaseUrl, temporal: temporalSettings, accounts } = known.installation;
  const role = known.worker === null ? SERVER_ROLE : WORKER_ROLE;
  const database = openDatabase(databaseUrl, {
    role,
    maxConnections: MAX_CONNECTIONS,
    applicationName: 'payrun-doctor',
  });
  const temporal = temporalClientWithoutRetries(temporalSettings);
  try {
    const application = createApplication({
      database,
      temporal: temporal.client,
      accounts,
      calendars: { overrides: NO_OVERRIDES, holidaysOf: () => null },
      now: Date.now,
      dataKeys: null,
      settings: {
        ...{
          decisionWithinMs: 0,
          concurrencyLimitOf: () => 0,
          referenceMaxAgeMs: 0,
          referenceTimeoutMs: 0,
          unansweredSignUpMs: 0,
        },
        documentRequirements: DEFAULT_DOCUMENT_REQUIREMENTS,
      },
    });
    const { postgres, temporal: temporalProblem } = await application.health();
    const { address, namespace } = temporalSettings;
    return [
      { subject: 'Postgres', problem: postgres, detail: new URL(databaseUrl).host },
      ...(postgres === null ? await recordFindings(database, role, known, environment) : []),
      { subject: 'Temporal', problem: temporalProblem, detail: `${address}, namespace ${namespace}` },
      ...(await accountFindings(environment, known, postgres === null ? database : null)),
    ];
  } finally {
    await temporal.connection.close();
    await database.end();
  }
}

/** `database` is null if it does not answer: no request is sent then, because none could be counted. */
async function accountFindings(
  environment: Environment,
  { installation, worker }: KnownInstallation,
  database: Database | null,
): Promise<Finding[]> {
  const checks = await connectivityChecks(environment, worker, database);
  return Promise.all(
    installation.accounts.map(async (account) => {
      const { problem, detail: connectivity } = checks.get(account.name) ?? { problem: null, detail: NOT_CHECKED };
      const { variant = {}, connection = {} } = worker?.accounts.find(({ name }) => name === account.name) ?? {};
      const configured = `${variantIn(variant)}${uploadHostsIn(connection)}`;
      const detail = `${connectivity}, ${await limitText(database, account)}${configured}`;
      return { subject: `provider account ${account.name}`, problem, detail };
    }),
  );
}

const NOT_CHECKED = 'its credentials are not in this environment and cannot be tried here';

async function connectivityChecks(
  environment: Environment,
  worker: KnownInstallation['worker'],
  database: Database | null,
): Promise<Map<string, ConnectivityCheck>> {
  if (worker === null) return new Map();
  if (database !== null) return checkAccounts(database, worker.accounts, environment.PAYRUN_REQUEST_TIMEOUT_MS);
  const reason = 'its credentials are not tried, as requests are counted in Postgres';
  return new Map(worker.accounts.map(({ name, apiUrl }) => [name, { problem: null, detail: `${apiUrl}, ${reason}` }]));
}

/** The limits, and the use of this day; a database that cannot be read has its own finding. */
async function limitText(database: Database | null, account: AccountLimits): Promise<string> {
  const { requestsPerSecond, requestsPerDay, requestsReservedPerDay } = account;
  if (requestsPerSecond === 0) return 'no limit';
  const perSecond = `${requestsPerSecond} requests a second`;
  if (requestsPerDay === 0) return perSecond;
  const use = database === null ? null : await readDayUse(database, account.name).catch(() => null);
  const used = use === null ? '' : `, ${use.requests} used today (UTC)`;
  return `${perSecond}, ${requestsPerDay} a day${used}, the last ${requestsReservedPerDay} reserved to finish started payments`;
}

async function recordFindings(
  database: Database,
  role: RuntimeRole,
  { installation, worker }: KnownInstallation,
  environment: Environment,
): Promise<Finding[]> {
  const mailServer = worker === null ? null : environment.PAYRUN_SMTP_URL !== undefined;
  return [
    await roleProtection(database, role),
    ...(await personalData(database, installation.dataKeys)),
    ...(await notifications(database, mailServer)),
    ...(await money(database)),
    await auditChain(database),
  ];
}

/** A finding only if onboarding is used. */
async function personalData(database: Database, keys: DataKeys | null): Promise<Finding[]> {
  const uses = await countByKey(database).catch(() => []);
  return [dataKeyFinding(uses, keys)].filter((finding) => finding !== null);
}

/** A finding only if notifications are sent. */
async function notifications(database: Database, mailServer: boolean | null): Promise<Finding[]> {
  const endpoints = await listEndpointHealth(database).catch(() => []);
  return [notificationFinding(endpoints, mailServer)].filter((finding) => finding !== null);
}

/** A finding only if the history of a balance is known. */
async function money(database: Database): Promise<Finding[]> {
  const balances = await listBalances(database, null, null).catch(() => []);
  return [moneyFinding(balances)].filter((finding) => finding !== null);
}

async function auditChain(database: Database): Promise<Finding> {
  const problem = await unchainedTooLong(database).catch(() => 'whether the audit trail is chained cannot be read');
  return { subject: 'audit trail', problem, detail: 'its entries are chained' };
}

async function roleProtection(database: Database, role: RuntimeRole): Promise<Finding> {
  return roleFinding(role, await readRoleProtection(database, role).catch(() => null));
}
