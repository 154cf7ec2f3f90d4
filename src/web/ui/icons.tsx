import type { ReactNode } from 'react';

interface Size {
  size?: number;
}

const Drawing = ({ size = 18, children }: Size & { children: ReactNode }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.8}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
);

export const IconAlert = (props: Size) => (
  <Drawing {...props}>
    <path d="M12 4 2.8 19.5h18.4z" />
    <path d="M12 10v4M12 17v.01" />
  </Drawing>
);

export const IconCheck = (props: Size) => (
  <Drawing {...props}>
    <path d="m5 12.5 4.5 4.5L19 7.5" />
  </Drawing>
);

export const IconCopy = (props: Size) => (
  <Drawing {...props}>
    <rect x="9" y="9" width="11" height="11" rx="2" />
    <path d="M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3" />
  </Drawing>
);

export const IconDown = (props: Size) => (
  <Drawing {...props}>
    <path d="m7 10 5 5 5-5" />
  </Drawing>
);

export const IconKey = (props: Size) => (
  <Drawing {...props}>
    <circle cx="8" cy="15.5" r="4" />
    <path d="m11 12.5 8.5-8.5M15.5 8l3 3" />
  </Drawing>
);

export const IconMail = (props: Size) => (
  <Drawing {...props}>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="m3.5 7 8.5 6.5L20.5 7" />
  </Drawing>
);

export const IconPin = (props: Size) => (
  <Drawing {...props}>
    <path d="M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21z" />
    <circle cx="12" cy="9.5" r="2.5" />
  </Drawing>
);

export const IconPlus = (props: Size) => (
  <Drawing {...props}>
    <path d="M12 5v14M5 12h14" />
  </Drawing>
);

export const IconScreen = (props: Size) => (
  <Drawing {...props}>
    <rect x="3" y="4" width="18" height="12" rx="2" />
    <path d="M8 20h8M12 16v4" />
  </Drawing>
);

export const IconCalendar = (props: Size) => (
  <Drawing {...props}>
    <rect x="4" y="5" width="16" height="15" rx="2" />
    <path d="M4 10h16M8.5 3v4M15.5 3v4" />
  </Drawing>
);

export const IconDoor = (props: Size) => (
  <Drawing {...props}>
    <path d="M6 20.5V4.5a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v16M3.5 20.5h17M14.5 12v.01" />
  </Drawing>
);

export const IconLeft = (props: Size) => (
  <Drawing {...props}>
    <path d="m14 7-5 5 5 5" />
  </Drawing>
);

export const IconPeople = (props: Size) => (
  <Drawing {...props}>
    <circle cx="9" cy="8" r="3.5" />
    <path d="M2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4M18 14.2a6.5 6.5 0 0 1 3.5 5.8" />
  </Drawing>
);

export const IconPerson = (props: Size) => (
  <Drawing {...props}>
    <circle cx="12" cy="8" r="4" />
    <path d="M4.5 20.5a7.5 7.5 0 0 1 15 0" />
  </Drawing>
);

export const IconPlan = (props: Size) => (
  <Drawing {...props}>
    <rect x="3" y="5" width="18" height="14" rx="2" />
    <path d="M3 10h18M7 15h4" />
  </Drawing>
);

export const IconRight = (props: Size) => (
  <Drawing {...props}>
    <path d="m10 7 5 5-5 5" />
  </Drawing>
);

export const IconEvent = (props: Size) => (
  <Drawing {...props}>
    <path d="M3.5 9V6.5a1 1 0 0 1 1-1h15a1 1 0 0 1 1 1V9a3 3 0 0 0 0 6v2.5a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1V15a3 3 0 0 0 0-6z" />
    <path d="M14.5 9v6" />
  </Drawing>
);

export const IconOrder = (props: Size) => (
  <Drawing {...props}>
    <path d="M5.5 3.5h13v17l-2.6-1.7-2 1.7-1.900-1.7-1.900 1.7-2-1.7-2.6 1.7z" />
    <path d="M9 8.5h6M9 12.5h6" />
  </Drawing>
);

export const IconDay = (props: Size) => (
  <Drawing {...props}>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4" />
  </Drawing>
);

export const IconDesk = (props: Size) => (
  <Drawing {...props}>
    <path d="M4 19h16M6 19v-5h12v5" />
    <path d="M7 14a5 5 0 0 1 10 0M12 9V6.5M10.5 6.5h3" />
  </Drawing>
);

export const IconWebhook = (props: Size) => (
  <Drawing {...props}>
    <circle cx="6" cy="12" r="2.5" />
    <path d="M8.5 12H20M8.2 10.7 16.5 5.5M8.2 13.3l8.3 5.2M17.5 9.500 20 12l-2.5 2.5" />
  </Drawing>
);
