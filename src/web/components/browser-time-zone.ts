export const BROWSER_TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
