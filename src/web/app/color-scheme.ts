// Pages from the service load this before anything is painted. The file has no imports, so that browsers can run it as a
// classic script. Mantine keeps the attribute up to date afterwards.
document.documentElement.dataset.mantineColorScheme = matchMedia('(prefers-color-scheme: dark)')
  .matches
  ? 'dark'
  : 'light';
