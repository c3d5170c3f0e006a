import { isDevicePluginError } from '../device-plugin-error.ts';

/** The numbers by which gRPC tells how a call ended, as far as they are used here. */
export const GrpcStatus = { ok: 0, invalidArgument: 3, notFound: 5, unimplemented: 12, internal: 13 } as const;

/** How a call ends, in the words of its trailers. */
export interface GrpcTrailers {
  readonly 'grpc-status': string;
  readonly 'grpc-message'?: string;
}

export const OK: GrpcTrailers = { 'grpc-status': String(GrpcStatus.ok) };

/** The trailers of a call that failed. */
export function failedTrailers(error: unknown): GrpcTrailers {
  return refusal(statusOf(error), error instanceof Error ? error.message : String(error));
}

/** The trailers of a call that is refused. */
export function refusal(status: number, message: string): GrpcTrailers {
  // gRPC asks for percent signs where a text is more than plain ASCII.
  return { 'grpc-status': String(status), 'grpc-message': encodeURI(message) };
}

function statusOf(error: unknown): number {
  if (isDevicePluginError(error, 'bad-message')) return GrpcStatus.invalidArgument;
  return isDevicePluginError(error, 'no-such-device') ? GrpcStatus.notFound : GrpcStatus.internal;
}
