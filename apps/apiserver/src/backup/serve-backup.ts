import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { internalServerError, tooManyRequestsError } from '../errors/make-status-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendPieces } from '../http/send-body.ts';
import type { Store } from '../store/store.ts';

/** How long a client may take to fetch a copy; one that stands still must not keep others from it for ever. */
const FETCH_TIMEOUT_MS = 3_600_000;
const RETRY_AFTER_SECONDS = 5;
const PIECE_BYTES = 256 * 1024;
const SQLITE_TYPE = 'application/vnd.sqlite3';

export interface BackupSource {
  readonly store: Pick<Store, 'backUp'>;
  /** Has room for a copy of the store, and is for the server alone. */
  readonly directory: string;
}

/** Sends a copy of the store of one moment; every write that was answered before the request is in it. One at a time. */
export function backupAction(source: BackupSource): (exchange: Exchange) => Promise<void> {
  let isBusy = false;
  return async (exchange) => {
    if (isBusy) throw tooManyRequestsError('another backup is under way', RETRY_AFTER_SECONDS);
    isBusy = true;
    try {
      await sendCopy(exchange, copyStore(source));
    } finally {
      isBusy = false;
    }
  };
}

/** Gives the descriptor of a copy that has no name any more: it goes away with whoever has it open, also by a crash. */
function copyStore({ store, directory }: BackupSource): number {
  const path = join(directory, 'backup.sqlite');
  try {
    // A server that was killed in the midst of it left one behind.
    rmSync(path, { force: true });
    store.backUp(path);
    return openSync(path, 'r');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw internalServerError(`the store could not be copied to ${path}: ${why}`, { cause: error });
  } finally {
    rmSync(path, { force: true });
  }
}

async function sendCopy(exchange: Exchange, file: number): Promise<void> {
  const timer = setTimeout(() => exchange.response.destroy(), FETCH_TIMEOUT_MS);
  try {
    const { size } = fstatSync(file);
    await sendPieces(exchange, 200, SQLITE_TYPE, { length: size, pieces: () => piecesOf(file) });
  } finally {
    clearTimeout(timer);
    closeSync(file);
  }
}

function* piecesOf(file: number): Generator<Buffer, void> {
  const piece = Buffer.alloc(PIECE_BYTES);
  for (;;) {
    const bytes = readSync(file, piece);
    if (bytes === 0) return;
    yield piece.subarray(0, bytes);
  }
}
