import { Alert, Button, Group, List, Stack, Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { Confirmation, Dialog, useDialog } from '../../components/Dialog.tsx';
import { notifySuccess } from '../../components/notify.ts';
import { QueryBoundary } from '../../components/QueryBoundary.tsx';
import type { PreviewMailingInput } from '../../gql/graphql.ts';
import { formatPeople } from './mailing-labels.tsx';
import { type MailingPreview, useCreateMailing, useMailingPreview } from './queries.ts';

interface Props {
  input: PreviewMailingInput;
  onBack: () => void;
}

/** Shows the email and its recipients, and sends it after a confirmation with their number. */
export function CheckAndSend({ input, onBack }: Props) {
  const preview = useMailingPreview(input);
  const confirming = useDialog<MailingPreview>();
  return (
    <Stack>
      <QueryBoundary query={preview} height={400}>
        {(preview) => <Preview preview={preview} />}
      </QueryBoundary>
      <Group gap="sm">
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        {preview.data && preview.data.recipients > 0 && (
          <Button onClick={() => confirming.open(preview.data)} loading={preview.isFetching}>
            Send to {formatPeople(preview.data.recipients)}
          </Button>
        )}
      </Group>
      <Dialog state={confirming} title="Send this email?" ignoresBack>
        {({ recipients }) => (
          <SendConfirmation input={input} recipients={recipients} onClose={confirming.close} />
        )}
      </Dialog>
    </Stack>
  );
}

const Preview = ({
  preview: { subject, html, recipients, sample },
}: {
  preview: MailingPreview;
}) => (
  <>
    {recipients === 0 ? (
      <Alert color="orange" role="status" title="Nobody would get this email">
        Go back and choose other recipients.
      </Alert>
    ) : (
      <Text size="sm" role="status">
        <b>{formatPeople(recipients)}</b> will get this email.
      </Text>
    )}
    {sample && sample.length > 0 && (
      <div>
        <Text size="sm" fw={600}>
          {recipients > sample.length ? `The first ${sample.length} of them` : 'Recipients'}
        </Text>
        <List size="sm" aria-label="Recipients">
          {sample.map(({ name, email }) => (
            <List.Item key={email} style={{ overflowWrap: 'anywhere' }}>
              {name}, {email}
            </List.Item>
          ))}
        </List>
      </div>
    )}
    <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
      <b>Subject:</b> {subject}
    </Text>
    {/* The sandbox allows nothing: no scripts, no forms, no access to the panel. */}
    <iframe
      title="Preview of the email"
      sandbox=""
      srcDoc={`<!doctype html><meta name="viewport" content="width=device-width"><body style="background:#fff;overflow-wrap:anywhere">${html}`}
      style={{
        width: '100%',
        height: 300,
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-md)',
        background: '#fff',
      }}
    />
  </>
);

interface SendConfirmationProps {
  input: PreviewMailingInput;
  recipients: number;
  onClose: () => void;
}

function SendConfirmation({ input, recipients, onClose }: SendConfirmationProps) {
  const navigate = useNavigate();
  const create = useCreateMailing((id) => {
    notifySuccess('The mailing is being sent.');
    void navigate(`/mailings/${id}`);
  });
  return (
    <Confirmation
      label={`Send ${recipients === 1 ? '1 email' : `${recipients} emails`}`}
      isDestructive={false}
      pending={create.isPending}
      error={create.error}
      onConfirm={() => create.mutate({ ...input, expectedRecipients: recipients })}
      onCancel={onClose}
    >
      {formatPeople(recipients)} will get “{input.subject}”. Emails that were sent cannot be taken
      back.
    </Confirmation>
  );
}
