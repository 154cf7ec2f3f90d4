import { Anchor, Badge, Button, createTheme, Modal, Notification, Tooltip } from '@mantine/core';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Links in text must differ from it by more than color.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Badge: Badge.extend({
      defaultProps: { tt: 'none', fw: 500, radius: 'sm' },
    }),
    Button: Button.extend({ defaultProps: { fw: 500 } }),
    Modal: Modal.extend({
      defaultProps: {
        centered: true,
        radius: 'md',
        padding: 'lg',
        // Mantine renders a <header>, which would add a second banner landmark to the page.
        attributes: { header: { role: 'presentation' } },
      },
      styles: { title: { fontWeight: 600, fontSize: 'var(--mantine-font-size-lg)' } },
    }),
    Notification: Notification.extend({
      defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } },
    }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true }, openDelay: 300 },
    }),
  },
});
