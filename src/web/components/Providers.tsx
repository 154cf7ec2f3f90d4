import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { SecretDialogProvider } from './SecretDialogProvider.tsx';
import { theme } from './theme.ts';

interface Props {
  client: QueryClient;
  /** Default: as the browser prefers. */
  colorScheme?: 'light' | 'dark' | undefined;
  /** The router. */
  children: ReactNode;
}

/** What all pages stand in, in the browser and while the service renders them. */
export const Providers = ({ client, colorScheme, children }: Props) => (
  <StrictMode>
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      {...(colorScheme && { forceColorScheme: colorScheme })}
    >
      <QueryClientProvider client={client}>
        <Notifications position="top-center" />
        <SecretDialogProvider>{children}</SecretDialogProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);
