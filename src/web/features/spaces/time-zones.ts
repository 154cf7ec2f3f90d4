export const hereZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export const timeZones = [...new Set([hereZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
