import { timingSafeEqual } from 'node:crypto';

import { HaServiceError } from '../ha-service-error.ts';
import { parseYaml } from '../settings/parse-yaml.ts';
import { list } from '../settings/shape/list-shapes.ts';
import { section } from '../settings/shape/object-shape.ts';
import { choice, text } from '../settings/shape/scalar-shapes.ts';
import type { Shape } from '../settings/shape/shape.ts';
import { Role, type Caller } from './caller.ts';

interface TokenEntry extends Omit<Caller, 'through'> {
  /** Of the token, in hexadecimal digits: the file itself lets nobody in. */
  readonly sha256: string;
}

const tokensShape: Shape<readonly TokenEntry[]> = list(
  'who has a token',
  section<TokenEntry>('one token', {
    name: text('whose it is, for the audit'),
    role: choice(Object.values(Role), 'what it allows'),
    sha256: text('its SHA-256, as of: printf %s "$TOKEN" | sha256sum', {
      pattern: /^[0-9a-f]{64}$/,
      what: '64 hexadecimal digits',
    }),
  }),
);

/** Those who have a token, as a file lists them. */
export class TokenCallers {
  readonly #entries: readonly (Caller & { readonly hash: Buffer })[];

  /** Reads the text of the file; what is wrong with it is an error that names the entry. */
  constructor(content: string, path: string) {
    const problems: string[] = [];
    const read = tokensShape.read(parseYaml(content, path) ?? [], { path: '', problems });
    if (read === undefined) throw new HaServiceError('bad-settings', `${path}: ${problems.join('; ')}`);
    this.#entries = read.value.map(({ name, role, sha256 }) => ({ name, role, hash: Buffer.from(sha256, 'hex') }));
  }

  /** Whose token it is, by its SHA-256. Every entry is compared, so the time it takes tells nothing. */
  find(hash: Buffer): Caller | undefined {
    let found: Caller | undefined;
    for (const { hash: known, name, role } of this.#entries) if (timingSafeEqual(known, hash)) found = { name, role };
    return found;
  }
}
