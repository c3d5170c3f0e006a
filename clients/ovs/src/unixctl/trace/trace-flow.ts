import type { RequestOptions, Unixctl } from '../unixctl.ts';
import { parseTrace } from './parse-trace.ts';
import { printTraceParameters } from './print-trace-request.ts';
import type { TraceReport } from './trace-report.ts';
import type { TraceRequest } from './trace-request.ts';

/** Asks ovs-vswitchd what would become of a packet. Nothing is sent or learned, and nothing but checked values reaches it. */
export async function traceFlow(
  unixctl: Unixctl,
  request: TraceRequest,
  options?: RequestOptions,
): Promise<TraceReport> {
  return parseTrace(await unixctl.run('ofproto/trace', printTraceParameters(request), options));
}
