import type { CaptureMost } from './capture/capture-request.ts';
import type { Captures } from './capture/captures.ts';
import type * as DescribeSwitch from './diagnostics/describe-switch.ts';
import type { DiagnosticsDeps } from './diagnostics/describe-switch.ts';
import type { Answered, Route } from './server/call.ts';

export interface RoutesDeps extends DiagnosticsDeps {
  readonly captures: Captures;
  readonly most: CaptureMost;
}

const CREATE = { verb: 'create', isLong: false } as const;
const GET = { verb: 'get', isLong: false } as const;

/** Everything that can be called. What a call needs is loaded with the first one: most nodes are never asked. */
export function createRoutes({ access, changes, captures, most }: RoutesDeps): readonly Route[] {
  const diagnostics: DiagnosticsDeps = { access, changes };
  return [
    route('POST', '/v1/trace', { subresource: 'trace', ...CREATE }, async (call) =>
      (await import('./trace/trace-route.ts')).handleTrace(access, call),
    ),
    route('POST', '/v1/captures', { subresource: 'capture', verb: 'create', isLong: true }, async (call) =>
      (await import('./capture/capture-route.ts')).handleCapture(captures, most, call),
    ),
    route('GET', '/v1/flows', { subresource: 'flows', verb: 'get', isLong: true }, async (call) =>
      (await import('./flows/flows-route.ts')).handleFlows(access, call),
    ),
    route('GET', '/v1/bridges/:name', { subresource: 'diagnostics', ...GET }, ({ parameters: [name = ''], signal }) =>
      describe((module) => module.describeBridge(diagnostics, name, signal)),
    ),
    route('GET', '/v1/ports/:name', { subresource: 'diagnostics', ...GET }, ({ parameters: [name = ''], signal }) =>
      describe((module) => module.describePort(diagnostics, name, signal)),
    ),
    route('GET', '/v1/diagnostics', { subresource: 'diagnostics', ...GET }, ({ signal }) =>
      describe((module) => module.describeSwitch(diagnostics, signal)),
    ),
    route('GET', '/v1/topology', { subresource: 'diagnostics', ...GET }, async ({ signal }) => {
      const { describeTopology } = await import('./diagnostics/describe-topology.ts');
      return { reply: { kind: 'json', value: await describeTopology(access, signal) } };
    }),
    {
      method: 'GET',
      path: '/openapi.json',
      access: undefined,
      isLong: false,
      handle: async () => {
        const { describeApi } = await import('./server/describe-api.ts');
        return { reply: { kind: 'json', value: describeApi(most) } };
      },
    },
  ];
}

async function describe(make: (module: typeof DescribeSwitch) => Promise<unknown>): Promise<Answered> {
  return { reply: { kind: 'json', value: await make(await import('./diagnostics/describe-switch.ts')) } };
}

function route(
  method: Route['method'],
  path: string,
  { isLong, ...access }: NonNullable<Route['access']> & { readonly isLong: boolean },
  handle: Route['handle'],
): Route {
  return { method, path, access, isLong, handle };
}
