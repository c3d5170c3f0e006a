import { extname } from 'node:path';

/** What a path asks for: a file of the page, or the page itself, which finds out by the path what to show. */
export type ChosenPage =
  | { readonly kind: 'file'; readonly name: string; readonly type: string; readonly isForever: boolean }
  | { readonly kind: 'page' };

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const NAME = /^[\w@~+-][\w@~.+-]*$/;
/** The build puts files there whose names change with what is in them. */
const HASHED = /^assets\/.+-[\w-]{8,}\.\w+$/;

/** Decides by a path, which has been checked, what is sent. Only files of known types are; the rest are places of the page. */
export function chooseFile(path: string): ChosenPage {
  const name = path.slice(1);
  const type = TYPES[extname(name)];
  const isName = name.split('/').every((segment) => NAME.test(segment));
  if (type === undefined || !isName) return { kind: 'page' };
  return { kind: 'file', name, type, isForever: HASHED.test(name) };
}

/** The encodings that a browser takes and the build makes, the smallest first. */
export function acceptedEncodings(header: string | undefined): readonly ('br' | 'gzip')[] {
  const accepted = (header ?? '').split(',').flatMap((each) => {
    const [name = '', weight = ''] = each.split(';').map((part) => part.trim().toLowerCase());
    return /^q=0(\.0*)?$/.test(weight) ? [] : [name];
  });
  return (['br', 'gzip'] as const).filter((name) => accepted.includes(name));
}
