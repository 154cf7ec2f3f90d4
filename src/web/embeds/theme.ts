/** Returns the colors that the website has chosen for a widget. Undefined: those that the browser prefers. */
export function findEmbedTheme({ search }: Pick<Location, 'search'>): 'light' | 'dark' | undefined {
  const theme = new URLSearchParams(search).get('theme');
  return theme === 'light' || theme === 'dark' ? theme : undefined;
}
