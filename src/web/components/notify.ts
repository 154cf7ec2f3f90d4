import { notifications } from '@mantine/notifications';
import { toApiError } from '../api/errors.ts';

export const notifySuccess = (message: string) => notifications.show({ color: 'teal', message });

/** For what succeeded but needs staff, so it stays until they close it. */
export const notifyWarning = (message: string) =>
  notifications.show({ color: 'orange', message, autoClose: false });

export const notifyFailure = (title: string, error: unknown) =>
  notifications.show({
    color: 'red',
    title,
    message: toApiError(error).message,
    autoClose: 10_000,
    // Mantine's gray has too little contrast below a title.
    styles: { description: { color: 'var(--mantine-color-dimmed)' } },
  });
