import { isMap, isNode, isPair, isScalar, parseDocument, type Document, type YAMLMap } from 'yaml';

/** A value of the chart that can be set by itself. */
export interface ChartValue {
  /** Such as `virtApi.image.tag`. */
  readonly path: string;
  readonly default: unknown;
  /** What the comment above it says; empty where there is none. */
  readonly meaning: string;
}

/** Maps that hold whatever users put in, and count as one value. */
const OPEN = new Set([
  'affinity',
  'annotations',
  'config',
  'dnsConfig',
  'haReports',
  'labels',
  'nodeSelector',
  'podAnnotations',
  'podLabels',
  'reports',
  'resources',
  'securityContext',
  'selector',
]);

/** All values of `values.yaml`, in its order, with the comments above them. */
export function readChartValues(text: string): readonly ChartValue[] {
  const document = parseDocument(text);
  const { contents } = document;
  if (!isMap(contents)) throw new Error('values.yaml holds no map');
  return valuesBelow(document, contents, []);
}

/** Whether a map of this name is one value, whatever is in it. */
export function isOpen(name: string): boolean {
  return OPEN.has(name);
}

function valuesBelow(document: Document, map: YAMLMap, parents: readonly string[]): readonly ChartValue[] {
  return map.items.flatMap((pair, index) => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const { key, value } = pair;
    const name = String(key.value);
    const path = [...parents, name];
    // The comment above the first key of a map stands before the map itself.
    const comment = (index === 0 ? map.commentBefore : undefined) ?? key.commentBefore;
    if (isMap(value) && !isOpen(name)) return valuesBelow(document, value, path);
    const standard: unknown = isNode(value) ? value.toJS(document) : value;
    return [{ path: path.join('.'), default: standard, meaning: meaningOf(comment) }];
  });
}

/** The last paragraph of a comment: what stands further up is about more than this value. */
function meaningOf(comment: string | null | undefined): string {
  const paragraphs = (comment ?? '').split(/\n\s*\n/);
  return (paragraphs.at(-1) ?? '')
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
    .trim();
}
