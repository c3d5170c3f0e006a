import { HaServiceError } from '../../ha-service-error.ts';
import { parseYaml } from '../../settings/parse-yaml.ts';
import { list } from '../../settings/shape/list-shapes.ts';
import { section } from '../../settings/shape/object-shape.ts';
import { text } from '../../settings/shape/scalar-shapes.ts';
import type { Shape } from '../../settings/shape/shape.ts';

interface NodeToken {
  readonly node: string;
  /** Of the token, in hexadecimal digits: the file itself lets nobody in. */
  readonly sha256: string;
}

const tokensShape: Shape<readonly NodeToken[]> = list(
  'which node has which token',
  section<NodeToken>('the token of one node', {
    node: text('the name of the node'),
    sha256: text('the SHA-256 of its token, as of: printf %s "$TOKEN" | sha256sum', {
      pattern: /^[0-9a-f]{64}$/,
      what: '64 hexadecimal digits',
    }),
  }),
);

/** Reads which node a token belongs to, by its SHA-256. What is looked up is a hash, so its time tells nothing of a token. */
export function parseNodeTokens(content: string, path: string): ReadonlyMap<string, string> {
  const problems: string[] = [];
  const read = tokensShape.read(parseYaml(content, path) ?? [], { path: '', problems });
  if (read === undefined) throw new HaServiceError('bad-settings', `${path}: ${problems.join('; ')}`);
  const nodes = new Map<string, string>();
  for (const { node, sha256 } of read.value) {
    const other = nodes.get(sha256);
    if (other !== undefined) throw new HaServiceError('bad-settings', `${path}: ${node} and ${other} share a token`);
    nodes.set(sha256, node);
  }
  return nodes;
}
