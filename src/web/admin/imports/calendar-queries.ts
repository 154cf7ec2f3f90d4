import { request } from '../../api/request.ts';
import type {
  ImportBookingsInput,
  ImportEventsInput,
  ImportReportFragment,
} from '../../gql/graphql.ts';
import { graphql } from '../../gql/index.ts';

// A request has at most 200 kB, and base64 adds a third.
const MAX_PART_BYTES = 90_000;

const ADD_IMPORT_FILE_PART_MUTATION = graphql(`
  mutation AddImportFilePart($input: AddImportFilePartInput!) {
    addImportFilePart(input: $input) {
      fileId
    }
  }
`);

const IMPORT_EVENTS_MUTATION = graphql(`
  mutation ImportEvents($input: ImportEventsInput!) {
    importEvents(input: $input) {
      report {
        ...ImportReport
      }
    }
  }
`);

const IMPORT_BOOKINGS_MUTATION = graphql(`
  mutation ImportBookings($input: ImportBookingsInput!) {
    importBookings(input: $input) {
      report {
        ...ImportReport
      }
    }
  }
`);

/** Sends a file in parts, and returns its id. `onProgress` takes the share that is sent. */
export async function sendFile(file: File, onProgress: (share: number) => void): Promise<string> {
  let fileId: string | undefined;
  let position = 0;
  do {
    const from = position * MAX_PART_BYTES;
    const bytes = new Uint8Array(await file.slice(from, from + MAX_PART_BYTES).arrayBuffer());
    const input = { fileId, position, content: toBase64(bytes) };
    fileId = (await request(ADD_IMPORT_FILE_PART_MUTATION, { input })).addImportFilePart.fileId;
    position++;
    onProgress(Math.min(1, (position * MAX_PART_BYTES) / file.size));
  } while (position * MAX_PART_BYTES < file.size);
  return fileId;
}

const toBase64 = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

export const importEvents = async (input: ImportEventsInput): Promise<ImportReportFragment> =>
  (await request(IMPORT_EVENTS_MUTATION, { input })).importEvents.report;

export const importBookings = async (input: ImportBookingsInput): Promise<ImportReportFragment> =>
  (await request(IMPORT_BOOKINGS_MUTATION, { input })).importBookings.report;
