import type { ComponentType } from 'react';
import type { Viewer } from '../app/session/viewer.ts';

/** One place of the panel, in its navigation and at its path. */
export interface NavSection {
  label: string;
  group: 'Space' | 'Settings';
  path: string;
  icon: ComponentType<{ size?: number }>;
  isVisibleTo: (viewer: Viewer) => boolean;
  /** Who that is, in words: "owners and managers". */
  audience: string;
  /** Loaded when it is first opened. */
  load: LoadComponent;
  /** Pages below it, such as that of one location at `:locationId`. */
  pages?: { path: string; load: LoadComponent }[];
}

type LoadComponent = () => Promise<{ Page: ComponentType }>;
