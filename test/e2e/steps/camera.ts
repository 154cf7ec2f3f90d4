import { rm } from 'node:fs/promises';
import { findChromium, launch } from '../chromium.ts';
import type { Stage } from '../stage.ts';
import { writeCameraVideo } from './camera-video.ts';
import { createKioskActions } from './kiosk-actions.ts';
import { getLighthouse } from './lighthouse.ts';

const VERA = { name: 'Vera Rubin', email: 'vera@example.org', code: 'VRA2345678' };

/** Uses its own browser, since the video of the camera is a start option. */
export async function admits({ here, shots, watch }: Stage) {
  await getLighthouse(here);
  await here.prisma.member.create({ data: VERA });
  const film = await writeCameraVideo(VERA.code, `${shots}/camera.y4m`);
  const browser = await launch(findChromium() ?? '', [
    '--use-fake-ui-for-media-stream', // grants the permission
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ]);
  try {
    const context = await browser.newContext({ viewport: { width: 1024, height: 768 } });
    context.setDefaultTimeout(10_000);
    await watch.watch(context);
    const kiosk = await context.newPage();
    const { button, said } = createKioskActions(() => kiosk);
    await kiosk.goto(`${here.url}/kiosk/lighthouse`);
    await button('Scan with camera').click();
    const picture = kiosk.getByLabel('Camera preview');
    await picture.evaluate(
      (video: HTMLVideoElement) =>
        video.videoWidth > 0 || new Promise((seen) => video.addEventListener('playing', seen)),
    );
    await kiosk.screenshot({ path: `${shots}/camera.png` });
    await said('Welcome, Vera!');
    await kiosk.screenshot({ path: `${shots}/camera-admitted.png` });
    await picture.waitFor({ state: 'detached' });
  } finally {
    await browser.close();
    await rm(film);
  }
}
