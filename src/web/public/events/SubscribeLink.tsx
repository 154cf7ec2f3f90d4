import { Anchor } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { toServiceUrl } from '../../api/urls.ts';
import { getText } from '../../language/page-texts.ts';

/** Subscribes a calendar app to the listed events. Without scripts, the link leads to the calendar file. */
export function SubscribeLink({ tag }: { tag: string }) {
  const file = toServiceUrl(`public/events.ics${tag && `?tag=${encodeURIComponent(tag)}`}`);
  const [hasScripts, setHasScripts] = useState(false);
  useEffect(() => setHasScripts(true), []);
  return (
    <Anchor
      size="sm"
      href={hasScripts ? file.replace(/^https?:/, 'webcal:') : file}
      display="inline-flex"
      style={{ alignItems: 'center', gap: 6 }}
    >
      <IconCalendarPlus size={16} aria-hidden />
      {tag ? getText('event.subscribeTo', { tag }) : getText('event.subscribe')}
    </Anchor>
  );
}
