import { Alert, Button, Stack, Text } from '@mantine/core';
import { createContext, use, useEffect, useRef, useState } from 'react';
import {
  type ApiError,
  formatErrorText,
  getErrorTitle,
  toApiError,
  toFieldPaths,
} from '../api/errors.ts';
import { getText } from '../language/page-texts.ts';
import { capitalize } from './text.ts';

export function ErrorAlert({ error, retry }: { error: ApiError; retry?: () => unknown }) {
  return (
    <Alert color="red" role="alert" title={getErrorTitle(error)}>
      <Stack align="flex-start" gap="sm">
        <Text size="sm">{error.message}</Text>
        {retry && (
          <Button size="xs" variant="default" onClick={() => retry()}>
            {getText('page.tryAgain')}
          </Button>
        )}
      </Stack>
    </Alert>
  );
}

/** Why a form was rejected. Focuses the field that the error names, or else the alert, since both can be out of view. */
export function FormError({ error }: { error: Error | null }) {
  const alert = useRef<HTMLDivElement>(null);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (error === null || alert.current === null) return;
    const form = alert.current.closest('form');
    const apiError = toApiError(error);
    setText(formatErrorText(apiError, (path) => readLabel(findField(form, path))));
    const paths = (apiError.details.fields ?? []).flatMap(({ field }) => toFieldPaths(field ?? ''));
    const field = paths.map((path) => findField(form, path)).find((found) => found !== null);
    const target = field ?? alert.current;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === null) return null;
  const apiError = toApiError(error);
  return (
    <Alert
      ref={alert}
      color="red"
      role="alert"
      tabIndex={-1}
      title={getErrorTitle(apiError)}
      style={{ overflowWrap: 'anywhere' }}
    >
      {text ?? formatErrorText(apiError, () => undefined)}
    </Alert>
  );
}

const findField = (form: HTMLFormElement | null, path: string) =>
  path === ''
    ? null
    : (form?.querySelector<HTMLInputElement>(`[data-path="${CSS.escape(path)}"]`) ?? null);

function readLabel(field: HTMLInputElement | null): string | undefined {
  const label = field?.labels?.[0]?.textContent;
  const mark = getText('page.optional', { label: '' });
  return label?.endsWith(mark) ? label.slice(0, -mark.length) : label;
}

/** Focuses the first invalid field of a form, after React has shown what is wrong. */
export const focusInvalidField = (form: HTMLFormElement) =>
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());

const FormErrorContext = createContext<Error | null>(null);

/** Lets the fields below show what the service says about them. */
export const FormErrorProvider = FormErrorContext.Provider;

/** What the service says about a field of the surrounding form, or null. */
export function useFieldError(name: string): string | null {
  const error = use(FormErrorContext);
  if (error === null) return null;
  const { fields = [] } = toApiError(error).details;
  const message = fields.find(({ field }) => toFieldPaths(field ?? '').includes(name))?.message;
  return message === undefined ? null : capitalize(message);
}
