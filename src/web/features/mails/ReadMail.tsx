import { Stack, Text } from '@mantine/core';
import { asApiError } from '../../api/errors.ts';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { PageLoader } from '../../ui/PageLoader.tsx';
import { type Mail, useMailText } from './queries.ts';

/** As text: what a mail looks like elsewhere is no page of this panel. */
export function ReadMail({ mail }: { mail: Mail }) {
  const text = useMailText(mail.id);
  if (text.error) return <ErrorState error={asApiError(text.error)} retry={text.refetch} />;
  if (text.data === undefined) return <PageLoader />;
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        To {mail.recipient}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text.data}
      </Text>
    </Stack>
  );
}
