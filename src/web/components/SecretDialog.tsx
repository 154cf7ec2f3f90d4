import { Alert, Button, Group, Modal, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import type { QueryKey } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { useInvalidatingMutation } from '../api/mutations.ts';
import { SECRET_DIALOG_LAYER } from './Dialog.tsx';

/** A mutation that returns a secret. The secret is shown once and never cached. */
export function useSecretMutation<Result, Input = void>(
  change: (input: Input) => Promise<Result>,
  affected: QueryKey[],
  toSecret: (result: Result) => RevealedSecret,
  onSuccess: (result: Result) => void = () => undefined,
) {
  const show = useSecretDialog();
  return useInvalidatingMutation(change, affected, (result) => {
    onSuccess(result);
    show(toSecret(result));
  });
}

export interface RevealedSecret {
  title: string;
  /** What the secret is for and where to use it. */
  explanation: string;
  label: string;
  plainText: string;
  /** Ready-made URLs that contain the secret. */
  urls?: { label: string; value: string }[];
}

const SecretDialogContext = createContext<((secret: RevealedSecret) => void) | null>(null);

/** Returns a function that shows a secret. The dialog stays open after navigation and even after the session ends. */
export function useSecretDialog() {
  const show = use(SecretDialogContext);
  if (show === null) throw new Error('useSecretDialog needs SecretDialogProvider above it');
  return show;
}

/** Wraps the router, so that the dialog stays open after navigation. Only its button closes it. */
export function SecretDialogProvider({ children }: { children: ReactNode }) {
  const [secret, setSecret] = useState<RevealedSecret | null>(null);
  useUnloadWarning(secret !== null);
  return (
    <SecretDialogContext value={setSecret}>
      {children}
      <Modal
        opened={secret !== null}
        onClose={() => undefined}
        closeOnClickOutside={false}
        closeOnEscape={false}
        withCloseButton={false}
        title={secret?.title}
        zIndex={SECRET_DIALOG_LAYER}
        size="lg"
        transitionProps={{ duration: 0 }}
      >
        {secret && <SecretReveal secret={secret} onDone={() => setSecret(null)} />}
      </Modal>
    </SecretDialogContext>
  );
}

function useUnloadWarning(isEnabled: boolean) {
  useEffect(() => {
    if (!isEnabled) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isEnabled]);
}

function SecretReveal({ secret, onDone }: { secret: RevealedSecret; onDone: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const [isWarned, setIsWarned] = useState(false);
  const markCopied = () => setIsCopied(true);
  return (
    <Stack>
      <Text size="sm">{secret.explanation}</Text>
      <CopyField label={secret.label} value={secret.plainText} onCopy={markCopied} autoFocus />
      {secret.urls?.map(({ label, value }) => (
        <CopyField key={label} label={label} value={value} onCopy={markCopied} />
      ))}
      <Alert
        color="orange"
        icon={<IconAlertTriangle size={18} />}
        role={isWarned ? 'alert' : 'note'}
      >
        {isWarned
          ? 'You have not copied it yet. You cannot view it again after closing.'
          : 'Copy this now. You cannot view it again after closing.'}
      </Alert>
      <Group justify="flex-end">
        {isWarned && !isCopied ? (
          <Button color="red" onClick={onDone}>
            Close without copying
          </Button>
        ) : (
          <Button
            variant={isCopied ? 'filled' : 'default'}
            onClick={isCopied ? onDone : () => setIsWarned(true)}
          >
            Done
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface CopyFieldProps {
  label: string;
  value: string;
  onCopy: () => void;
  autoFocus?: boolean;
}

function CopyField({ label, value, onCopy, autoFocus }: CopyFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'failed'>();
  const copy = async () => {
    const isCopied = await copyText(value, input.current);
    setOutcome(isCopied ? 'copied' : 'failed');
    if (isCopied) onCopy();
  };
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          ref={input}
          label={label}
          value={value}
          readOnly
          flex={1}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopy}
        />
        <Button
          aria-label={`${outcome === 'copied' ? 'Copied' : 'Copy'}: ${label}`}
          variant={autoFocus ? 'filled' : 'default'}
          leftSection={outcome === 'copied' ? <IconCheck size={18} /> : <IconCopy size={18} />}
          onClick={copy}
          data-autofocus={autoFocus || undefined}
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
      </Group>
      <div role="status">
        {outcome === 'copied' && <VisuallyHidden>Copied to the clipboard.</VisuallyHidden>}
        {outcome === 'failed' && (
          <Text size="xs" mt={4}>
            The browser blocked copying. The text is selected: press Ctrl+C or ⌘C.
          </Text>
        )}
      </div>
    </div>
  );
}

/** Falls back to execCommand, as browsers offer the clipboard API over HTTPS only. */
async function copyText(text: string, input: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    input?.focus();
    input?.select();
    return document.execCommand('copy');
  }
}
