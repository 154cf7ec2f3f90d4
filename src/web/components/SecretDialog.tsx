import { Alert, Button, Group, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconCopy } from '@tabler/icons-react';
import type { QueryKey } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useInvalidatingMutation } from '../api/mutations.ts';
import { getMemberText } from '../language/member-texts.ts';
import { useSecretDialogOpener } from './SecretDialogProvider.tsx';

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

/** Returns a function that shows a secret. */
export function useSecretDialog() {
  const open = useSecretDialogOpener();
  return (secret: RevealedSecret) =>
    open({
      title: secret.title,
      render: (onDone) => <SecretReveal secret={secret} onDone={onDone} />,
    });
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
        {getMemberText(isWarned ? 'secret.notCopied' : 'secret.copyNow')}
      </Alert>
      <Group justify="flex-end">
        {isWarned && !isCopied ? (
          <Button color="red" onClick={onDone}>
            {getMemberText('secret.close')}
          </Button>
        ) : (
          <Button
            variant={isCopied ? 'filled' : 'default'}
            onClick={isCopied ? onDone : () => setIsWarned(true)}
          >
            {getMemberText('secret.done')}
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
          aria-label={getMemberText(
            outcome === 'copied' ? 'secret.copiedNamed' : 'secret.copyNamed',
            { label },
          )}
          variant={autoFocus ? 'filled' : 'default'}
          leftSection={outcome === 'copied' ? <IconCheck size={18} /> : <IconCopy size={18} />}
          onClick={copy}
          data-autofocus={autoFocus || undefined}
        >
          {getMemberText(outcome === 'copied' ? 'secret.copied' : 'secret.copy')}
        </Button>
      </Group>
      <div role="status">
        {outcome === 'copied' && (
          <VisuallyHidden>{getMemberText('secret.inClipboard')}</VisuallyHidden>
        )}
        {outcome === 'failed' && (
          <Text size="xs" mt={4}>
            {getMemberText('secret.blocked')}
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
