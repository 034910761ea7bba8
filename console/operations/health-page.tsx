import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../calls/api.ts';
import { inWords } from '../elements/formats.ts';
import { Loaded } from '../elements/loaded.tsx';
import { Mark } from '../elements/mark.tsx';
import { Facts, Notice } from '../elements/page.tsx';
import { OperationsFrame } from './operations-frame.tsx';
import { capitalized } from '../../domain/capitalized.ts';

/** Whether the services behind the server answer. */
export function HealthPage(): ReactNode {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => api.getHealth({}, { signal }),
    refetchInterval: 10_000,
  });
  return (
    <OperationsFrame>
      <Loaded query={health} lines={4}>
        {({ status, version, services }) => (
          <>
            <Notice
              tone={status === 'ok' ? 'paid' : 'failed'}
              title={status === 'ok' ? 'Everything answers' : 'A service does not answer'}
            >
              {status === 'ok' ? null : 'The log of the server says why. Payments go on by themselves once it answers.'}
            </Notice>
            <Facts
              of={[
                ...Object.entries(services).map(
                  ([name, state]) =>
                    [
                      capitalized(inWords(name)),
                      <Mark key={name} tone={state === 'ok' ? 'paid' : 'failed'}>
                        {state === 'ok' ? 'answers' : 'does not answer'}
                      </Mark>,
                    ] as const,
                ),
                ['Version of payrun', version],
              ]}
            />
          </>
        )}
      </Loaded>
    </OperationsFrame>
  );
}
