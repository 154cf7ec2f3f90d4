import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';

interface EmailPreviewProps {
  email: { subject: string; text: string; html: string };
}

/** Shows an email as its recipient sees it. The sandbox of the frame allows neither scripts nor links. */
export function EmailPreview({ email: { subject, text, html } }: EmailPreviewProps) {
  const [format, setFormat] = useState('html');
  return (
    <Stack gap="sm">
      <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {subject}
      </Text>
      <SegmentedControl
        aria-label="Format"
        size="xs"
        value={format}
        onChange={setFormat}
        data={[
          { value: 'html', label: 'HTML' },
          { value: 'text', label: 'Plain text' },
        ]}
      />
      {format === 'html' ? (
        <iframe
          title="Preview of the email"
          sandbox=""
          srcDoc={html}
          style={{ width: '100%', height: 480, border: 0, borderRadius: 8 }}
        />
      ) : (
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
    </Stack>
  );
}
