import { Badge, Button, Code, Group, Text } from '@mantine/core';
import { Dialog } from '../../ui/Dialog.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Moment } from '../../ui/Moment.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { useDialog } from '../../ui/use-dialog.ts';
import { useLocations } from '../spaces/queries.ts';
import { EventForm } from './EventForm.tsx';
import { EventState } from './EventsTable.tsx';
import type { EventDetails } from './event-queries.ts';
import { forWhom, refundWords } from './event-words.ts';
import { SoldBar } from './SoldBar.tsx';

interface Props {
  event: EventDetails;
  mayChange: boolean;
}

export function EventFacts({ event, mayChange }: Props) {
  const editing = useDialog();
  const locations = useLocations();
  const { status, location, resource, publishedAt, cancelledAt, taken, capacity } = event;
  return (
    <Panel
      title="Details"
      action={
        mayChange && (
          <Button
            size="xs"
            variant="default"
            loading={locations.isPending}
            onClick={() => editing.open(true)}
          >
            Edit event
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Status', <EventState key="status" event={event} />],
          ['Cancelled', cancelledAt && <Moment key="cancelled" at={cancelledAt} as="since" />],
          ['Reason', event.cancelReason],
          [
            'Published',
            status !== 'CANCELLED' && publishedAt ? (
              <Moment key="published" at={publishedAt} as="since" />
            ) : null,
          ],
          ['Where', resource ? `${resource.name}, ${location.name}` : location.name],
          ['For', forWhom(event.visibility)],
          ['Tickets sold', <SoldBar key="sold" sold={taken ?? 0} of={capacity} />],
          ['Money back', refundWords(event.refundHours)],
          ['Tags', event.tags.length > 0 ? <Tags key="tags" tags={event.tags} /> : null],
          ['In a sentence', event.summary],
          ['Announcement', event.description && <Long key="text" text={event.description} />],
          ['Short name', <Code key="slug">{event.slug}</Code>],
        ]}
      />
      <Dialog state={editing} title={`Edit ${event.title}`} size="lg">
        {() => <EventForm locations={locations.data ?? []} event={event} onClose={editing.close} />}
      </Dialog>
    </Panel>
  );
}

const Tags = ({ tags }: { tags: string[] }) => (
  <Group gap={4}>
    {tags.map((tag) => (
      <Badge key={tag} variant="default">
        {tag}
      </Badge>
    ))}
  </Group>
);

const Long = ({ text }: { text: string }) => (
  <Text size="sm" maw={640} style={{ whiteSpace: 'pre-wrap' }}>
    {text}
  </Text>
);
