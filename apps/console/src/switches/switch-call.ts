/** A call of the troubleshooting API of one node: whose it is, and what is asked there. */
export interface SwitchCall {
  readonly namespace: string;
  readonly name: string;
  /** Of that API. */
  readonly path: string;
}

const ROOT = '/switches/';
/** All that can be asked; whatever else such an agent may come to answer is not for pages. */
const PATHS = /^\/v1\/(?:trace|captures|flows|diagnostics|topology|(?:bridges|ports)\/[^/]+)$/;

/** Reads `/switches/NAMESPACE/NAME/v1/…`. Undefined for what is no such call. */
export function readSwitchCall(path: string): SwitchCall | undefined {
  if (!path.startsWith(ROOT)) return undefined;
  const [namespace = '', name = '', ...rest] = path.slice(ROOT.length).split('/');
  const asked = `/${rest.join('/')}`;
  return isName(namespace) && isName(name) && PATHS.test(asked) ? { namespace, name, path: asked } : undefined;
}

/** Names of objects need no encoding. */
function isName(text: string): boolean {
  return text.length <= 253 && /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(text);
}
