import { Button, Group, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useRef, useState } from 'react';
import { IconCheck, IconCopy } from '../icons.tsx';

interface Props {
  label: string;
  value: string;
  onCopy: () => void;
  autoFocus?: boolean;
}

export function CopyField({ label, value, onCopy, autoFocus }: Props) {
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
          aria-label={`Copy: ${label}`}
          variant={autoFocus ? 'filled' : 'default'}
          leftSection={outcome === 'copied' ? <IconCheck /> : <IconCopy />}
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
            The browser refused. The text is selected: press Ctrl+C or ⌘C.
          </Text>
        )}
      </div>
    </div>
  );
}

/** Pages served without https have no clipboard; the older way still works there. */
async function copyText(text: string, shown: HTMLInputElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    shown?.focus();
    shown?.select();
    return document.execCommand('copy');
  }
}
