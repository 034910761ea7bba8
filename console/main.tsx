import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { PayrunApiError } from '../client/sdk/errors.ts';
import { useOfPage } from './calls/use-of-page.ts';
import { openDetailsForPrinting } from './elements/print-details.ts';
import { router } from './shell/router.tsx';
import { theme } from './shell/theme.ts';
import './elements/tokens.css';
import '@mantine/core/styles.layer.css';
import './elements/elements.css';
import './shell/shell.css';

/** The content security policy allows styles of this page alone: those that libraries add carry its nonce. */
const nonce = document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
setNonce(nonce);

useOfPage.watch(window);
openDetailsForPrinting(window, {
  querySelectorAll: (selector) => document.querySelectorAll<HTMLDetailsElement>(selector),
});

const queries = new QueryClient({
  defaultOptions: {
    // Without a network, requests fail and say so. Otherwise they would wait, and a decision that was taken back meanwhile be sent later.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // A refusal stays one; an answer that did not come may come.
      retry: (failures, error) => !(error instanceof PayrunApiError && error.status < 500) && failures < 2,
    },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no element for the console');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => nonce}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
