import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from './app/query-client.ts';
import { router } from './app/router.tsx';
import { theme } from './app/theme.ts';
import { SecretDialogProvider } from './components/SecretDialog.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <Notifications position="top-center" />
        <SecretDialogProvider>
          <RouterProvider router={router} />
        </SecretDialogProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
