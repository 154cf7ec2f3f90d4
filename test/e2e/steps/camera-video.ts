import { writeFile } from 'node:fs/promises';
import QRCode from 'qrcode';

const WIDTH = 640;
const HEIGHT = 480;
const MODULE = 8;
const WHITE = 235;
const BLACK = 16;
const GREY = 110;
const NO_COLOUR = 128;
/** The code appears after some empty frames and then stays still. */
const EMPTY_FRAMES = 20;
const FRAMES = 60;

/** Writes a video of a QR code in raw frames, which Chromium plays as its camera. Returns its path. */
export async function writeCameraVideo(code: string, path: string): Promise<string> {
  const header = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F20:1 Ip A1:1 C420mpeg2\n`);
  const colours = Buffer.alloc((WIDTH * HEIGHT) / 2, NO_COLOUR);
  const frame = (brightness: Buffer) =>
    Buffer.concat([Buffer.from('FRAME\n'), brightness, colours]);
  const nobody = frame(Buffer.alloc(WIDTH * HEIGHT, GREY));
  const held = frame(pictureOf(code));
  const frames = Array.from({ length: FRAMES }, (_, n) => (n < EMPTY_FRAMES ? nobody : held));
  await writeFile(path, Buffer.concat([header, ...frames]));
  return path;
}

/** Draws the code on white, in the middle of a grey frame. */
function pictureOf(code: string): Buffer {
  const { modules } = QRCode.create(code, { errorCorrectionLevel: 'M' });
  const margin = 4;
  const side = (modules.size + 2 * margin) * MODULE;
  const [left, top] = [(WIDTH - side) / 2, (HEIGHT - side) / 2];
  const picture = Buffer.alloc(WIDTH * HEIGHT, GREY);
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1) {
      const [row, column] = [y, x].map((at) => Math.floor(at / MODULE) - margin) as [
        number,
        number,
      ];
      const isInside = [row, column].every((at) => at >= 0 && at < modules.size);
      const isDark = isInside && modules.get(row, column) === 1;
      picture[Math.round(top + y) * WIDTH + Math.round(left + x)] = isDark ? BLACK : WHITE;
    }
  return picture;
}
