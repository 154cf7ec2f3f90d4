import type { ComponentType } from 'react';
import type { SectionAccess } from '../app/session/viewer.ts';

/** A section of the panel with its navigation entry and routes. */
export interface NavSection {
  label: string;
  group: 'Space' | 'Settings';
  path: string;
  icon: ComponentType<{ size?: number }>;
  access: SectionAccess;
  /** The people who can open it: "owners and managers". */
  audience: string;
  /** Loads the page when it is first opened. */
  load: LoadComponent;
  /** Child pages, such as one location at `:locationId`. */
  pages?: { path: string; load: LoadComponent }[];
}

type LoadComponent = () => Promise<{ Page: ComponentType }>;
