import { randomBytes } from 'node:crypto';
import { open, readFile, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

import { ConsoleError } from '../console-error.ts';
import { pageHeaders } from '../http/security-headers.ts';
import { acceptedEncodings, chooseFile, type ChosenPage } from './choose-file.ts';

/** What the build puts where the nonce of style elements goes. */
const NONCE_PLACE = 'SMALT_STYLE_NONCE';
const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
const FOREVER = 'public, max-age=31536000, immutable';

/** Sends what was built: files as they are, and the page for every other path. */
export class Pages {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async serve(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chosen = chooseFile(path);
    if (chosen.kind === 'page') return await this.#sendPage(request, response);
    await this.#sendFile(chosen, request, response);
  }

  /** Rejects when there is no page. */
  async check(): Promise<void> {
    await readFile(join(this.#directory, 'index.html'));
  }

  async #sendPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readIfThere(join(this.#directory, 'index.html'));
    if (text === undefined) return this.#sendMissing(response);
    const nonce = randomBytes(16).toString('base64url');
    const body = Buffer.from(text.replaceAll(NONCE_PLACE, nonce));
    send({ request, response }, 200, body, { ...pageHeaders(nonce), 'cache-control': 'no-store' });
  }

  #sendMissing(response: ServerResponse): void {
    const body = `The pages of the console are not there (${this.#directory}). Build them: npx vite build --config apps/console/vite.config.ts\n`;
    const headers = { ...pageHeaders(undefined), 'cache-control': 'no-store', 'content-type': 'text/plain' };
    response.writeHead(503, headers).end(body);
  }

  async #sendFile(
    { name, type, isForever }: ChosenPage & { readonly kind: 'file' },
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const found = await this.#open(name, request);
    if (found === undefined) throw new ConsoleError('not-found', `there is no file ${name}`);
    await using file = found.handle;
    const { size, mtimeMs } = await file.stat();
    const etag = `"${size.toString(36)}-${Math.floor(mtimeMs).toString(36)}${found.suffix}"`;
    const headers: OutgoingHttpHeaders = {
      ...pageHeaders(undefined),
      'content-type': type,
      'cache-control': isForever ? FOREVER : 'no-cache',
      etag,
      vary: 'accept-encoding',
      ...(found.encoding !== undefined && { 'content-encoding': found.encoding }),
    };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, { ...headers, 'content-length': size });
    if (request.method === 'HEAD') return void response.end();
    await pipeline(file.createReadStream({ autoClose: false }), response);
  }

  /** The smallest form of a file that the browser takes. */
  async #open(name: string, { headers }: IncomingMessage): Promise<Found | undefined> {
    for (const encoding of acceptedEncodings(headers['accept-encoding'])) {
      const suffix = SUFFIXES[encoding];
      const handle = await openFile(join(this.#directory, `${name}${suffix}`));
      if (handle !== undefined) return { handle, encoding, suffix };
    }
    const handle = await openFile(join(this.#directory, name));
    return handle && { handle, encoding: undefined, suffix: '' };
  }
}

interface Found {
  readonly handle: FileHandle;
  readonly encoding: string | undefined;
  readonly suffix: string;
}

function send(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  status: number,
  body: Buffer,
  headers: OutgoingHttpHeaders,
): void {
  const own = { 'content-type': 'text/html; charset=utf-8', 'content-length': body.length };
  response.writeHead(status, { ...headers, ...own }).end(request.method === 'HEAD' ? undefined : body);
}

async function openFile(path: string): Promise<FileHandle | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path);
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await handle?.close();
  return undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
