import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { afterEach, expect, test } from 'vitest';
import { temporalClient } from '../../config/temporal/connect-temporal.ts';

let server: Server | undefined;

afterEach(() => {
  server?.forceShutdown();
});

/** A server that is busy, whatever it is asked; `asked` is when it was asked first. */
async function startBusyServer(): Promise<{ address: string; asked: Promise<void> }> {
  const busy = new Server();
  server = busy;
  let resolve: () => void;
  const asked = new Promise<void>((resolved) => {
    resolve = resolved;
  });
  busy.addService(
    {
      describe: {
        path: '/temporal.api.workflowservice.v1.WorkflowService/DescribeNamespace',
        requestStream: false,
        responseStream: false,
        requestSerialize: (value: Buffer) => value,
        requestDeserialize: (value: Buffer) => value,
        responseSerialize: (value: Buffer) => value,
        responseDeserialize: (value: Buffer) => value,
      },
    },
    {
      describe: (_call: unknown, callback: (error: object) => void) => {
        callback({ code: status.UNAVAILABLE, details: 'busy' });
        resolve();
      },
    },
  );
  const port = await new Promise<number>((bound, failed) => {
    busy.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, on) => {
      if (error === null) bound(on);
      else failed(error);
    });
  });
  return { address: `127.0.0.1:${port}`, asked };
}

test('a call that waits for its next try ends when the connection is closed, and the process goes on', async () => {
  const { address, asked } = await startBusyServer();
  const { connection } = temporalClient({
    address,
    namespace: 'any',
    tls: false,
    apiKey: undefined,
    authorityPath: undefined,
    certificatePath: undefined,
    keyPath: undefined,
    uiUrl: null,
  });
  const call = connection.withDeadline(Date.now() + 60_000, () =>
    connection.workflowService.describeNamespace({ namespace: 'any' }),
  );
  const outcome = expect(call).rejects.toMatchObject({ code: status.CANCELLED });
  await asked;
  await connection.close();
  await outcome;
});
