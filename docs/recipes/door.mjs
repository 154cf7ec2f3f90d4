// Opens a door for people whom Foyer checks in. Each line of input is the code of one scan, as scanners type it:
// FOYER=https://foyer.example.org DEVICE=foyerd_… node door.mjs
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createClient, isFoyerError } from '@foyer/client';

const { FOYER, DEVICE, FILE = 'door.json', OFFLINE_HOURS = '0' } = process.env;
const { TIMEOUT_MS = '3000' } = process.env; // how long people wait until the network counts as down
const foyer = createClient({ url: FOYER, token: DEVICE, timeout: Number(TIMEOUT_MS), retries: 0 });
const ADMITTING = ['admitted', 'already_in']; // whoever is in can go out and come back

/** Opens the lock for some seconds. Replace it with what your relay needs. */
function openRelay() {
  console.log('open'); // such as execFile('gpioset', ['--mode=time', '--sec=3', 'gpiochip0', '17'])
}

// `admitted`: when codes were last admitted, by their hashes. `waiting`: offline scans, to be uploaded.
const stored = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : {};
const state = { locationId: null, admitted: {}, waiting: [], ...stored };
const toHash = (code) => createHash('sha256').update(code).digest('hex');
const isRecent = (time = 0) => Date.now() - time < Number(OFFLINE_HOURS) * 3_600_000;

function save() {
  const recent = Object.entries(state.admitted).filter(([, time]) => isRecent(time));
  state.admitted = Object.fromEntries(recent);
  writeFileSync(`${FILE}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${FILE}.new`, FILE);
}

/**
 * Returns the result of the check-in, or `error: …` for a problem of the door itself, such as a revoked token.
 * @throws if there is no answer, which says nothing about the person
 */
async function checkIn(scan) {
  try {
    state.locationId ??= (await foyer.rest.getDisplayStateWithHeader()).device.location.id;
    const { check_in } = await foyer.rest.checkIn({ location_id: state.locationId, ...scan });
    return check_in.result;
  } catch (error) {
    if (!isFoyerError(error) || error.reason === null || error.status >= 500) throw error;
    return `error: ${error.message}`;
  }
}

/** Without an answer, only people whom Foyer has admitted in the last OFFLINE_HOURS can enter. */
function checkOffline(scan) {
  if (!isRecent(state.admitted[toHash(scan.code)])) return 'offline';
  state.waiting.push({ ...scan, occurred_at: new Date().toISOString() });
  return 'offline_admitted';
}

async function handle(scan) {
  const result = await checkIn(scan).catch(() => checkOffline(scan));
  if (ADMITTING.includes(result) || result === 'offline_admitted') openRelay();
  log(result, scan);
  if (ADMITTING.includes(result)) state.admitted[toHash(scan.code)] = Date.now();
  else if (!/^(offline|error)/.test(result)) delete state.admitted[toHash(scan.code)];
  save();
  if (!result.startsWith('offline')) await upload();
}

/** Uploads offline scans in order. Foyer ignores a `scan_id` that it has received before. */
async function upload() {
  for (const scan of [...state.waiting]) {
    const result = await checkIn(scan).catch(() => 'offline');
    if (result === 'offline') return;
    log(`uploaded: ${result}`, scan);
    if (result.startsWith('error')) continue; // a problem of the door: the scan stays for later
    state.waiting = state.waiting.filter(({ scan_id }) => scan_id !== scan.scan_id);
    save();
  }
}

/** Logs never contain a whole code. */
function log(result, { code }) {
  console.log(new Date().toISOString(), result, `…${code.slice(-3)}`);
}

setInterval(upload, 60_000).unref();
await upload();
for await (const line of createInterface({ input: process.stdin }))
  if (line.trim() !== '') await handle({ code: line.trim(), scan_id: randomUUID() });
