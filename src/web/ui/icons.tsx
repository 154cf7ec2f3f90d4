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
