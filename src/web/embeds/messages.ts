/** What a widget sends to the website that shows it. */
export type WidgetMessage =
  | { type: 'foyer:height'; height: number }
  /** Another page is shown, from its start. */
  | { type: 'foyer:page' };
