import { notifications } from '@mantine/notifications';
import { toApiError } from '../api/errors.ts';

export const notifySuccess = (message: string) => notifications.show({ color: 'teal', message });

export const notifyFailure = (title: string, error: unknown) =>
  notifications.show({
    color: 'red',
    title,
    message: toApiError(error).message,
    autoClose: 10_000,
    // Mantine's gray has too little contrast below a title.
    styles: { description: { color: 'var(--mantine-color-dimmed)' } },
  });
