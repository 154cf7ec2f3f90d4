import { Box } from '@mantine/core';
import { type MouseEvent, useEffect, useRef } from 'react';
import { Outlet, useLocation } from 'react-router';
import { EMBED_PATH } from '../api/urls.ts';
import { useRouteFocus } from '../components/PageLayout.tsx';
import type { WidgetMessage } from './messages.ts';

/** A widget: the content of a page. The website around it gives the frame the height of the content. */
export function Component() {
  const main = useRouteFocus();
  const { pathname } = useLocation();
  const shown = useRef(pathname);
  useEffect(() => {
    if (main.current === null) return;
    const element = main.current;
    const observer = new ResizeObserver(() =>
      send({ type: 'foyer:height', height: Math.ceil(element.getBoundingClientRect().height) }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [main]);
  useEffect(() => {
    if (shown.current !== pathname) send({ type: 'foyer:page' });
    shown.current = pathname;
  }, [pathname]);
  return (
    <Box component="main" ref={main} tabIndex={-1} p="md" onClickCapture={openOtherPagesInTab}>
      <Outlet />
    </Box>
  );
}

/** A height is no secret, and the browser shows this page only on websites that may know it. */
const send = (message: WidgetMessage) => window.parent.postMessage(message, '*');

/** Pages such as sign-in do not open in frames of other websites. */
function openOtherPagesInTab({ target }: MouseEvent) {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link === null || link.pathname.startsWith(`${EMBED_PATH}/`)) return;
  link.target = '_blank';
  link.rel = 'noopener';
}
