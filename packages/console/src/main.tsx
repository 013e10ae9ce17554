import { readWithoutEval } from '@kith/protocol';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isApiError } from './api/index.ts';
import { router } from './app/router.tsx';
import { followTheme } from './app/theme.ts';
import { followLanguage } from './language/index.ts';
import './design/style.css';

readWithoutEval();
followTheme();
followLanguage();

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the server refuses it will refuse again; what did not reach it may.
      retry: (count, error) => count < 3 && (!isApiError(error) || error.status === 0 || error.status >= 500),
    },
  },
});

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
