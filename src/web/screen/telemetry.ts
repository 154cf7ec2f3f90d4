const VERSION = 'foyer-web-1';
const started = Date.now();

interface Battery {
  level: number;
}

/** What a device may tell of itself, as query parameters. */
export async function telemetry(): Promise<string> {
  const told = new URLSearchParams({
    app_version: VERSION,
    uptime: String(Math.round((Date.now() - started) / 1000)),
  });
  const battery = await batteryPercent();
  if (battery !== null) told.set('battery', String(battery));
  return told.toString();
}

/** Only some browsers tell, and only over https. */
async function batteryPercent(): Promise<number | null> {
  const { getBattery } = navigator as { getBattery?: () => Promise<Battery> };
  try {
    const battery = await getBattery?.call(navigator);
    return battery ? Math.round(battery.level * 100) : null;
  } catch {
    return null;
  }
}
